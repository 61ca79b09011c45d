import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeObjects } from "../src/dispatch/raw.ts";
import { redact } from "../src/dispatch/redact.ts";
import { awk, AWKS, folder } from "./_awk.ts";

/** The shell lane's awk against the node lane's TypeScript, on the same inputs. */
const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Valid JSON with odd white space, and the same text damaged in one place. */
function texts(count: number): string[] {
  const spaced = fc
    .tuple(
      fc.jsonValue({ maxDepth: 4, noUnicodeString: false }),
      fc.constantFrom("", " ", 1, 2, "\t", "\r\n"),
    )
    .map(([value, gap]) => JSON.stringify(value, null, gap as number));
  const damaged = fc
    .tuple(
      spaced,
      fc.nat(),
      fc.constantFrom(
        "",
        ",",
        '"',
        "\\",
        "{",
        "]",
        "0",
        "-",
        "e",
        "\n",
        "\u0001",
        " ",
        "tru",
        "\\u12",
        ":",
        ".",
      ),
      fc.nat(3),
    )
    .map(([text, at, put, cut]) => {
      const i = at % (text.length + 1);
      return text.slice(0, i) + put + text.slice(i + cut);
    });
  return (
    fc
      .sample(fc.oneof(spaced, damaged, damaged), { numRuns: count, seed: 7 })
      // awk reads files up to \u0001, so one at the very end is lost: the one byte that it cannot see.
      .filter((t) => !t.includes("\0") && !t.endsWith("\u0001") && t.isWellFormed())
  );
}

describe.each(AWKS)("%s", (name) => {
  test("reads exactly what JSON.parse reads", () => {
    const inputs = [
      ...texts(3000),
      "",
      " ",
      "{}x",
      '{"a":1,"a":{"b":2},"a":3}',
      "[1,]",
      "[,1]",
      "{,}",
      '{"a"}',
      "01",
      "1.",
      ".5",
      "-",
      "-0",
      "1e5",
      "1E+",
      "nul",
      '"\\x"',
      '"\\u00g0"',
      '"\t"',
      "[[[[]]]]",
      '{"a":[{"b":{}}]}',
    ];
    const want = inputs.map(parses);
    expect(want.filter(Boolean).length).toBeGreaterThan(500);
    expect(want.filter((ok) => !ok).length).toBeGreaterThan(500);
    const got = awk(name, ["json.awk"], `print (json_parse(text) ? "true" : "false")`, inputs);
    expect(inputs.filter((_, i) => got[i] !== want[i])).toEqual([]);
  });

  test("decodes and encodes strings as JSON.parse and JSON.stringify do", () => {
    const strings = fc
      .sample(fc.string({ unit: "binary", maxLength: 30 }), { numRuns: 1500, seed: 9 })
      .filter((s) => s.isWellFormed() && !s.includes("\0"));
    const inputs = [
      ...strings.map((s) => JSON.stringify({ k: s })),
      ...strings.map(
        (s) =>
          `{"k":"${[...s].map((c) => [...c].flatMap((x) => Array.from({ length: x.length }, (_, i) => `\\u${x.charCodeAt(i).toString(16).padStart(4, "0")}`)).join("")).join("")}"}`,
      ),
      '{"k":"\\ud800x"}',
      '{"k":"\\ud800\\ud83d\\ude00"}',
      '{"k":"\\/\\b\\f"}',
    ];
    const got = awk(
      name,
      ["json.awk"],
      `json_parse(text); print json_quote(json_text(JV["k"]))`,
      inputs,
    );
    expect(got).toEqual(inputs.map((text) => (JSON.parse(text) as { k: string }).k.toWellFormed()));
  });

  test("lays one object over another as raw.ts does", () => {
    const object = fc.dictionary(
      fc.constantFrom("a", "b", "c.d", 'e"f', "ü", ""),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 5 },
    );
    const pairs = fc
      .sample(fc.tuple(object, object), { numRuns: 400, seed: 3 })
      .map(([a, b]) => [JSON.stringify(a, null, 1), JSON.stringify(b)] as const)
      .filter(([a, b]) => !(a + b).includes("\\u0000"));
    const got = awk(
      name,
      ["json.awk", "members.awk", "facts.awk", "verdict.awk"],
      `i = index(text, "\\002"); print json_quote(merged_input(substr(text, 1, i - 1), substr(text, i + 1)))`,
      pairs.map(([a, b]) => `${a}\u0002${b}`),
    );
    expect(got).toEqual(pairs.map(([a, b]) => mergeObjects(a, b)));
  });

  test("repairs what is not UTF-8 as TextDecoder does", () => {
    const bytes = fc
      .sample(fc.uint8Array({ min: 1, minLength: 1, maxLength: 12 }), { numRuns: 1500, seed: 5 })
      .map((b) => Buffer.from(b.map((x) => (x < 3 ? 65 : x))));
    const spots = [
      [0xe2, 0x82],
      [0xf0, 0x9f, 0x98],
      [0xed, 0xa0, 0x80],
      [0xc0, 0x80],
      [0xf5, 0x80],
      [0xe0, 0x80, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ].map((b) => Buffer.from(b));
    const all = [...bytes, ...spots];
    all.forEach((b, i) => writeFileSync(join(folder, `in.${i}`), b));
    const got = awk(
      name,
      ["json.awk"],
      `print json_quote(json_wellformed(whole("${folder}/raw." k)))`,
      all.map((b, i) => (writeFileSync(join(folder, `raw.${i}`), b), "")),
    );
    expect(got).toEqual(all.map((b) => b.toString("utf8")));
  });

  test("redacts what redact.ts redacts", () => {
    const inputs = [
      "plain text",
      "token=abcdef1234",
      "Authorization: Bearer abc.def-ghi",
      "sk-ant-REDACTED x",
      "sk-short",
      "ghp_0123456789abcdef",
      "AKIAIOSFODNN7EXAMPLE",
      "AIzaSyA1234567890",
      "eyJhbGciOi.eyJzdWIi.sflKxwRJ",
      "https://user:pa55@example.org/x",
      'password: "hunter2" ok',
      "API_KEY='x y'",
      "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
      "no secret here, key: value",
      "xoxb-123456789012",
      "my_token = 5",
      "curl --password hunter2 x",
      '{\\"password\\": \\"p\\"}',
    ];
    const got = awk(name, ["json.awk", "redact.awk"], "print json_quote(redact(text))", inputs);
    expect(got).toEqual(inputs.map(redact));
    expect(inputs.map(redact).filter((text, i) => text !== inputs[i])).toHaveLength(15);
  });
});

test("at least one awk was tried", () => expect(AWKS).toContain("mawk"));

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { accepts, parseAutomaton } from "../src/dispatch/automaton.ts";
import { automatonOf, compile, matches } from "./_regex.ts";

/** Searches over whole characters; V8's own search may start inside a surrogate pair. */
const oracleOf = (source: string, flags: string): RegExp =>
  new RegExp(`^[\\s\\S]*?(?:${source})`, `${flags}u`);

const INPUTS = [
  "",
  "a",
  "b",
  "ab",
  "aab",
  "aaxb",
  "abb",
  "ba b",
  "foo",
  "Foo",
  "foobar",
  "foo bar",
  "foo\nbar",
  "\n",
  "x\n",
  "\nx",
  "rm -rf /",
  "farm -rf /",
  "git push origin main --force",
  "git push\n--force",
  "é",
  "aé",
  "aéa",
  "日本",
  "😀",
  "a😀b",
  "{}",
  "a{2",
  "aa{,2}",
  "]",
  "a-b_c.d/e\\f",
  "0123",
  "\t\r\f\v\b\0",
  "\u00ff\u0100\ud7ff\ue000\uffff\u{10000}\u{10ffff}",
];

describe("agrees with RegExp", () => {
  const table: readonly (readonly [source: string, flags?: string])[] = [
    ["a"],
    ["^a"],
    ["a$"],
    ["^$"],
    ["^a*$"],
    ["^(a|b)+$"],
    ["(?:foo|bar)$"],
    ["(?<first>foo)(?:bar)?$"],
    ["^foo.bar$"],
    ["^foo.bar$", "s"],
    ["^bar$", "m"],
    ["foo$", "m"],
    ["^$", "m"],
    ["^x$"],
    ["\\brm\\b"],
    ["\\Brm"],
    ["\\B"],
    ["\\b"],
    ["^\\B"],
    ["o\\b"],
    ["\\bfoo\\b.*\\bbar\\b", "s"],
    ["push.*--force"],
    ["push.*--force", "s"],
    ["foo", "i"],
    ["[^f]oo", "i"],
    ["[a-f]{2}"],
    ["^[^a]$"],
    ["^..$"],
    ["^.$"],
    ["[é-本]"],
    ["[^\\x00-\\x7f]"],
    ["[\\u{10000}-\\u{10ffff}]"],
    ["\\ud83d\\ude00"],
    ["\\u00e9|\\x61b"],
    ["[\\d\\s_-]"],
    ["[\\w.]+\\/[^/]"],
    ["[\\]\\\\]"],
    ["[\\b]"],
    ["[a-]b"],
    ["\\d{4}"],
    ["^\\d{2,3}$"],
    ["^\\d{2,}$"],
    ["a{2}?b"],
    ["a*?b+?"],
    ["^(ab?){0,2}$"],
    ["^(a{1,2}b{0,2}){1,2}$"],
    ["a.{0,1}b$"],
    ["o.{2,}r$"],
    ["\\t\\r\\f\\v"],
    ["\\0"],
    ["\\.|\\/|\\{"],
    ["a^b"],
    ["(^)*a"],
    ["^(?:.|\\n){0,2}$"],
  ];
  test.each(table.map(([source, flags = ""]) => [source, flags] as const))(
    "%s %s",
    (source, flags) => {
      const automaton = parseAutomaton(automatonOf(source, flags));
      const oracle = oracleOf(source, flags);
      const answer = INPUTS.map((text) => accepts(automaton, Buffer.from(text)));
      expect(answer).toEqual(INPUTS.map((text) => oracle.test(text)));
    },
  );

  test.each([["a{"], ["a{2"], ["a{,2}"], ["a{x}"], ["{}"], ["]"], ["}"], ["a\\-b\\_c"], ["\\ "]])(
    "%s, where JavaScript needs the lenient mode",
    (source) => {
      const answer = INPUTS.map((text) => matches(source, "", text));
      expect(answer).toEqual(INPUTS.map((text) => new RegExp(source).test(text)));
    },
  );

  it("knows inline flags", () => {
    const answers = ["FOO\nbar", "foobar"].map((text) => matches("(?is)foo.bar", "", text));
    expect(answers).toEqual([true, false]);
    expect(automatonOf("(?i)foo")).toBe(automatonOf("foo", "i"));
  });

  it("folds the case of ASCII letters only", () => {
    const answers = ["é", "É", "K", "\u212a"].map((text) => matches("é|k", "i", text));
    expect(answers).toEqual([true, false, true, false]);
  });
});

/** Patterns that both sides read alike. No \r, U+2028 or exotic spaces: there we differ by design. */
const CHARS = ["a", "b", "A", "0", "_", "-", " ", "\n", "é", "日", "😀", "\u{10ffff}", "\ufffd"];
const { pattern } = fc.letrec<{ pattern: string; item: string; atom: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small" },
    fc.array(tie("item"), { minLength: 1, maxLength: 4 }).map((items) => items.join("")),
    fc.tuple(tie("item"), tie("pattern")).map(([a, b]) => `${a}|${b}`),
  ),
  item: fc.oneof(
    tie("atom"),
    fc
      .tuple(tie("atom"), fc.constantFrom("*", "+", "?", "*?", "{2}", "{1,3}", "{0,2}", "{2,}"))
      .map((parts) => parts.join("")),
    fc.constantFrom("^", "$", "\\b", "\\B"),
  ),
  atom: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(...CHARS, ".", "\\d", "\\w", "\\W", "\\s", "\\S", "\\u{1f600}", "\\.", "\\n"),
    fc
      .tuple(
        fc.constantFrom("", "^"),
        fc.array(fc.constantFrom(...CHARS.filter((c) => c !== "-"), "\\d", "\\W", "a-c", "à-本"), {
          minLength: 1,
          maxLength: 3,
        }),
      )
      .map(([not, members]) => `[${not}${members.join("")}]`),
    tie("pattern").map((inner) => `(${inner})`),
  ),
}));
const flags = fc.subarray(["i", "m", "s"]).map((list) => list.join(""));
const text = fc.array(fc.constantFrom(...CHARS), { maxLength: 8 }).map((list) => list.join(""));

describe("agrees with RegExp on random patterns", () => {
  type Made = ReturnType<typeof compile>;
  const isTooLarge = (made: Made): boolean =>
    "problem" in made && made.problem.message === "too large: simplify";
  const answers = (made: Made, inputs: readonly (string | Uint8Array)[]): readonly boolean[] => {
    if ("problem" in made) throw new Error(made.problem.message);
    const automaton = parseAutomaton(made.automaton);
    return inputs.map((input) => accepts(automaton, Buffer.from(input as string)));
  };

  it("and random text", () => {
    let compared = 0;
    const property = fc.property(
      pattern,
      flags,
      fc.array(text, { maxLength: 6 }),
      (p, f, texts) => {
        const made = compile(p, f);
        if (isTooLarge(made)) return;
        compared++;
        const oracle = oracleOf(p, f);
        expect(answers(made, texts)).toEqual(texts.map((t) => oracle.test(t)));
      },
    );
    fc.assert(property, { numRuns: 600 });
    expect(compared).toBeGreaterThan(500);
  }, 60_000);

  it("and bytes that are not UTF-8, read as their decoded text", () => {
    // Lead, continuation and impossible bytes, chosen so that no space or cased letter comes out.
    const bytes = fc.constantFrom(
      ...Buffer.from("616230200a808f909fa5bfc0c3dfe0e6edeff0f1f4f5ff", "hex"),
    );
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const input = fc.array(bytes, { maxLength: 8 }).map((list) => Uint8Array.from(list));
    const property = fc.property(pattern, fc.array(input, { maxLength: 8 }), (p, inputs) => {
      const made = compile(p);
      if (isTooLarge(made)) return;
      const oracle = oracleOf(p, "");
      const expected = inputs.map((bytes) => oracle.test(decoder.decode(bytes)));
      expect(answers(made, inputs)).toEqual(expected);
    });
    fc.assert(property, { numRuns: 600 });
  }, 60_000);
});

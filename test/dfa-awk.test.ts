import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { accepts, parseAutomaton } from "../src/dispatch/automaton.ts";
import { automatonOf } from "./_regex.ts";

const AWKS = [["mawk"], ["gawk"], ["busybox", "awk"], ["original-awk"], ["awk"]].filter(
  ([program, ...args]) => spawnSync(program!, [...args, "BEGIN { exit 0 }"]).status === 0,
);

const folder = mkdtempSync(join(tmpdir(), "dfa-awk-"));
afterAll(() => rmSync(folder, { recursive: true }));

const LIBRARY = join(import.meta.dirname, "..", "shell", "dfa.awk");
/** Reads each case's string from a file, since no argument can carry every byte. */
const DRIVER = join(folder, "driver.awk");
writeFileSync(
  DRIVER,
  `function text(file,    line, all, sep) {
     all = sep = ""
     while ((getline line < file) > 0) { all = all sep line; sep = "\\n" }
     close(file)
     return all
   }
   { print dfa_match($1, text($2)) }
`,
);

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Answers of one awk process to pairs of an automaton file and a string. */
function ask(awk: readonly string[], cases: readonly (readonly [string, Uint8Array])[]): number[] {
  const lines = cases.map(([file, text], i) => `${file} ${write(`text-${i}`, line(text))}`);
  const list = write("cases", `${lines.join("\n")}\n`);
  const [program, ...args] = [...awk, "-f", LIBRARY, "-f", DRIVER, list];
  const ran = spawnSync(program, args, { env: { ...process.env, LC_ALL: "C" }, encoding: "utf8" });
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  return ran.stdout.trim().split("\n").map(Number);
}

const line = (text: Uint8Array): Uint8Array => Buffer.concat([text, Buffer.from("\n")]);

const PATTERNS = [
  "push.*--force",
  "\\brm\\b\\s+-[a-z]*r",
  "^a(b|c)*$",
  "(?m)^b$",
  "(?s)a.b",
  "é|日本$",
  "^.$",
  "[^\\x00-\\x7f]{2}",
  "a\\tb|c\\\\d",
  "x\\ty\\\\z\\n",
  "z*",
  "a^",
  "\\B",
  "[&]",
  "%",
];
const TEXTS = [
  "",
  "a",
  "abcb",
  "git push origin --force",
  "rm -fr /",
  "farm -r",
  "a\nb",
  "b\nb\n\n",
  "é",
  "日本",
  "日本x",
  "a\tb",
  "c\\d",
  "x\ty\\z\n",
  "%s & \\1 \" ' $x",
  "\u0001\u007f",
].map((text) => Buffer.from(text));
const BROKEN = [[0xff], [0x61, 0xc3], [0xe6, 0x97], [0x80, 0x62], [0xf0, 0x9f, 0x98]];
const INPUTS = [...TEXTS, ...BROKEN.map((bytes) => Buffer.from(bytes))];
const LONG = Buffer.from(`${"a b".repeat(33_333)} git push x --force`);

it("finds an awk to test with", () => expect(AWKS).not.toEqual([]));

describe.each(AWKS.map((awk) => [awk.join(" "), awk] as const))("%s", (_, awk) => {
  it("answers as the walker in the dispatcher does", () => {
    const pairs = PATTERNS.flatMap((source, i) => {
      const text = automatonOf(source);
      const file = write(`dfa-${i}`, text);
      return [...INPUTS, LONG].map((input) => ({ source, file, text, input }));
    });
    const expected = pairs.map(({ text, input }) => Number(accepts(parseAutomaton(text), input)));
    const answers = ask(
      awk,
      pairs.map(({ file, input }) => [file, input]),
    );
    const wrong = pairs.filter((_, i) => answers[i] !== expected[i]);
    expect(wrong.map(({ source, input }) => [source, input.toString("latin1")])).toEqual([]);
    expect(new Set(answers)).toEqual(new Set([0, 1]));
  }, 60_000);

  it("answers alike on random bytes", () => {
    const bytes = fc.constantFrom(0x61, 0x62, 0x20, 0x0a, 0x80, 0xa9, 0xc3, 0xe6, 0x97, 0xa5, 0xff);
    const input = fc.array(bytes, { maxLength: 10 }).map((list) => Buffer.from(list));
    const texts = fc.sample(input, { numRuns: 200, seed: 7 });
    const source = "\\ba.[^é]|日(b|\\s)+$";
    const file = write("dfa-random", automatonOf(source));
    const automaton = parseAutomaton(automatonOf(source));
    const answers = ask(
      awk,
      texts.map((text) => [file, text]),
    );
    expect(answers).toEqual(texts.map((text) => Number(accepts(automaton, text))));
    expect(answers).toContain(1);
  });

  it("reads a file again only for its table", () => {
    const file = write("dfa-twice", automatonOf("ab+c$"));
    const texts = ["xx", "abbc", "xx", "abcd", "abc"].map((text) => Buffer.from(text));
    expect(
      ask(
        awk,
        texts.map((text) => [file, text]),
      ),
    ).toEqual([0, 1, 0, 0, 1]);
  });

  it("does not guess when the file is missing or damaged", () => {
    const whole = automatonOf("ab");
    const files = [
      join(folder, "missing"),
      write("dfa-empty", ""),
      write("dfa-other", "something else\n"),
      write("dfa-cut", whole.slice(0, -12)),
      write("dfa-short", whole.split("\n").slice(0, 3).join("\n")),
      write("dfa-whole", whole),
    ];
    const cases = [...files, ...files].map((file) => [file, Buffer.from("xab")] as const);
    expect(ask(awk, cases)).toEqual([-1, -1, -1, -1, -1, 1, -1, -1, -1, -1, -1, 1]);
  });
});

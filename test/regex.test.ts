import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { compileDfa } from "../src/compile/regex-dfa.ts";
import { parseGlob } from "../src/compile/regex-glob.ts";
import { parseRegex } from "../src/compile/regex-parse.ts";
import { accepts, parseAutomaton } from "../src/dispatch/automaton.ts";

const compile = (source: string, flags = "") => {
  const parsed = parseRegex(source, flags);
  return "problem" in parsed ? parsed : compileDfa(parsed.pattern);
};

const automatonOf = (source: string, flags = ""): string => {
  const made = compile(source, flags);
  if ("problem" in made) throw new Error(`${source}: ${made.problem.message}`);
  return made.automaton;
};

const problemOf = (source: string, flags = "") => {
  const made = compile(source, flags);
  return "problem" in made ? made.problem : undefined;
};

const matches = (source: string, flags: string, text: string | Uint8Array): boolean =>
  accepts(parseAutomaton(automatonOf(source, flags)), Buffer.from(text as string));

/** Searches over whole characters; V8's own search may start inside a surrogate pair. */
const oracleOf = (source: string, flags: string): RegExp =>
  new RegExp(`^[\\s\\S]*?(?:${source})`, `${flags}u`);

const INPUTS = [
  "",
  "a",
  "b",
  "ab",
  "aab",
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
  const table: readonly (readonly [string, string?])[] = [
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
    ["\\t\\r\\f\\v"],
    ["\\0"],
    ["\\.|\\/|\\{"],
    ["a^b"],
    ["(^)*a"],
    ["^(?:.|\\n){0,2}$"],
  ];
  test.each(table)("%s %s", (source, flags = "") => {
    const automaton = parseAutomaton(automatonOf(source, flags));
    const oracle = oracleOf(source, flags);
    const answer = INPUTS.map((text) => accepts(automaton, Buffer.from(text)));
    expect(answer).toEqual(INPUTS.map((text) => oracle.test(text)));
  });

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
    const property = fc.property(pattern, flags, fc.array(text, { maxLength: 6 }), (p, f, texts) => {
      const made = compile(p, f);
      if (isTooLarge(made)) return;
      compared++;
      const oracle = oracleOf(p, f);
      expect(answers(made, texts)).toEqual(texts.map((t) => oracle.test(t)));
    });
    fc.assert(property, { numRuns: 1000 });
    expect(compared).toBeGreaterThan(800);
  }, 60_000);

  it("and bytes that are not UTF-8, read as their decoded text", () => {
    // Lead, continuation and impossible bytes, chosen so that no space or cased letter comes out.
    const bytes = fc.constantFrom(
      ...[0x61, 0x62, 0x30, 0x20, 0x0a, 0x80, 0x8f, 0x90, 0x9f, 0xa5, 0xbf, 0xc0, 0xc3, 0xdf, 0xe0],
      ...[0xe6, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff],
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
    fc.assert(property, { numRuns: 1000 });
  }, 60_000);
});

describe("the automaton", () => {
  it("has a fixed text", () => {
    const classes = Array.from({ length: 256 }, (_, byte) => (byte === 0x61 ? "01" : "00")).join("");
    expect(automatonOf("a$")).toBe(`anyhook-dfa 1 2 2\na\n${classes}\n.00010002\nE00010002\n`);
    expect(automatonOf("a")).toBe(`anyhook-dfa 1 2 2\na\n${classes}\n.00010002\nA00020002\n`);
  });

  it("is the same for the same language", () => {
    expect(automatonOf("(a|b)+c")).toBe(automatonOf("[ab]*(?:a|b)c").replace("\n\n", "\nc\n"));
    expect(automatonOf("x*")).toBe(automatonOf("(y|z)?"));
  });

  it("says when nothing can match", () => {
    const dead = automatonOf("a^").split("\n");
    expect([dead[0], dead[3]]).toEqual(["anyhook-dfa 1 1 1", ".0000"]);
  });

  test.each([
    ["push.*--force", "--force"],
    ["git\\s+push", "push"],
    ["\\brm\\b -rf", "rm -rf"],
    ["(foo|bar)", ""],
    ["(foo|foo)x", "foox"],
    ["ab+c", "ab"],
    ["a{3}b", "aaab"],
    ["(abc)?d", "d"],
    ["a\\tb\\n\\r\\\\", "a\\tb\\n\\r\\\\"],
    ["a\\x01bcd\\x00", "bcd"],
    ["(?i)abc-1", "-1"],
    ["日本.é", "日本"],
    ["\\ufffdx", "x"],
  ])("names a text that every match of %s contains", (source, literal) => {
    expect(automatonOf(source).split("\n")[1]).toBe(literal);
  });

  it("is refused when it was damaged", () => {
    const whole = automatonOf("ab");
    expect(accepts(parseAutomaton(whole), Buffer.from("xab"))).toBe(true);
    for (const damaged of ["", whole.slice(0, -5), whole.replace("dfa 1", "dfa 2")])
      expect(() => parseAutomaton(damaged)).toThrow("not an automaton");
  });
});

describe("is bounded", () => {
  test.each([["(a+)+$"], ["(a|a)+$"], ["(a*)*b"], ["(.*)*=(.*)*$"]])(
    "%s reads 100 kB in one go",
    (source) => {
      const near = `${"a".repeat(100_000)}!\n`;
      expect(matches(source, "", near)).toBe(false);
      expect(matches(source, "", `${near}=a`)).toBe(source !== "(a*)*b");
    },
  );

  test.each([
    ["(a|b)*a(a|b){30}$"],
    ["a.{30}b"],
    [".{1000}"],
    ["a{1001}"],
    ["a{0,1001}"],
    ["a{99999999999999999999}"],
    ["((a{1000}){1000}){1000}"],
    ["(((\\b){1000}){1000}){1000}"],
    [`${"(".repeat(5000)}a${")".repeat(5000)}`],
    [Array.from({ length: 110 }, (_, i) => `\\x${(i + 16).toString(16)}x{${i}}y`).join("|")],
  ])("%s is too large", (source) => {
    expect(problemOf(source)?.message).toBe("too large: simplify");
  });

  test.each([["rm.{0,80}foo"], ["(a|b)*a(a|b){30}"], ["(-[a-z]{1,3} ){0,20}x"], ["a{1000}"]])(
    "%s only looks large",
    (source) => {
      const texts = [`rm${"y".repeat(80)}foo`, `rm${"y".repeat(81)}foo`, "ab".repeat(16), "a", "-r -f x"];
      texts.push("a".repeat(1000), "a".repeat(999), `${"-a ".repeat(20)}x`);
      const oracle = texts.map((t) => new RegExp(source).test(t));
      expect(oracle).toContain(true);
      expect(texts.map((t) => matches(source, "", t))).toEqual(oracle);
    },
  );
});

describe("says what it cannot do", () => {
  test.each([
    ["(a)\\1", "backreferences are not supported", 3],
    ["(?<x>a)\\k<x>", "backreferences are not supported", 7],
    ["a(?=b)", "lookaround is not supported", 1],
    ["(?!a)", "lookaround is not supported", 0],
    ["(?<=a)b", "lookaround is not supported", 0],
    ["(?<!a)b", "lookaround is not supported", 0],
    ["(?>a)", "atomic groups are not supported", 0],
    ["a++", "possessive repeats are not supported", 2],
    ["a{2}+", "possessive repeats are not supported", 4],
    ["(?P<n>a)", "this way to name a group is not supported", 0],
    ["a(?i)b", "flags belong at the very start", 1],
    ["(?i:a)", "flags belong at the very start", 0],
    ["(?x)a", 'unknown flag "x"', 0],
    ["(?#a)", "unknown kind of group", 0],
    ["\\q", "unknown escape \\q", 0],
    ["a\\é", "unknown escape \\é", 1],
    ["\\pL", "unknown escape \\p", 0],
    ["\\Aa", "unknown escape \\A", 0],
    ["\\01", "octal escapes are not supported", 0],
    ["\\x1", "incomplete character escape", 0],
    ["\\u{}", "incomplete character escape", 0],
    ["\\u{110000}", "no such character", 0],
    ["\\ud800", "half of a surrogate pair never occurs in text", 0],
    ["a\ud800", "half of a surrogate pair never occurs in text", 1],
    ["a\\", "a backslash at the end escapes nothing", 1],
    ["(a", "a ( that is never closed", 0],
    ["a)", "a ) without its (", 1],
    ["[a", "a class that is never closed", 0],
    ["[a-", "a class that is never closed", 0],
    ["[]", "an empty class", 0],
    ["[^]", "an empty class", 0],
    ["[b-a]", "a range that runs backwards", 1],
    ["[\\d-z]", "a range needs a character on both sides", 1],
    ["[[:alpha:]]", "POSIX classes are not supported", 1],
    ["[\\B]", "\\B has no meaning in a class", 1],
    ["a{2,1}", "{2,1} counts backwards", 1],
    ["*a", "nothing to repeat", 0],
    ["a**", "nothing to repeat", 2],
    ["{2}", "nothing to repeat", 0],
    ["^*", "nothing to repeat", 0],
    ["\\b+", "nothing to repeat", 0],
    ["", "nothing here to match", 0],
    ["a|", "nothing here to match", 2],
    ["a||b", "nothing here to match", 2],
    ["(|a)", "nothing here to match", 1],
    ["()", "nothing here to match", 1],
  ])("%s", (source, message, at) => {
    expect(problemOf(source)).toEqual({ message, at, hint: expect.stringMatching(/\S/) });
  });

  it("knows no other flag", () => {
    expect(problemOf("a", "g")?.message).toBe('unknown flag "g"');
    expect(problemOf("a", "ims")).toBeUndefined();
  });
});

describe("globs", () => {
  const globMatches = (glob: string, value: string): boolean => {
    const parsed = parseGlob(glob);
    const made = "problem" in parsed ? parsed : compileDfa(parsed.pattern);
    if ("problem" in made) throw new Error(made.problem.message);
    return accepts(parseAutomaton(made.automaton), Buffer.from(value));
  };
  const table: readonly (readonly [glob: string, yes: readonly string[], no: readonly string[]])[] = [
    ["*.ts", ["a.ts", ".ts", ".x.ts"], ["a/b.ts", "a.tsx", "xa.ts/"]],
    ["**/*.ts", ["a.ts", "a/b.ts", "/a/b/c.ts"], ["a.js", "a.ts/b"]],
    ["src/**", ["src/a", "src/a/b", "src/a\nb"], ["src", "xsrc/a"]],
    ["src/**/x", ["src/x", "src/a/x", "src/a/b/x"], ["src/ax", "srcx"]],
    ["a**b", ["ab", "a/b", "axxb"], ["ab/"]],
    ["a?c", ["abc", "a😀c"], ["ac", "a/c"]],
    ["[a-c]x", ["ax"], ["dx", "-x"]],
    ["[!a]x", ["bx", "!x"], ["ax", "/x"]],
    ["[^a]x", ["bx"], ["ax", "/x"]],
    ["*.{ts,js{,x}}", ["a.ts", "a.js", "a.jsx"], ["a.tsx", "a."]],
    ["{**/,}a", ["a", "x/a"], ["xa"]],
    ["a{**/b,c}", ["ac", "ax/b", "a/b"], ["ab"]],
    ["\\*\\{", ["*{"], ["a{"]],
    ["a.b(1)|^$", ["a.b(1)|^$"], ["axb(1)|^$"]],
    ["mcp__*", ["mcp__a__b"], ["xmcp__a"]],
  ];
  test.each(table)("%s", (glob, yes, no) => {
    expect(yes.filter((value) => !globMatches(glob, value))).toEqual([]);
    expect(no.filter((value) => globMatches(glob, value))).toEqual([]);
  });

  test.each([
    ["", "an empty glob"],
    ["!a", "a glob cannot be negated"],
    ["+(a)", "extended globs are not supported"],
    ["{a", "a { that is never closed"],
    ["{a}", "braces with one alternative"],
    ["a}", "a } without its {"],
    ["[a", "a class that is never closed"],
    ["a\\", "a backslash at the end escapes nothing"],
    ["{a,".repeat(50), "too large: simplify"],
  ])("%s is refused", (glob, message) => {
    expect(parseGlob(glob)).toMatchObject({ problem: { message } });
  });
});

import { describe, expect, it, test } from "vitest";
import { compileDfa } from "../src/compile/regex-dfa.ts";
import { parseGlob } from "../src/compile/regex-glob.ts";
import { accepts, parseAutomaton } from "../src/dispatch/automaton.ts";
import { automatonOf, matches, problemOf } from "./_regex.ts";

describe("the automaton", () => {
  it("has a fixed text", () => {
    const classes = Array.from({ length: 256 }, (_, byte) => (byte === 0x61 ? "01" : "00")).join(
      "",
    );
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
  ])("%s is too large", (source) => {
    expect(problemOf(source)?.message).toBe("too large: simplify");
  });

  it("refuses to tell more than 99 kinds of bytes apart", () => {
    const bytes = (count: number): string =>
      Array.from({ length: count }, (_, i) => `^\\x${(i + 16).toString(16)}{3}x{${i % 10}}y`).join(
        "|",
      );
    expect(problemOf(bytes(98))).toMatchObject({
      message: "too large: simplify",
      hint: "the pattern tells too many characters apart",
    });
    expect(problemOf(bytes(80))).toBeUndefined();
  });

  test.each([["rm.{0,80}foo"], ["(a|b)*a(a|b){30}"], ["(-[a-z]{1,3} ){0,20}x"], ["a{1000}"]])(
    "%s only looks large",
    (source) => {
      const texts = [
        `rm${"y".repeat(80)}foo`,
        `rm${"y".repeat(81)}foo`,
        "ab".repeat(16),
        "a",
        "-r -f x",
      ];
      texts.push(`rm${"y".repeat(9)}rm${"y".repeat(75)}foo`, `rm${"y".repeat(81)}rmfo`);
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
  const table: readonly (readonly [glob: string, yes: readonly string[], no: readonly string[]])[] =
    [
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

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPlaceholder, PLACEHOLDERS } from "../src/dispatch/placeholders.ts";
import {
  dispatch,
  makeProject,
  NODE_LANE,
  REPO,
  shellLanes,
  type Lane,
  type Project,
} from "./_dispatch.ts";

/** One file per place in which a placeholder can stand; each must hold the value and nothing else. */
const PLACES: Readonly<Record<string, string>> = {
  word: `printf %s {prompt} >$O/word`,
  double: `printf %s "{prompt}" >$O/double`,
  single: `printf %s '{prompt}' >$O/single`,
  glued: `printf %s "<"{prompt}'>' >$O/glued`,
  assigned: `x={prompt}; printf %s "$x" >$O/assigned`,
  substituted: `printf %s "$(printf %s. {prompt})" >$O/substituted`,
  backquoted: "printf %s \"`printf %s. '{prompt}'`\" >$O/backquoted",
  document: `cat <<END >$O/document\n{prompt}\nEND`,
  loop: `for x in {prompt}; do printf %s "$x"; done >$O/loop`,
  choice: `case {prompt} in '') : >$O/choice;; *) printf %s {prompt} >$O/choice;; esac`,
};

const EXPECTED: Readonly<Record<string, (value: string) => string>> = {
  glued: (value) => `<${value}>`,
  substituted: (value) => `${value}.`,
  backquoted: (value) => `${value}.`,
  document: (value) => `${value}\n`,
  words: (value) => `${value}|a${value}b|`,
};

const indent = (text: string): string => text.replaceAll("\n", "\n      ");

const HOOKS = `hooks:
${Object.entries(PLACES)
  .map(([name, command]) => {
    return `  - name: ${name}\n    events: UserPromptSubmit\n    command: |\n      O=out; ${indent(command)}\n`;
  })
  .join("")}
  - name: words
    events: UserPromptSubmit
    command: [sh, -c, 'printf "%s|" "$@" >out/words', sh, "{prompt}", "a{prompt}b"]
`;

/** The lanes that differ in how they quote; the awks are compared by the conformance cases. */
const LANES: Lane[] = [...shellLanes().filter((lane) => !lane.awk), NODE_LANE];

const NASTY = [
  "$(touch pwned)",
  "`touch pwned`",
  "'; touch pwned; '",
  '"; touch pwned; "',
  "'\"'\"'$(touch pwned)",
  "\\'; touch pwned #",
  "\n touch pwned\n",
  "END\ntouch pwned\ncat <<END\n",
  "--help",
  "-rf",
  "-n",
  "*",
  "[a-z]?",
  "~",
  "$HOME ${HOME} $1 $@ $$",
  "  spaces before and after  ",
  "\ttab\r\n",
  "{prompt} {file}",
  "%s %n \\n \\0",
  "!! !x ^a^b",
  "a=b;c&d|e>f<g(h)i{j}k",
  "é😀\u2028\u0085",
  "\u0001\u0007\u001b[31m\u007f",
];

let p: Project;
let made: ReturnType<Project["cli"]>;
beforeAll(() => {
  p = makeProject({ ".anyhook/hooks.yaml": HOOKS, "out/.keep": "" });
  made = p.cli("materialize", "--quiet");
});
afterAll(() => p.remove());

test("the hooks are well written", () => {
  expect({ status: made.status, said: made.stderr }).toEqual({ status: 0, said: "" });
});

function outputs(lane: Lane, prompt: string): Record<string, string> {
  for (const name of readdirSync(join(p.root, "out"))) rmSync(join(p.root, "out", name));
  const payload = JSON.stringify({ session_id: "s", cwd: p.root, prompt });
  const { status } = dispatch(p, lane, "claude-code", "UserPromptSubmit", payload);
  expect(status).toBe(0);
  expect(existsSync(join(p.root, "pwned")), `${lane.name}: ${JSON.stringify(prompt)}`).toBe(false);
  return Object.fromEntries(
    readdirSync(join(p.root, "out")).map((name) => [
      name,
      readFileSync(join(p.root, "out", name), "utf8"),
    ]),
  );
}

const wanted = (value: string): Record<string, string> =>
  Object.fromEntries(
    [...Object.keys(PLACES), "words"].map((name) => [
      name,
      (EXPECTED[name] ?? ((v: string) => v))(value),
    ]),
  );

describe.each(LANES)("whatever the payload holds is data, in the $name lane", (lane) => {
  test.each(NASTY)("%j", (value) => {
    expect(outputs(lane, value)).toEqual(wanted(value));
  });

  test("any text", () => {
    const text = fc.string({ unit: "binary", maxLength: 30 }).map((s) => s.replaceAll("\0", ""));
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.array(fc.constantFrom(...NASTY)).map((a) => a.join("")),
        ),
        (value) => {
          expect(outputs(lane, value)).toEqual(wanted(value));
        },
      ),
      { numRuns: lane.node ? 8 : 15 },
    );
  });

  test("100 kB, and a longer one is cut between two characters; a NUL is dropped", () => {
    const long = `'${"é😀$(touch pwned)".repeat(10_000)}`;
    const given = outputs(lane, long)["single"]!;
    expect(Buffer.byteLength(given)).toBeGreaterThan(99_990);
    expect(Buffer.byteLength(given)).toBeLessThanOrEqual(100_000);
    expect(long.startsWith(given)).toBe(true);
    // awk cannot hold one: Node reads such a payload.
    expect(outputs({ ...lane, real: true }, "a\0b")).toEqual(wanted("ab"));
  });
});

test("${file} in an argument list stays the shell's", () => {
  const q = makeProject({
    ".anyhook/hooks.yaml": `hooks:\n  - {name: a, events: UserPromptSubmit, command: [sh, -c, "prompt=mine; printf %s $\{prompt} >out"]}\n`,
  });
  try {
    for (const lane of [LANES[0]!, NODE_LANE]) {
      const payload = JSON.stringify({ session_id: "s", cwd: q.root, prompt: "(touch pwned)" });
      dispatch(q, { ...lane, real: true }, "claude-code", "UserPromptSubmit", payload);
      expect(readFileSync(join(q.root, "out"), "utf8")).toBe("mine");
      expect(existsSync(join(q.root, "pwned"))).toBe(false);
    }
  } finally {
    q.remove();
  }
});

test("shell and program know the same names", () => {
  const awk = readFileSync(join(REPO, "shell/placeholders.awk"), "utf8");
  expect(/index\(" (file [a-z_ ]+) "/.exec(awk)?.[1]?.split(" ")).toEqual(PLACEHOLDERS);
});

test("braces that are not ours stay as they are", () => {
  const others = ["print", "a,b", "1..3", "upstream", "a.", ".a", "a..b", "Names", "", "tool name"];
  expect(others.filter(isPlaceholder)).toEqual([]);
  expect(["prompt", "cwd", "session_id", "tool_input.a", "a.b-c.0"].every(isPlaceholder)).toBe(
    true,
  );
});

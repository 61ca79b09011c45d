import { describe, expect, it, test } from "vitest";
import type { DraftCondition } from "../src/compile/_definition.ts";
import { parseConditions, parseExpression, parseSubject } from "../src/compile/matcher.ts";
import { compileDfa } from "../src/compile/regex-dfa.ts";
import { parseGlob } from "../src/compile/regex-glob.ts";
import { parseRegex } from "../src/compile/regex-parse.ts";

const eq = (path: string, ...values: string[]): DraftCondition => ({ path, op: "eq", values });

type Parsed = ReturnType<typeof parseRegex>;
const made = (path: string, text: string, parsed: Parsed): DraftCondition => {
  const dfa = "problem" in parsed ? parsed : compileDfa(parsed.pattern);
  if ("problem" in dfa) throw new Error(dfa.problem.message);
  return { path, op: "re", text, automaton: dfa.automaton };
};
const re = (path: string, source: string, text = source, flags = ""): DraftCondition =>
  made(path, text, parseRegex(source, flags));
const glob = (path: string, text: string): DraftCondition =>
  made(path, text, parseGlob(text.replace("glob:", "")));

const fine = (...conditions: DraftCondition[]) => ({ conditions, problems: [] });
const COMMAND = "tool_input.command";

describe("expression", () => {
  test.each([
    [
      'tool_name = "Bash" and tool_input.command ~ "push.*--force"',
      [eq("tool_name", "Bash"), re(COMMAND, "push.*--force")],
    ],
    ["tool_name=Bash&&source=startup", [eq("tool_name", "Bash"), eq("source", "startup")]],
    [
      "tool_name = Edit|Write AND cwd = '/x y'",
      [eq("tool_name", "Edit", "Write"), eq("cwd", "/x y")],
    ],
    ['tool_name = "Edit | Write"', [eq("tool_name", "Edit", "Write")]],
    ['prompt = ""', [eq("prompt", "")]],
    ['prompt = "say \\"hi\\" \\n"', [eq("prompt", 'say "hi" \\n')]],
    ['tool_input.command ~ "\\brm\\b"', [re(COMMAND, "\\brm\\b")]],
    ["tool_input.command ~ 'a\"\\\\'", [re(COMMAND, 'a"\\\\')]],
    ["tool_input.command ~ push.*(-f|--force)$", [re(COMMAND, "push.*(-f|--force)$")]],
    ["tool_input.command ~ --to=main", [re(COMMAND, "--to=main")]],
    ["tool_input.command ~ /rm/i", [re(COMMAND, "rm", "/rm/i", "i")]],
    ['tool_input.command ~ "/etc/"', [re(COMMAND, "/etc/")]],
    ['tool_input.command = "/rm -rf/is"', [re(COMMAND, "rm -rf", "/rm -rf/is", "is")]],
    ["cwd = /home/me", [eq("cwd", "/home/me")]],
    ["cwd = /home/", [re("cwd", "home", "/home/")]],
    ["paths = glob:src/**/*.{ts,js}", [glob("paths", "glob:src/**/*.{ts,js}")]],
    ["  tool_input.a-b.0.c = x  ", [eq("tool_input.a-b.0.c", "x")]],
  ])("%s", (text, conditions) => {
    expect(parseExpression(text)).toEqual(fine(...conditions));
  });

  test.each([
    ["", 1, "a field is missing here"],
    ["tool_name", 10, "an operator is missing here"],
    ['"Bash"', 1, "a field is missing here"],
    ["tool_name =", 12, "a value is missing here"],
    ["tool_name = and cwd = /x", 13, "a value is missing here"],
    ["tool_name = Bash or cwd = /x", 18, '"or" is not supported'],
    ["tool_name = Bash || cwd = /x", 18, '"||" is not supported'],
    ["tool_name = Bash and", 21, "a field is missing here"],
    ["tool_name = Bash and or", 22, "a field is missing here"],
    ["tool_name != Bash", 11, 'unknown operator "!="'],
    ["tool_name == Bash", 11, 'unknown operator "=="'],
    ["tool_name =~ Bash", 11, 'unknown operator "=~"'],
    ["tool_name: Bash", 10, 'unknown operator ":"'],
    ["tool_name contains Bash", 11, 'unknown operator "contains"'],
    ["not tool_name = Bash", 1, "negation is not supported"],
    ["(tool_name = Bash)", 1, "parentheses are not supported"],
    ["tool_name = Bash Edit", 18, '"Edit" was not expected here'],
    ["tool_name = Bash, cwd = /x", 13, '"Bash," is more than a word'],
    ["tool_name = Bash,cwd=/x", 13, '"Bash,cwd=/x" is more than a word'],
    ['tool_name = "Bash', 13, "a quote that is never closed"],
    ['tool_name = "Bash"x', 19, "something follows the value without a space"],
    ['prompt ~ "a" "b"', 14, '""" was not expected here'],
    ["tool_name = Bash & cwd = /x", 18, '"&" was not expected here'],
    ["tool_name = A||B", 13, 'tool_name: an empty alternative in "A||B"'],
    ["tool_input..x = a", 1, '"tool_input..x" is not a path into the payload'],
    ["cwd = /home/me/s", 7, 'cwd: "/home/me/s" may be a file path or a regex'],
    ["cwd ~ /home/me/s", 7, 'cwd: "/home/me/s" may be a file path or a regex'],
    ["cwd = /home/g", 7, 'cwd: unknown flag "g" (at character 1 of "home")'],
    ["cwd ~ glob:*", 7, "cwd: a glob after ~"],
    ["cwd = glob:{a", 7, 'cwd: a { that is never closed (at character 1 of "{a")'],
    ['prompt ~ ""', 10, 'prompt: nothing here to match (at character 1 of "")'],
    [
      'prompt ~ "(a)\\1"',
      10,
      'prompt: backreferences are not supported (at character 4 of "(a)\\1")',
    ],
    ['prompt ~ "a.{30}b"', 10, 'prompt: too large: simplify (at character 1 of "a.{30}b")'],
  ])("%s is an error", (text, column, message) => {
    const hint = expect.stringMatching(/\S/) as string;
    const problems = [{ severity: "error", message, hint, column }];
    expect(parseExpression(text)).toEqual({ conditions: undefined, problems });
  });

  it("says every bad value, and warns beside", () => {
    const { conditions, problems } = parseExpression(
      'tool_nam = "Bash" and cwd ~ "(" and prompt ~ "["',
    );
    expect(conditions).toBeUndefined();
    expect(problems.map(({ severity, column }) => [severity, column])).toEqual([
      ["warning", 1],
      ["error", 29],
      ["error", 46],
    ]);
  });
});

describe("object", () => {
  it("takes every form of value", () => {
    const record = {
      tool_name: "Edit|Write",
      "tool_input.command": "~ push.*",
      "tool_input.file_path": "glob:**/*.ts",
      prompt: "/todo/i",
      source: ["a|b", "~c"],
      "tool_input.count": 3,
      stop_hook_active: false,
    };
    expect(parseConditions(record)).toEqual(
      fine(
        eq("tool_name", "Edit", "Write"),
        re(COMMAND, "push.*", "~ push.*"),
        glob("tool_input.file_path", "glob:**/*.ts"),
        re("prompt", "todo", "/todo/i", "i"),
        eq("source", "a|b", "~c"),
        eq("tool_input.count", "3"),
        eq("stop_hook_active", "false"),
      ),
    );
    expect(parseConditions({})).toEqual(fine());
  });

  test.each([
    [{ cwd: null }, "cwd: null cannot be compared"],
    [{ tool_input: { command: "x" } }, "tool_input: a value of type object cannot be compared"],
    [{ cwd: [] }, "cwd: an empty list matches nothing"],
    [{ cwd: ["a", null] }, "cwd: a list may hold texts only"],
    [{ cwd: "~" }, 'cwd: nothing here to match (at character 1 of "")'],
    [{ cwd: "~\\q" }, 'cwd: unknown escape \\q (at character 1 of "\\q")'],
    [{ cwd: "glob:" }, 'cwd: an empty glob (at character 1 of "")'],
    [{ "": "a" }, '"" is not a path into the payload'],
    [{ "tool input": "a" }, '"tool input" is not a path into the payload'],
  ])("%j is an error", (record, message) => {
    const hint = expect.stringMatching(/\S/) as string;
    const problems = [{ severity: "error", message, hint }];
    expect(parseConditions(record)).toEqual({ conditions: undefined, problems });
  });
});

describe("warnings keep the conditions", () => {
  const warning = (message: string, hint: string) => [{ severity: "warning", message, hint }];

  it("for an unknown field", () => {
    const text = 'tool_nam: no event is known to have a field "tool_nam"';
    expect(parseConditions({ tool_nam: "Bash" })).toEqual({
      conditions: [eq("tool_nam", "Bash")],
      problems: warning(text, 'did you mean "tool_name"?'),
    });
    const [far] = parseConditions({ "zzzzzz.x": "a" }).problems;
    expect(far?.hint).toMatch(/^known fields: tool_name, /);
  });

  test.each([
    ["bash", "Bash"],
    ["Raed", "Read"],
    ["websearch", "WebSearch"],
  ])("for the tool %s", (name, near) => {
    expect(parseConditions({ tool_name: `Edit|${name}` })).toEqual({
      conditions: [eq("tool_name", "Edit", name)],
      problems: warning(`tool_name: no tool is called "${name}"`, `did you mean "${near}"?`),
    });
    expect(parseConditions({ "tool_input.name": name }).problems).toEqual([]);
  });

  test.each([
    ["run_shell_command|apply_patch|exec_command|view_image|spawn_agent"],
    ["Task|MultiEdit|NotebookEdit|mcp__edit__it|Bash|Agent|WebFetch"],
  ])("but not for tools that exist: %s", (names) => {
    expect(parseConditions({ tool_name: names })).toEqual(
      fine(eq("tool_name", ...names.split("|"))),
    );
  });

  it("for a star in an exact value", () => {
    expect(parseConditions({ tool_name: "mcp__*" })).toEqual({
      conditions: [eq("tool_name", "mcp__*")],
      problems: warning(
        'tool_name: "mcp__*" is compared as it stands, star included',
        "write glob:mcp__* or a regex",
      ),
    });
  });

  it("for a pattern that can never match", () => {
    expect(parseConditions({ prompt: "~a^b" })).toEqual({
      conditions: [re("prompt", "a^b", "~a^b")],
      problems: warning('prompt: "~a^b" can never match', "check the ^, $ and \\b in it"),
    });
  });
});

describe("subject", () => {
  test.each([
    ["PreToolUse", undefined, []],
    ["PreToolUse", "", []],
    ["Stop", "*", []],
    ["PreToolUse", "Bash", [eq("tool_name", "Bash")]],
    ["PostToolUse", "Edit| Write", [eq("tool_name", "Edit", "Write")]],
    ["PreToolUse", "Edit, mcp__a-b", [eq("tool_name", "Edit", "mcp__a-b")]],
    ["PreToolUse", "mcp__.*", [re("tool_name", "mcp__.*")]],
    ["PreToolUse", "^Edit$", [re("tool_name", "^Edit$")]],
    ["SessionStart", "startup|resume", [eq("source", "startup", "resume")]],
    ["Notification", "idle_prompt", [eq("notification_type", "idle_prompt")]],
    ["PreCompact", "auto", [eq("trigger", "auto")]],
  ] as const)("%s %s", (event, text, conditions) => {
    expect(parseSubject(event, text)).toEqual(fine(...conditions));
  });

  test.each([["Bash||Edit"], ["|"], [" "], ["Bash,"], ["(Bash"], ["Bash(?!x)"]])(
    "%s is an error",
    (text) => {
      const { conditions, problems } = parseSubject("PreToolUse", text);
      expect([conditions, problems.map(({ severity }) => severity)]).toEqual([
        undefined,
        ["error"],
      ]);
    },
  );

  it("is ignored where there is nothing to compare", () => {
    expect(parseSubject("Stop", "Bash")).toEqual({
      conditions: [],
      problems: [
        {
          severity: "warning",
          message: '"Bash" is ignored: at Stop every harness runs all hooks, whatever the matcher',
          hint: "leave the matcher out",
        },
      ],
    });
  });

  it("warns about a near miss", () => {
    expect(parseSubject("PreToolUse", "bash").problems).toMatchObject([{ severity: "warning" }]);
  });
});

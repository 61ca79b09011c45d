import { describe, expect, test } from "vitest";
import { defineHook, deny, HookExecutor, type HookExecutorOptions } from "../../src/index.ts";
import { bash, makeExecutor, makeFolder } from "./_folder.ts";

const build = (options: unknown) => () => new HookExecutor(options as HookExecutorOptions);

describe("a mistake in the program is an error at once", () => {
  test.each<[object, string]>([
    [{ timeout: "1s" }, 'timeout: "1s" is not a number of milliseconds'],
    [{ timeout: -1 }, "timeout: -1 is not a number of milliseconds"],
    [{ timeout: NaN }, "timeout: NaN is not a number of milliseconds"],
    [{ budget: 0 }, "budget: 0 is not a number of milliseconds"],
    [{ budget: 3e9 }, "budget: 3000000000 is not a number of milliseconds"],
    [
      { chain: "first_block" },
      'chain: "first_block" is not a choice here: did you mean "first-block"?',
    ],
    [{ chain: { PreToolUse: "all" } }, 'chain: PreToolUse: "all" is not a choice here'],
    [{ permission: "befor" }, 'permission: "befor" is not a choice here: did you mean "before"?'],
    [{ contextLimit: -1 }, "contextLimit: -1 is not a whole number above 0"],
    [{ onwarning: () => {} }, 'HookExecutor has no option "onwarning": did you mean "onWarning"?'],
    [{ permit: "deny" }, 'permit: "deny" is not a function'],
    [
      { harness: "cladue-code" },
      'harness: there is no harness "cladue-code": did you mean "claude-code"?',
    ],
    [{ tools: { run: 5 } }, 'tools: run: write "Bash" or'],
    [{ env: { A: 5 } }, "env: A: 5 is not a text"],
    [{ blocking: "PreToolUse" }, 'blocking: "PreToolUse" is not a list of events'],
    [{ blocking: [5] }, "an event has a name, and 5 is none"],
    [{ cwd: "/no/such/folder" }, "cwd: there is no folder /no/such/folder"],
    [{ hooks: {} }, "hooks: {} is not a list of hooks"],
    [{ hooks: undefined, hooksFile: "" }, 'hooksFile: "" is not the path of a file'],
    [{ hooks: undefined, project: "/no/such" }, "project: there is no folder /no/such"],
  ])("%o", (options, message) => {
    expect(build({ hooks: [], ...options })).toThrow(TypeError);
    expect(build({ hooks: [], ...options })).toThrow(message);
  });

  test("no options at all", () => {
    expect(build(undefined)).toThrow("HookExecutor needs options: { hooks: [ … ] }");
  });

  test("what is right is taken: a name of one's own, all options undefined", async () => {
    const none = { timeout: undefined, chain: undefined, permit: undefined, cwd: undefined };
    const executor = makeExecutor({ hooks: [], harness: "my-agent", ...(none as object) });
    expect((await executor.execute("Stop")).blocked).toBe(false);
  });

  test.each<[unknown[], string]>([
    [[undefined], "an event has a name, and undefined is none"],
    [["Stop", "text"], 'the payload must be an object, not "text"'],
    [["Stop", null], "the payload must be an object, not null"],
    [["Stop", []], "the payload must be an object, not []"],
    [["Stop", { a: 1n }], "the payload cannot be written as JSON"],
    [["Stop", {}, { chain: "x" }], 'chain: "x" is not a choice here'],
    [["Stop", {}, { sinal: 1 }], 'execute has no option "sinal": did you mean "signal"?'],
    [["Stop", {}, { signal: 1 }], "signal: 1 is not an AbortSignal"],
  ])("execute(%o)", async (call, message) => {
    const executor = makeExecutor({ hooks: [] });
    const execute = executor.execute.bind(executor) as (...args: unknown[]) => Promise<unknown>;
    await expect(execute(...call)).rejects.toThrow(message);
  });
});

describe("what no file could say is never left out of a hook without a word", () => {
  const self: Record<string, unknown> = {};
  self["tool_name"] = self;

  test.each<[object, string]>([
    [{ matcher: () => false }, "matcher: a function is no value of a hook"],
    [{ matcher: null }, "matcher: null is no value of a hook"],
    [{ matcher: { tool_name: undefined } }, "matcher.tool_name: undefined is no value of a hook"],
    [{ matcher: { tool_name: () => "x" } }, "matcher.tool_name: a function is no value of a hook"],
    [{ matcher: new Map([["tool_name", "Bash"]]) }, "matcher: a Map is no value of a hook"],
    [{ matcher: self }, "so deep an object is no value of a hook"],
    [{ timeout: NaN }, "timeout: NaN is no value of a hook"],
    [{ timeout: Infinity }, "timeout: Infinity is no value of a hook"],
    [{ order: NaN }, "order: NaN is no value of a hook"],
    [{ run: 5 }, "run: number is not a function"],
    [{ command: "true" }, "says run and command, but a hook runs one thing"],
  ])("%o", async (fields, message) => {
    const hook = { name: "x", event: "PreToolUse", run: () => deny("ran"), ...fields };
    const executor = makeExecutor({ hooks: [hook as never] });
    const problems = await executor.check();
    expect(problems.map((one) => one.message).join("\n")).toContain(message);
    expect(await executor.execute("PreToolUse", bash("ls"))).toMatchObject({
      blocked: false,
      outcomes: [],
      problems,
    });
  });

  test("a regular expression, and fields that are undefined, are fine", async () => {
    const hook = { event: "PreToolUse", matcher: { tool_name: /^B/ }, timeout: undefined };
    const executor = makeExecutor({ hooks: [{ ...hook, run: () => deny("ran") } as never] });
    expect(await executor.check()).toEqual([]);
    expect((await executor.execute("PreToolUse", bash("ls"))).blocked).toBe(true);
  });
});

test.each(["undefined", "() => 1", "null", "new Map()"])(
  "nor out of a module in a file: matcher: %s",
  async (value) => {
    const folder = makeFolder();
    const inside = value === "null" ? "null" : `{ tool_name: ${value} }`;
    const module = folder.write(
      "m.mjs",
      `export default { event: "PreToolUse", matcher: ${inside}, run: () => "ran" };`,
    );
    const executor = makeExecutor({ hooks: [{ module }] });
    expect(await executor.check()).not.toEqual([]);
    expect((await executor.execute("PreToolUse", bash("ls"))).outcomes).toEqual([]);
    folder.write("m.mjs", 'export default { event: "PreToolUse", run: () => "ran" };');
    expect((await executor.execute("PreToolUse", bash("ls"))).outcomes).toHaveLength(1);
  },
);

test("a hooks file that is a folder is told what it must be", async () => {
  const { root } = makeFolder();
  const executor = makeExecutor({ hooksFile: root });
  expect(await executor.check()).toMatchObject([
    { message: "is not a regular file", hint: "put a plain file in its place" },
  ]);
});

test("a result says what is wrong with the hooks", async () => {
  const { root } = makeFolder();
  const missing = makeExecutor({ hooksFile: `${root}/none.yaml` });
  expect((await missing.execute("Stop")).problems).toMatchObject([{ code: "missing-file" }]);
  const good = makeExecutor({ hooks: [defineHook({ event: "Stop", run() {} })] });
  expect((await good.execute("Stop")).problems).toEqual([]);
});

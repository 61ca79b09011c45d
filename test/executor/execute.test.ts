import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVENT_NAMES, resolveEvent } from "../../src/events.ts";
import {
  allow,
  ask,
  context,
  defineHook,
  deny,
  HookEvents,
  HookExecutor,
  rewrite,
  type EventName,
  type HookObject,
} from "../../src/index.ts";
import { bash, makeExecutor, makeFolder } from "./_folder.ts";

const command = (name: string, line: string, more: object = {}): HookObject => ({
  name,
  events: ["PRE_TOOL_USE"],
  command: line,
  ...more,
});

const pass = {
  verdict: "pass",
  reason: "",
  context: "",
  input: "",
  notice: "",
  clampedFrom: "",
  unenforced: "",
} as const;

describe("events", () => {
  test("the six lifecycle events and all others go by UPPER_SNAKE, with text values", () => {
    const six = "SESSION_START SESSION_END PRE_COMPACT POST_COMPACT PRE_TOOL_USE POST_TOOL_USE";
    expect(Object.keys(HookEvents)).toEqual(expect.arrayContaining(six.split(" ")));
    expect(Object.values(HookEvents).toSorted()).toEqual(EVENT_NAMES.toSorted());
    for (const [name, value] of Object.entries(HookEvents)) expect(resolveEvent(name)).toBe(value);
  });

  test("every spelling reaches the same hooks", async () => {
    const executor = makeExecutor({ hooks: [command("no", "exit 2", { block: true })] });
    for (const name of ["PRE_TOOL_USE", "PreToolUse", "pre-tool-use", "BeforeTool"] as const)
      expect(await executor.execute(name, bash("ls"))).toMatchObject({
        event: "PreToolUse",
        blocked: true,
      });
    expect(await executor.execute("POST_TOOL_USE", bash("ls"))).toMatchObject({ outcomes: [] });
  });

  test("an unknown event is refused, with a suggestion", async () => {
    const executor = makeExecutor({ hooks: [] });
    await expect(executor.execute("PRE_TOL_USE" as EventName)).rejects.toThrow(
      'there is no event "PRE_TOL_USE": did you mean "PreToolUse"?',
    );
    expect(() => new HookExecutor({ hooks: [], blocking: ["PreTool" as EventName] })).toThrow(
      "no event",
    );
  });
});

describe("the result", () => {
  test("no block: blocked is false and the reason is empty", async () => {
    const executor = makeExecutor({ hooks: [command("fine", "true", { block: true })] });
    expect(await executor.execute("PreToolUse", bash("ls"))).toEqual({
      event: "PreToolUse",
      blocked: false,
      reason: "",
      decision: pass,
      outcomes: [
        {
          name: "fine",
          status: "ok",
          exit: 0,
          verdict: "pass",
          reason: "",
          note: "",
          ms: expect.any(Number) as number,
        },
      ],
      context: "",
      input: undefined,
      warnings: "",
      problems: [],
      permission: undefined,
    });
  });

  test("a block says why", async () => {
    const executor = makeExecutor({
      hooks: [command("guard", "echo not here >&2; exit 2", { block: true })],
    });
    expect(await executor.execute("PreToolUse", bash("rm"))).toMatchObject({
      blocked: true,
      reason: "not here",
      decision: { verdict: "deny" },
      outcomes: [{ name: "guard", exit: 2, verdict: "deny" }],
    });
  });

  test("an ask is no block, and its reason is in the decision", async () => {
    const executor = makeExecutor({
      hooks: [defineHook({ name: "q", event: "PreToolUse", run: () => ask("sure?") })],
    });
    expect(await executor.execute("PreToolUse", bash("ls"))).toMatchObject({
      blocked: false,
      reason: "",
      decision: { verdict: "ask", reason: "sure?" },
    });
  });

  test("hooks of every kind in one chain: order, rewrites and context", async () => {
    const folder = makeFolder({
      "add.mjs":
        'export default { run: (e) => ({ rewrite: { command: e.tool_input.command + " module" } }) };\n',
      "script.sh":
        '#!/bin/sh\n. "$ANYHOOK_LIB"\nprintf \'{"rewrite":{"command":"%s script"}}\' "$(hook_field tool_input.command)"\n',
    });
    const executor = makeExecutor({
      cwd: folder.root,
      hooks: [
        command("c", "printf 'saw %s' {tool_input.command}", { order: 4 }),
        defineHook({
          name: "a",
          event: "PreToolUse",
          order: 1,
          run: (event) => rewrite({ command: `${String(event.tool_input?.["command"])} function` }),
        }),
        { name: "b", events: "PreToolUse", module: "add.mjs", order: 2 },
        { name: "s", events: "PreToolUse", script: "script.sh", order: 3 },
      ],
    });
    const result = await executor.execute("PreToolUse", bash("ls"));
    expect(executor.warnings).toEqual([]);
    expect(result.outcomes.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "a ok",
      "b ok",
      "s ok",
      "c ok",
    ]);
    expect(result.input).toEqual({ command: "ls function module script" });
    expect(result.context).toContain("saw ls function module script");
  });

  test("the output of a tool can be rewritten after it ran", async () => {
    const hook = defineHook({
      name: "r",
      event: "PostToolUse",
      run: () => rewrite({ text: "[hidden]" }),
    });
    const executor = makeExecutor({ hooks: [hook] });
    const payload = { ...bash("env"), tool_response: { text: "secret", code: 0 } };
    expect((await executor.execute("PostToolUse", payload)).input).toEqual({
      text: "[hidden]",
      code: 0,
    });
  });

  test("a payload that is no JSON is the caller's mistake", async () => {
    const executor = makeExecutor({ hooks: [] });
    await expect(executor.execute("Stop", { n: 1n })).rejects.toThrow(TypeError);
    for (const payload of [null, "text", ["list"]])
      await expect(executor.execute("Stop", payload as object)).rejects.toThrow(
        "must be an object",
      );
    await expect(executor.execute("Stop")).resolves.toMatchObject({ blocked: false });
  });

  test("what a program does with its list of hooks afterwards changes nothing", async () => {
    const guard = (name: string) =>
      defineHook({ name, event: "PreToolUse", block: true, run: () => deny(`by ${name}`) });
    const hooks = [guard("a"), guard("b")];
    const executor = makeExecutor({ hooks });
    hooks.splice(0, 1);
    const { reason, outcomes } = await executor.execute("PreToolUse", bash("ls"));
    expect(outcomes.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(reason.split("\n").filter((line) => line !== "")).toEqual(["by a", "by b"]);
  });

  test("a builder that was not called is a failure, not a yes", async () => {
    const executor = makeExecutor({
      hooks: [
        defineHook({ name: "slip", event: "PreToolUse", block: true, run: () => deny as never }),
      ],
    });
    const { outcomes, warnings } = await executor.execute("PreToolUse", bash("ls"));
    expect(outcomes).toMatchObject([{ name: "slip", status: "failed" }]);
    expect(warnings).toContain("returned a function: return an answer, a text or nothing");
  });
});

describe("who may block", () => {
  const two = [
    command("first", "echo one >&2; exit 2", { block: true }),
    command("second", "echo two >&2; exit 2", { block: true }),
  ];

  test("run-all joins the reasons in order", async () => {
    const executor = makeExecutor({ hooks: two });
    expect(await executor.execute("PreToolUse", bash("ls"))).toMatchObject({ reason: "one\ntwo" });
  });

  test("chain: first-block, for the executor, for one event, or for one call", async () => {
    const skipped = {
      blocked: true,
      reason: "one",
      outcomes: [
        { name: "first", status: "ok" },
        { name: "second", status: "skipped", note: "an earlier hook blocked" },
      ],
    };
    const always = makeExecutor({ hooks: two, chain: "first-block" });
    expect(await always.execute("PreToolUse", bash("ls"))).toMatchObject(skipped);
    const byEvent = makeExecutor({ hooks: two, chain: { PRE_TOOL_USE: "first-block" } });
    expect(await byEvent.execute("PreToolUse", bash("ls"))).toMatchObject(skipped);
    const once = makeExecutor({ hooks: two });
    const call = { chain: "first-block" } as const;
    expect(await once.execute("PreToolUse", bash("ls"), call)).toMatchObject(skipped);
    expect((await once.execute("PreToolUse", bash("ls"))).reason).toBe("one\ntwo");
  });

  test("both keys must turn: the hook's and the event's", async () => {
    const hooks = [
      command("shy", "exit 2", { events: ["PreToolUse", "PostToolUse"] }),
      command("late", "exit 2", { block: true, events: ["PostToolUse"] }),
    ];
    const executor = makeExecutor({ hooks });
    const before = await executor.execute("PreToolUse", bash("ls"));
    expect(before).toMatchObject({ blocked: false, reason: "" });
    expect(before.outcomes).toMatchObject([{ note: "block refused: block is not set" }]);
    const after = await executor.execute("PostToolUse", bash("ls"));
    expect(after).toMatchObject({ blocked: false, reason: "" });
    expect(after.outcomes).toMatchObject([
      { name: "shy", note: "block refused: PostToolUse cannot be blocked" },
      { name: "late", note: "block refused: PostToolUse cannot be blocked" },
    ]);
  });

  test("blocking: [PRE_TOOL_USE] keeps every other event from being blocked", async () => {
    const hooks = [
      command("g", "exit 2", { block: true, events: ["PreToolUse", "UserPromptSubmit"] }),
    ];
    const free = makeExecutor({ hooks });
    const bound = makeExecutor({ hooks, blocking: ["PRE_TOOL_USE"] });
    const prompt = { prompt: "hello" };
    expect(await free.execute("UserPromptSubmit", prompt)).toMatchObject({ blocked: true });
    const refused = await bound.execute("UserPromptSubmit", prompt);
    expect(refused).toMatchObject({ blocked: false, reason: "" });
    expect(refused.warnings).toContain("the blocking setting does not list UserPromptSubmit");
    expect(await bound.execute("PreToolUse", bash("ls"))).toMatchObject({ blocked: true });
  });

  test("can_block: a failing command blocks only where it is set to, and never after the tool", async () => {
    const failing = (more: object): HookObject => ({
      ...command("check", "echo unhappy; exit 1", more),
      events: ["PreToolUse", "PostToolUse"],
    });
    const open = makeExecutor({ hooks: [failing({})] });
    expect(await open.execute("PreToolUse", bash("ls"))).toMatchObject({
      blocked: false,
      reason: "",
      outcomes: [{ status: "failed", exit: 1 }],
    });
    const closed = makeExecutor({ hooks: [failing({ on_failure: "block" })] });
    const blocked = await closed.execute("PreToolUse", bash("ls"));
    expect(blocked.blocked).toBe(true);
    expect(blocked.reason).toContain("Hook check failed (exit 1): unhappy");
    expect(await closed.execute("PostToolUse", bash("ls"))).toMatchObject({
      blocked: false,
      reason: "",
      outcomes: [{ status: "failed", exit: 1 }],
    });
  });

  test("a Stop hook holds the agent back once per reason", async () => {
    const executor = makeExecutor({
      hooks: [{ name: "tests", events: "Stop", block: true, command: "echo run them >&2; exit 2" }],
    });
    const first = await executor.execute("Stop", { session_id: "s" });
    const again = await executor.execute("Stop", { session_id: "s", stop_hook_active: true });
    expect([first.blocked, again.blocked]).toEqual([true, false]);
    expect(again.decision.unenforced).toBe("already held back once for this reason");
  });
});

describe("running", () => {
  test("a command gets the payload on stdin; its output is captured; 30 s are a setting", async () => {
    const folder = makeFolder();
    const executor = makeExecutor({
      cwd: folder.root,
      timeout: 30_000,
      hooks: [
        command("look", "cat >payload; pwd; echo aside >&2"),
        command("slow", "sleep 60", { timeout: 200 }),
      ],
    });
    const result = await executor.execute("PreToolUse", bash("ls"));
    expect(JSON.parse(readFileSync(join(folder.root, "payload"), "utf8"))).toEqual({
      session_id: "s1",
      hook_event_name: "PreToolUse",
      cwd: folder.root,
      tool_name: "Bash",
      tool_input: { command: "ls" },
    });
    expect(result.context).toContain(folder.root);
    expect(result.warnings).toContain("aside");
    expect(result.outcomes).toMatchObject([
      { name: "look", status: "ok" },
      { name: "slow", status: "timeout", exit: null, note: "no answer within 200 ms" },
    ]);
  });

  test("a hook that names no timeout gets the executor's", async () => {
    const executor = makeExecutor({
      timeout: 150,
      hooks: [
        command("c", "sleep 60"),
        defineHook({ name: "f", event: "PreToolUse", run: () => new Promise(() => {}) }),
      ],
    });
    expect((await executor.execute("PreToolUse", bash("ls"))).outcomes).toMatchObject([
      { status: "timeout", note: "no answer within 150 ms" },
      { status: "timeout", note: "no answer within 150 ms" },
    ]);
  });

  test("the budget of an event ends what is over it", async () => {
    const executor = makeExecutor({
      budget: 300,
      hooks: [
        command("a", "sleep 60"),
        command("b", "true"),
        { ...command("guard", "true"), block: true, on_failure: "block" },
      ],
    });
    const { blocked, reason, warnings, outcomes } = await executor.execute(
      "PreToolUse",
      bash("ls"),
    );
    expect(outcomes).toMatchObject([
      { status: "timeout" },
      { status: "timeout", note: "no time left for this event" },
      { status: "timeout", note: "no time left for this event", verdict: "deny" },
    ]);
    expect({ blocked, reason }).toEqual({
      blocked: true,
      reason: "Hook guard failed (no time left for this event). It is set to block when it fails.",
    });
    expect(warnings).toContain("Hook b failed: no time left for this event (");
  });

  test("a function that throws harms nobody, and cannot change what others see", async () => {
    const executor = makeExecutor({
      hooks: [
        defineHook({
          name: "vandal",
          event: "PreToolUse",
          run: (event) => {
            (event.tool_input as Record<string, unknown>)["command"] = "rm -rf /";
            throw new Error("oh");
          },
        }),
        defineHook({
          name: "witness",
          event: "PreToolUse",
          run: (event) => context(`it is ${String(event.tool_input?.["command"])}`),
        }),
      ],
    });
    const result = await executor.execute("PreToolUse", bash("ls"));
    expect(result.outcomes).toMatchObject([
      { name: "vandal", status: "failed", note: "Error: oh" },
      { name: "witness", status: "ok" },
    ]);
    expect(result.context).toContain("it is ls");
  });

  test("once is once per session", async () => {
    let calls = 0;
    const run = (): void => void calls++;
    const hook = defineHook({ name: "o", event: "SessionStart", once: true, run });
    const executor = makeExecutor({ hooks: [hook] });
    for (const session_id of ["a", "a", "b"])
      await executor.execute("SessionStart", { session_id });
    expect(calls).toBe(2);
  });

  test("the program's own tools answer to canonical names, paths included", async () => {
    const executor = makeExecutor({
      cwd: "/",
      tools: { runCommand: "Bash", saveFile: { name: "Write", paths: ["target"] } },
      hooks: [
        defineHook({
          name: "env",
          event: "PreToolUse",
          matcher: { tool_name: "Write", paths: "glob:**/.env" },
          run: (event) => deny(`${event.tool_name} ${event.paths.join()}`),
        }),
      ],
    });
    const call = { tool_name: "saveFile", tool_input: { target: "app/.env" }, cwd: "/src" };
    expect((await executor.execute("PreToolUse", call)).reason).toBe("Write /src/app/.env");
    const other = { ...call, tool_name: "runCommand" };
    expect((await executor.execute("PreToolUse", other)).blocked).toBe(false);
  });

  test("four async hooks run at once, and the others in their turn", async () => {
    let [running, most, ran] = [0, 0, 0];
    const run = async (): Promise<undefined> => {
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, 20));
      running--;
      ran++;
    };
    const executor = makeExecutor({
      hooks: [defineHook({ name: "audit", event: "Stop", async: true, run })],
    });
    for (let i = 0; i < 12; i++) await executor.execute("Stop", { session_id: `s${i}` });
    await executor.close();
    expect({ most, ran }).toEqual({ most: 4, ran: 12 });
  });

  test("an async hook decides nothing, is not waited for, and is told about when it ends", async () => {
    const ended: string[] = [];
    const executor = makeExecutor({
      onAsync: ({ name, status, verdict }) => ended.push(`${name} ${status} ${verdict}`),
      hooks: [command("audit", "sleep 0.3; exit 2", { async: true })],
    });
    const result = await executor.execute("PreToolUse", bash("ls"));
    expect(result).toMatchObject({ blocked: false, outcomes: [{ status: "async" }] });
    expect(ended).toEqual([]);
    await executor.close();
    expect(ended).toEqual(["audit ok deny"]);
    await expect(executor.execute("Stop")).rejects.toThrow("closed");
  });
});

describe("hooks inside hooks", () => {
  /** Each hook asks the executor about the next call, as an agent inside a hook would. */
  function nest(reentrant: boolean): { executor: HookExecutor; depths: number[] } {
    const depths: number[] = [];
    const executor: HookExecutor = makeExecutor({
      hooks: [
        defineHook({
          name: "n",
          event: "PreToolUse",
          reentrant,
          async run() {
            const at = depths.push(0);
            await new Promise((resolve) => setTimeout(resolve, 1));
            const { outcomes } = await executor.execute("PreToolUse", bash("inner"));
            depths[at - 1] = outcomes.filter(({ status }) => status === "skipped").length;
          },
        }),
      ],
    });
    return { executor, depths };
  }

  test("inside a hook only reentrant hooks run, and from depth 3 none", async () => {
    const once = nest(false);
    await once.executor.execute("PreToolUse", bash("outer"));
    expect(once.depths).toEqual([1]);
    const thrice = nest(true);
    await thrice.executor.execute("PreToolUse", bash("outer"));
    expect(thrice.depths).toEqual([0, 0, 1]);
    expect((await thrice.executor.execute("PreToolUse", bash("outer"))).outcomes).toMatchObject([
      { status: "ok" },
    ]);
  });

  test("the depth goes through processes, in both directions", async () => {
    const told = makeExecutor({ hooks: [command("d", 'echo "depth $ANYHOOK_DEPTH"')] });
    expect((await told.execute("PreToolUse", bash("ls"))).context).toContain("depth 1");
    const inside = makeExecutor({
      env: { ...process.env, ANYHOOK_DEPTH: "1" },
      hooks: [command("d", "true")],
    });
    expect((await inside.execute("PreToolUse", bash("ls"))).outcomes).toMatchObject([
      { status: "skipped", note: "inside another hook" },
    ]);
  });
});

describe("mistakes", () => {
  test("one bad hook is named and does not disable the others", async () => {
    const executor = makeExecutor({
      hooks: [
        { name: "typo", events: "PreToolUse", comand: "true" } as HookObject,
        defineHook({ name: "good", event: "PreToolUse", run: () => allow() }),
      ],
    });
    expect((await executor.execute("PreToolUse", bash("ls"))).outcomes).toMatchObject([
      { name: "good" },
    ]);
    expect(executor.warnings).toHaveLength(1);
    expect(executor.warnings[0]!.message).toContain('did you mean "command"?');
    expect((await executor.check()).map(({ code }) => code)).toContain("unknown-field");
  });

  test("settings are those of a settings.json, and a slip in them is the program's", async () => {
    const hooks = [command("talk", "printf 1234567890")];
    const settings = { context_limit: 4, chain: "first-block" };
    const result = await makeExecutor({ hooks, settings }).execute("PreToolUse", bash("ls"));
    expect(result.context).toContain("1234\n[cut by anyhook: the limit is 4 characters");
    const slip = makeExecutor({ hooks, settings: { chian: "first-block" } });
    await expect(slip.execute("PreToolUse", bash("ls"))).rejects.toThrow('did you mean "chain"?');
  });

  test("the source of hooks is exactly one", () => {
    expect(() => new HookExecutor({})).toThrow("one of hooksFile, hooks and project");
    expect(() => new HookExecutor({ hooks: [], hooksFile: "x" })).toThrow("one of hooksFile");
  });
});

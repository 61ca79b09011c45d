import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { context, defineHook, deny, type HookOutcome, replaceOutput } from "../../src/index.ts";
import { bash, makeExecutor, makeFolder } from "./_folder.ts";

const forever = (): Promise<never> => new Promise(() => {});

describe("a call that is aborted", () => {
  test("rejects with the reason, ends a command and all it started, and starts nothing more", async () => {
    const { root } = makeFolder();
    const executor = makeExecutor({
      cwd: root,
      hooks: [
        { events: "PreToolUse", command: "touch began; sleep 30; touch ended", timeout: 60_000 },
        { events: "PreToolUse", command: "touch next", order: 5 },
      ],
    });
    const control = new AbortController();
    const call = executor.execute("PreToolUse", bash("ls"), { signal: control.signal });
    await vi.waitUntil(() => existsSync(join(root, "began")), { timeout: 30_000 });
    const reason = new Error("Ctrl-C");
    control.abort(reason);
    await expect(call).rejects.toBe(reason);
    // Waits for the call to wind down: half a minute, were the command not ended.
    const began = Date.now();
    await executor.close();
    expect(Date.now() - began).toBeLessThan(15_000);
    expect(["ended", "next"].filter((name) => existsSync(join(root, name)))).toEqual([]);
  });

  test("tells run and permit, by their signal", async () => {
    const seen: string[] = [];
    let control = new AbortController();
    const noted = (name: string, signal: AbortSignal): Promise<never> => {
      signal.addEventListener("abort", () => seen.push(name));
      control.abort(new Error("enough"));
      return forever();
    };
    const run = makeExecutor({
      hooks: [defineHook({ event: "PreToolUse", run: (_, { signal }) => noted("run", signal) })],
    });
    const permit = makeExecutor({ hooks: [], permit: (_, { signal }) => noted("permit", signal) });
    for (const executor of [run, permit]) {
      control = new AbortController();
      const { signal } = control;
      const call = executor.execute("PreToolUse", bash("ls"), { signal });
      await expect(call).rejects.toThrow("enough");
    }
    expect(seen).toEqual(["run", "permit"]);
  });

  test("ends a module in its thread", async () => {
    const folder = makeFolder();
    const began = join(folder.root, "began");
    const module = folder.write(
      "m.mjs",
      `import { writeFileSync } from "node:fs";
       export default { event: "PreToolUse", timeout: 60000, run() { writeFileSync(${JSON.stringify(began)}, ""); for (;;); } };`,
    );
    const executor = makeExecutor({ hooks: [{ module }] });
    const control = new AbortController();
    const call = executor.execute("PreToolUse", bash("ls"), { signal: control.signal });
    await vi.waitUntil(() => existsSync(began), { timeout: 30_000 });
    control.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await executor.close();
  });

  test("a signal that has been aborted before: nothing runs", async () => {
    const run = vi.fn<() => void>();
    const executor = makeExecutor({ hooks: [defineHook({ event: "Stop", run })] });
    const call = executor.execute("Stop", {}, { signal: AbortSignal.abort(new Error("before")) });
    await expect(call).rejects.toThrow("before");
    expect(run).not.toHaveBeenCalled();
    expect((await executor.execute("Stop")).outcomes).toHaveLength(1);
    expect(run).toHaveBeenCalledOnce();
  });
});

test("the signal of run tells that its time is up", async () => {
  let told = false;
  const hook = defineHook({
    event: "Stop",
    timeout: 100,
    run(_, { signal }) {
      signal.addEventListener("abort", () => (told = true));
      return forever();
    },
  });
  const executor = makeExecutor({ hooks: [hook] });
  expect((await executor.execute("Stop")).outcomes).toMatchObject([{ status: "timeout" }]);
  expect(told).toBe(true);
});

test("a permission check that never answers denies when the budget is used up", async () => {
  const executor = makeExecutor({ budget: 200, hooks: [], permit: forever });
  expect(await executor.execute("PreToolUse", bash("ls"))).toMatchObject({
    blocked: true,
    reason: "The permission check failed: Error: no answer within 200 ms.",
  });
});

test("close waits for the calls under way, and blames nobody", async () => {
  const folder = makeFolder();
  const module = folder.write(
    "m.mjs",
    `export default { name: "m", event: "PreToolUse", on_failure: "block", async run() { await new Promise((done) => setTimeout(done, 300)); return "done"; } };`,
  );
  const executor = makeExecutor({ hooks: [{ module }] });
  const call = executor.execute("PreToolUse", bash("ls"));
  await executor.close();
  expect(await call).toMatchObject({ blocked: false, outcomes: [{ status: "ok" }] });
  await expect(executor.execute("Stop")).rejects.toThrow("has been closed");
});

test("a hook may close the executor that it runs in", async () => {
  const executor = makeExecutor({
    hooks: [
      defineHook({
        event: "Stop",
        async run() {
          await executor.close();
          return deny("closed");
        },
      }),
    ],
  });
  expect((await executor.execute("Stop")).reason).toBe("closed");
});

test("an aborted call is no failure of the hooks that it ended", async () => {
  const hook = defineHook({ name: "h", event: "PostToolUse", run: () => forever() });
  const executor = makeExecutor({ hooks: [hook], settings: { failure_budget: 1 } });
  for (let i = 0; i < 2; i++) {
    const control = new AbortController();
    const call = executor.execute("PostToolUse", bash("ls"), { signal: control.signal });
    await pause(50);
    control.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  }
  const late = makeExecutor({ hooks: [hook], settings: { failure_budget: 1 }, timeout: 50 });
  const status = async (): Promise<string | undefined> =>
    (await late.execute("PostToolUse", bash("ls"))).outcomes[0]?.status;
  expect([await status(), await status()]).toEqual(["timeout", "skipped"]);
  // Not suspended: it runs, and so the call can be aborted once more.
  const call = executor.execute("PostToolUse", bash("ls"), { signal: AbortSignal.timeout(300) });
  await expect(call).rejects.toThrow("aborted due to timeout");
});

describe("the limit on Stop hooks", () => {
  const always = defineHook({ event: "Stop", run: () => deny("same") });

  test("counts by itself, per session and turn", async () => {
    const executor = makeExecutor({ hooks: [always] });
    const stop = async (session_id: string, more: object = {}): Promise<boolean> =>
      (await executor.execute("Stop", { session_id, ...more })).blocked;
    expect([await stop("a"), await stop("a"), await stop("b")]).toEqual([true, false, true]);
    // It did stop: this is another turn.
    expect(await stop("a")).toBe(true);
    await executor.execute("UserPromptSubmit", { session_id: "b", prompt: "go on" });
    expect(await stop("b")).toBe(true);
    // What the program says counts.
    expect(await stop("b", { stop_hook_active: false })).toBe(true);
    expect(await stop("b", { stop_hook_active: true })).toBe(false);
  });

  test("an agent that is held back for ever new reasons gets away after eight", async () => {
    let n = 0;
    const executor = makeExecutor({
      hooks: [defineHook({ event: "Stop", run: () => deny(`reason ${n++}`) })],
    });
    const held: boolean[] = [];
    for (let i = 0; i < 9; i++) held.push((await executor.execute("Stop")).blocked);
    expect(held).toEqual([...Array<boolean>(8).fill(true), false]);
  });

  test("hooks see whether one holds the agent back", async () => {
    const seen: unknown[] = [];
    const executor = makeExecutor({
      hooks: [
        defineHook({
          event: "Stop",
          run(event) {
            seen.push(event.stop_hook_active);
            return event.stop_hook_active ? undefined : deny("once more");
          },
        }),
      ],
    });
    await executor.execute("Stop");
    await executor.execute("Stop");
    expect(seen).toEqual([false, true]);
  });
});

test("two calls are two occurrences, unless the program says that they are one", async () => {
  const ids: string[] = [];
  const executor = makeExecutor({
    hooks: [
      defineHook({
        events: ["PreToolUse", "Stop"],
        run(event) {
          ids.push(event.id);
        },
      }),
      { events: "Stop", command: "printf %s $ANYHOOK_EVENT_ID" },
    ],
    permit: ({ id }) => {
      ids.push(id);
      return "allow";
    },
  });
  for (const payload of [bash("ls"), bash("ls"), { ...bash("ls"), tool_use_id: "t1" }])
    await executor.execute("PreToolUse", payload);
  await executor.execute("Stop", { session_id: "s1" });
  await executor.execute("Stop", { session_id: "s1" });
  // The hook and the permission check of one call agree.
  expect(new Set(ids).size).toBe(5);
  expect(ids.filter((id) => id === "s1:PreToolUse:t1")).toHaveLength(2);
  expect(ids.filter((id) => id.startsWith("s1:Stop:"))).toHaveLength(2);
});

describe("callbacks", () => {
  const warned = async (work: () => Promise<unknown>): Promise<string[]> => {
    const seen: string[] = [];
    const note = (warning: Error): void => void seen.push(`${warning.name}: ${warning.message}`);
    process.on("warning", note);
    try {
      await work();
      await vi.waitUntil(() => seen.length > 0, { timeout: 30_000 });
    } finally {
      process.off("warning", note);
    }
    return seen;
  };
  const failing = defineHook({
    name: "f",
    event: "Stop",
    async: true,
    run() {
      throw new Error("oh");
    },
  });

  test("an async hook that fails is heard without onAsync", async () => {
    const executor = makeExecutor({ hooks: [failing] });
    expect(await warned(() => executor.execute("Stop"))).toEqual([
      "AnyhookWarning: async hook f failed: Error: oh",
    ]);
  });

  test("what a callback throws is a warning and loses nothing", async () => {
    const onAsync = (): never => {
      throw new Error("mine");
    };
    const executor = makeExecutor({ hooks: [failing], onAsync });
    expect(await warned(() => executor.execute("Stop"))).toEqual([
      "AnyhookWarning: onAsync threw: Error: mine",
    ]);
    const bad = makeExecutor({
      hooks: [{ events: "Stop" } as never, defineHook({ event: "Stop", run: () => deny("no") })],
      onWarning: onAsync,
    });
    expect(
      await warned(async () => expect((await bad.execute("Stop")).blocked).toBe(true)),
    ).toEqual(["AnyhookWarning: onWarning threw: Error: mine"]);
  });

  test("an async hook cannot decide, and that is what is said", async () => {
    const outcomes: HookOutcome[] = [];
    const executor = makeExecutor({
      hooks: [defineHook({ event: "Stop", async: true, block: true, run: () => deny("no") })],
      onAsync: (one) => outcomes.push(one),
    });
    expect((await executor.execute("Stop")).blocked).toBe(false);
    await executor.close();
    expect(outcomes).toMatchObject([{ status: "ok", note: "an async hook cannot decide" }]);
  });

  test("an async hook begins after the call that it comes from", async () => {
    const order: string[] = [];
    const outcomes: HookOutcome[] = [];
    const executor = makeExecutor({
      hooks: [
        defineHook({ event: "Stop", async: true, run: () => void order.push("async") }),
        defineHook({ event: "Stop", order: 5, run: () => void order.push("waited for") }),
      ],
      onAsync: (one) => outcomes.push(one),
    });
    await executor.execute("Stop");
    order.push("answered");
    await executor.close();
    expect(order).toEqual(["waited for", "answered", "async"]);
    expect(outcomes).toMatchObject([{ status: "ok" }]);
  });
});

describe("modules keep their state", () => {
  const counter = `let n = 0; export default { name: "m", event: "Stop", run: () => "n" + ++n };`;

  test("of a file that was written just before, and when the hooks file gets a comment", async () => {
    const folder = makeFolder();
    folder.write("m.mjs", counter);
    const hooksFile = folder.write(
      "hooks.yaml",
      "hooks:\n  - module: m.mjs\n    event: SessionStart\n",
    );
    const executor = makeExecutor({ hooksFile });
    const said = async (): Promise<string> =>
      /n\d+/.exec((await executor.execute("SessionStart")).context)?.[0] ?? "";
    expect([await said(), await said(), await said()]).toEqual(["n1", "n2", "n3"]);
    folder.write("hooks.yaml", "# more\nhooks:\n  - module: m.mjs\n    event: SessionStart\n");
    await pause(60);
    expect(await said()).toBe("n4");
    folder.write("m.mjs", `${counter}// another`.replace('"n" +', '"n1" +'));
    await pause(60);
    expect(await said()).toBe("n11");
  });

  test("one that never ends to load holds a call no longer than the budget", async () => {
    const folder = makeFolder();
    const module = folder.write("m.mjs", "for (;;);");
    const executor = makeExecutor({ budget: 400, hooks: [{ module, event: "Stop" }] });
    const [problem] = await executor.check();
    expect(problem?.message).toContain("it did not finish loading within 0.4 s");
  });
});

test("a hook has no folder of its own where there is no store, unless the program says one", async () => {
  const hook = { events: "SessionStart" as const, command: "echo state=$ANYHOOK_STATE." };
  const { ANYHOOK_STATE: _, ...env } = process.env;
  const none = makeExecutor({ env, hooks: [hook] });
  expect((await none.execute("SessionStart")).context).toContain("state=.");
  const own = makeExecutor({ env: { ...env, ANYHOOK_STATE: "/my/own" }, hooks: [hook] });
  expect((await own.execute("SessionStart")).context).toContain("state=/my/own.");
});

test("a text that a tool said is replaced as a whole", async () => {
  const executor = makeExecutor({
    hooks: [defineHook({ event: "PostToolUse", run: () => replaceOutput("redacted") })],
  });
  const payload = { ...bash("ls"), tool_response: "secret" };
  expect((await executor.execute("PostToolUse", payload)).input).toBe("redacted");
});

test("an answer of the wrong shape has failed", async () => {
  for (const answer of [{ rewrite: 5 }, { context: 5 }, { decison: "block" }, [], true]) {
    const run = (): never => answer as never;
    const executor = makeExecutor({
      hooks: [defineHook({ name: "x", event: "PreToolUse", on_failure: "block", run })],
    });
    expect(await executor.execute("PreToolUse", bash("ls"))).toMatchObject({
      blocked: true,
      outcomes: [{ status: "failed" }],
    });
  }
  const good = makeExecutor({
    hooks: [defineHook({ event: "PreToolUse", on_failure: "block", run: () => context("x") })],
  });
  expect((await good.execute("PreToolUse", bash("ls"))).blocked).toBe(false);
});

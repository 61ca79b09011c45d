import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { EventSpelling, HookExecutorOptions } from "../../src/index.ts";
import { bash, makeExecutor, makeFolder } from "./_folder.ts";

/**
 * Three ways in which hook layers are known to fail. Each is first shown in the design that one
 * writes without thinking of it, and then here.
 */
interface Entry {
  readonly name: string;
  readonly events: readonly EventSpelling[];
  readonly command: string;
}

describe("a formatter that fails after the tool has run", () => {
  const entry: Entry = {
    name: "format",
    events: ["POST_TOOL_USE"],
    command: "echo 'prettier: unexpected token' >&2; exit 2",
  };
  const payload = { ...bash("write"), tool_response: "written" };

  test("naive: every non-zero exit blocks, so the finished edit counts as refused", () => {
    const naive = (hooks: readonly Entry[]): { blocked: boolean; reason: string } => {
      for (const { command } of hooks) {
        const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
        if (status !== 0) return { blocked: true, reason: stderr };
      }
      return { blocked: false, reason: "" };
    };
    expect(naive([entry])).toEqual({ blocked: true, reason: "prettier: unexpected token\n" });
    expect(naive([{ ...entry, command: entry.command.replace("exit 2", "exit 0") }])).toEqual({
      blocked: false,
      reason: "",
    });
  });

  test.each(["exit 1", "exit 2", "exit 127", "kill -9 $$"])(
    "here: %s is on the record and blocks nothing",
    async (ending) => {
      const command = entry.command.replace("exit 2", ending);
      const strict = { block: true, on_failure: "block" as const };
      const executor = makeExecutor({
        hooks: [
          { ...entry, command, ...strict },
          { ...entry, name: "next", command: "true" },
        ],
      });
      const result = await executor.execute("POST_TOOL_USE", payload);
      expect(result).toMatchObject({ blocked: false, reason: "" });
      expect(result.outcomes).toMatchObject([
        { name: "format", note: expect.stringContaining("cannot be blocked") as string },
        { name: "next", status: "ok" },
      ]);
      expect(result.context).toContain("prettier: unexpected token");
    },
  );

  test("here: a command that ends in ; exit 0 is no failure at all", async () => {
    const command = "false; echo tried >&2; exit 0";
    const executor = makeExecutor({ hooks: [{ ...entry, command }] });
    const result = await executor.execute("POST_TOOL_USE", payload);
    expect(result.outcomes).toMatchObject([{ status: "ok", exit: 0 }]);
  });
});

describe("a hooks file that is read while it is written", () => {
  const list = (extra = ""): string =>
    `hooks:\n  - { name: guard, events: [PRE_TOOL_USE], block: true, command: "exit 2" }\n${extra}`;

  /** Watches one modification time, and takes what it gets. */
  function naiveExecutor(file: string) {
    let seen = 0;
    let hooks: readonly Entry[] = [];
    return (): boolean => {
      const { mtimeMs } = statSync(file);
      if (mtimeMs !== seen) {
        seen = mtimeMs;
        try {
          hooks = (parse(readFileSync(file, "utf8")) as { hooks?: Entry[] } | null)?.hooks ?? [];
        } catch {
          hooks = [];
        }
      }
      return hooks.some(({ events }) => events.includes("PRE_TOOL_USE"));
    };
  }

  test("naive: a truncated file disables the guard, and an edit within one time stamp is missed", () => {
    const folder = makeFolder({ "hooks.yaml": list() });
    const file = join(folder.root, "hooks.yaml");
    const guarded = naiveExecutor(file);
    expect(guarded()).toBe(true);
    const whole = readFileSync(file);
    for (const cut of [0, 6, 30]) {
      writeFileSync(file, whole.subarray(0, cut));
      // Whole seconds apart, so that even this design looks again.
      execFileSync("touch", ["-d", `@${1_000_000 + cut}`, file]);
      expect(guarded(), `${cut} bytes`).toBe(false);
    }
    execFileSync("touch", ["-d", "@30", file]);
    expect(guarded()).toBe(false);
    writeFileSync(file, whole);
    execFileSync("touch", ["-d", "@30", file]);
    expect(guarded()).toBe(false);
  });

  test("here: the guard holds at every length, and the edit is seen", async () => {
    const folder = makeFolder({ "hooks.yaml": list() });
    const file = join(folder.root, "hooks.yaml");
    const executor = makeExecutor({ hooksFile: file, cwd: folder.root });
    const guarded = async (): Promise<boolean> =>
      (await executor.execute("PRE_TOOL_USE", bash("ls"))).blocked;
    expect(await guarded()).toBe(true);
    const whole = readFileSync(file);
    for (const cut of [0, 6, 30]) {
      writeFileSync(file, whole.subarray(0, cut));
      expect(await guarded(), `${cut} bytes`).toBe(true);
    }
    expect(executor.warnings).toHaveLength(3);
    execFileSync("touch", ["-d", "@30", file]);
    expect(await guarded()).toBe(true);
    writeFileSync(`${file}.new`, "hooks: []\n");
    execFileSync("touch", ["-d", "@30", `${file}.new`]);
    renameSync(`${file}.new`, file);
    expect(await guarded()).toBe(false);
  });
});

describe("a prompt hook that takes as long as its model does", () => {
  const calls = 3;

  /** A model that thinks until it is told to answer. */
  async function slowModel() {
    const waiting: (() => void)[] = [];
    const server = createServer((request, response) => {
      request.resume();
      const input = { ok: true, reason: "" };
      const content = [{ type: "tool_use", id: "t", name: "answer", input }];
      const message = { type: "message", role: "assistant", content, stop_reason: "tool_use" };
      waiting.push(() => response.end(JSON.stringify({ ...message, usage: {} })));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      /** Answers what was asked, and says how much that was. */
      answer: (): number => waiting.splice(0).map((say) => say()).length,
      asked: async (): Promise<void> => {
        while (waiting.length === 0) await sleep(5);
      },
      close: () => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      },
    };
  }

  const audit = (url: string, more: object): HookExecutorOptions => ({
    env: { ...process.env, ANTHROPIC_API_KEY: "dummy" },
    hooks: [
      {
        name: "audit",
        events: "PostToolUse",
        prompt: "Is this fine? {result}",
        ...{ provider: "anthropic", model: "fake", base_url: url },
        ...more,
      },
    ],
  });
  const done = { ...bash("ls"), tool_response: "README.md" };

  test("naive: every call of a tool waits for the model", async () => {
    const model = await slowModel();
    const executor = makeExecutor(audit(model.url, {}));
    const order: string[] = [];
    for (let i = 0; i < calls; i++) {
      const call = executor.execute("PostToolUse", done).then(() => order.push("agent"));
      await model.asked();
      await sleep(50);
      order.push("model");
      expect(model.answer()).toBe(1);
      await call;
    }
    await model.close();
    expect(order).toEqual(Array.from({ length: calls }, () => ["model", "agent"]).flat());
  });

  test("here: async: true lets the agent go on, and nothing of the audit is lost", async () => {
    const model = await slowModel();
    const ended: string[] = [];
    const executor = makeExecutor({
      ...audit(model.url, { async: true }),
      onAsync: ({ name, status }) => ended.push(`${name} ${status}`),
    });
    for (let i = 0; i < calls; i++)
      expect(await executor.execute("PostToolUse", done)).toMatchObject({
        outcomes: [{ name: "audit", status: "async" }],
      });
    // The agent is through, and the model has not said a word.
    expect(ended).toEqual([]);
    let answered = 0;
    while (answered < calls) {
      await model.asked();
      answered += model.answer();
    }
    await executor.close();
    await model.close();
    expect(ended).toEqual(Array.from({ length: calls }, () => "audit ok"));
  });
});

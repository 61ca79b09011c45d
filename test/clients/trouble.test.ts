import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { connected } from "../../src/prove/connected.ts";
import { session, type Play, type Session } from "../../src/prove/session.ts";
import { makeStage, type Stage } from "../../src/prove/stage.ts";
import { REPO } from "../_dispatch.ts";
import { clientOf, PINNED, projectOn } from "./_clients.ts";

const installation = { shell: join(REPO, "shell"), library: join(REPO, "dist/index.js") };
const done = { text: "Done." };

let stage: Stage;
const stages: Stage[] = [];
afterEach(() => stages.splice(0).forEach((one) => one.clear()));

interface Line {
  readonly event: string;
  readonly decision: { readonly verdict: string };
  readonly hooks: readonly { readonly name: string; readonly status: string }[];
}

const ledger = (): Line[] => projectOn(stage).ledger() as unknown as Line[];
const read = (file: string): string => readFileSync(join(stage.project, file), "utf8");
const bash = (pattern: string): object => ({ tool_name: "Bash", "tool_input.command": pattern });

const clients = PINNED.filter(
  (one) => ["claude-code", "codex"].includes(one.harness) && clientOf(one).command.length > 0,
).map((one) => [`${one.harness} ${one.version}, in trouble`, one] as const);

/** Hooks that misbehave, and clients that must not notice. */
describe.each(clients)("%s", (_, pinned) => {
  const client = clientOf(pinned);
  const adapter = ADAPTERS.find(({ id }) => id === pinned.harness)!;

  async function play(hooks: readonly object[], more: Play): Promise<Session> {
    stage = makeStage();
    stages.push(stage);
    stage.write({ "project/.anyhook/hooks.json": JSON.stringify({ hooks }) });
    const played = await session(client, stage, {
      ready: () => connected(adapter, stage, installation),
      ...more,
    });
    expect({ status: played.status, left: played.leftovers }).toEqual({ status: 0, left: [] });
    expect(played.taken.filter((one) => one.endsWith(" failed"))).toEqual([]);
    return played;
  }

  test("two hooks rewrite in turn: twenty times, with random delays, the same", async () => {
    const rewrite = (words: string): string =>
      `sleep "0.$(($$ % 3))"; n=$(grep -o 'file-[0-9]*'); printf '{"rewrite":{"command":"echo ${words} >%s.txt"}}' "$n"`;
    const hooks = [
      {
        name: "one",
        events: ["PreToolUse"],
        order: 1,
        matcher: bash("/file-/"),
        command: rewrite("one"),
      },
      {
        name: "two",
        events: ["PreToolUse"],
        order: 2,
        matcher: bash("/echo one >file-/"),
        command: rewrite("one two"),
      },
    ];
    const numbers = Array.from({ length: 20 }, (_0, n) => n + 1);
    await play(hooks, {
      turns: [...numbers.map((n) => ({ shell: `echo zero >file-${n}.txt` })), done],
    });
    expect(numbers.map((n) => read(`file-${n}.txt`))).toEqual(numbers.map(() => "one two\n"));
  });

  test("hooks that crash or flood do not stop the session, and a guard that crashes does", async () => {
    const hooks = [
      { name: "crashes", events: ["PreToolUse"], matcher: bash("/crash/"), command: "kill -9 $$" },
      {
        name: "floods",
        events: ["PreToolUse"],
        matcher: bash("/flood/"),
        command: "yes | head -c 20000000",
      },
      {
        name: "guard",
        events: ["PreToolUse"],
        block: true,
        on_failure: "block",
        matcher: bash("/guarded/"),
        command: "kill -9 $$",
      },
    ];
    const { requests, ms } = await play(hooks, {
      turns: [
        { shell: "echo crash >crash.txt" },
        { shell: "echo flood >flood.txt" },
        { shell: "echo guarded >guarded.txt" },
        done,
      ],
    });
    expect([read("crash.txt"), read("flood.txt")]).toEqual(["crash\n", "flood\n"]);
    expect(existsSync(join(stage.project, "guarded.txt"))).toBe(false);
    expect(requests).toHaveLength(4);
    expect(requests.every(({ all }) => all.length < 2_000_000)).toBe(true);
    expect(ms).toBeLessThan(50_000);
    const runs = ledger().flatMap((line) => (line.event === "PreToolUse" ? line.hooks : []));
    expect(runs).toMatchObject([
      { name: "crashes", status: "failed" },
      { name: "floods", status: "ok" },
      { name: "guard", status: "failed" },
    ]);
  });

  test("a SessionEnd hook that hangs is ended inside the client's own time", async () => {
    const { ms } = await play(
      [
        { name: "quick", events: ["SessionEnd"], order: 1, command: "echo bye >bye.txt" },
        { name: "hangs", events: ["SessionEnd"], order: 2, command: "sleep 300" },
      ],
      { turns: [done] },
    );
    expect(read("bye.txt")).toBe("bye\n");
    expect(ms).toBeLessThan(40_000);
    expect(ledger().at(-1)).toMatchObject({
      event: "SessionEnd",
      hooks: [
        { name: "quick", status: "ok" },
        { name: "hangs", status: "timeout" },
      ],
    });
  });

  test("a Stop hook that always has a new reason is let go after eight", async () => {
    const stubborn = 'date +%s%N >>times; echo "Not yet: $(wc -l <times)." >&2; exit 2';
    const { requests } = await play(
      [{ name: "stubborn", events: ["Stop"], block: true, command: stubborn }],
      { turns: [done] },
    );
    const stops = ledger().filter(({ event }) => event === "Stop");
    expect(stops.filter(({ decision }) => decision.verdict === "deny")).toHaveLength(8);
    expect(stops.at(-1)!.decision.verdict).toBe("pass");
    expect(requests).toHaveLength(9);
  });

  test("in a linked worktree the hooks of that worktree hold", async () => {
    const refuse = (reason: string): string => `echo '${reason}' >&2; exit 2`;
    const hook = (reason: string): object => ({
      ...{ name: "no-out", events: ["PreToolUse"], block: true },
      ...{ matcher: bash("/out.txt/"), command: refuse(reason) },
    });
    const { requests } = await play([hook("Not in the main tree.")], {
      from: "../branch",
      turns: [{ shell: "echo ran >out.txt" }, done],
      ready: async () => {
        const git = (...words: string[]): Buffer =>
          execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
            ...{
              cwd: stage.project,
              stdio: "pipe",
              env: { PATH: process.env["PATH"], HOME: stage.home },
            },
          });
        git("init", "-q");
        git("add", ".");
        git("commit", "-qm", "hooks");
        git("worktree", "add", "-q", "../branch");
        const hooks = JSON.stringify({ hooks: [hook("Not in the branch.")] });
        stage.write({ "branch/.anyhook/hooks.json": hooks });
        await connected(adapter, stage, installation);
      },
    });
    expect(existsSync(join(stage.base, "branch/out.txt"))).toBe(false);
    expect(requests[1]!.news).toContain("Not in the branch.");
    expect(requests[1]!.news).not.toContain("Not in the main tree.");
  });
});

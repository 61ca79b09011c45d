import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI } from "../_dispatch.ts";
import { NO_FORCE, place, type Place, push, ZOO } from "./_cli.ts";

const ASK = `import { ask, defineHook } from "anyhook";
export default defineHook({
  name: "ask-first", event: "PreToolUse", matcher: "WebFetch", run: () => ask("Really?"),
});
`;

const FILES = {
  ".anyhook/hooks/no-force-push.sh": NO_FORCE,
  ".anyhook/hooks/ask-first.ts": ASK,
  ".anyhook/hooks.yaml": `hooks:
  - { name: lint, events: PostToolUse, command: "echo oops >&2; exit 1" }
  - { name: shy, events: Stop, command: "echo no >&2; exit 2", block: false }
  - { name: slow, events: SessionStart, command: "exit 3", async: true }
`,
};

/** A push that is denied, a command that passes, an edit after which a hook fails. */
function played(): Place {
  const here = place(FILES);
  const bash = "PreToolUse--Bash";
  here.event("claude-code", "PreToolUse", bash, push);
  here.event("codex", "PreToolUse", bash, { tool_use_id: "quiet_1" });
  here.event("claude-code", "PostToolUse", "PostToolUse--Write", { tool_use_id: "write_1" });
  return here;
}

describe("why", () => {
  test("the last decision, not the last event", () => {
    const here = played();
    const { out, exit } = here.run("why");
    expect(exit).toBe(0);
    expect(out).toMatch(/^denied {2}PreToolUse of Bash in Claude Code, /);
    expect(out).toMatch(/1 +no-force-push +ran +exit 2 +deny +\d+ ms +decided: No forced push\./);
    expect(out).toContain("Decided by no-force-push (.anyhook/hooks/no-force-push.sh:2).");
    expect(here.run("why", "last").out).toBe(out);
    expect(here.run("why", "--any").out).toMatch(/^passed {2}PostToolUse of Write/);
  });

  test("by id, by the beginning of its end, and not by a beginning that many share", () => {
    const here = played();
    const id = String(here.project.ledger()[0]!["id"]);
    const byId = here.run("why", id);
    expect(byId.out).toContain(`id ${id}`);
    expect(here.run("why", "push")).toEqual(byId);
    const shared = here.run("why", id.slice(0, 4));
    expect(shared).toMatchObject({ exit: 1, out: "" });
    expect(shared.err).toMatch(/2 events have an id .*\n +say more:\n +write_1 +PostToolUse/);
    expect(here.run("why", "nothing-like-it")).toMatchObject({ exit: 1, out: "" });
  });

  test("as JSON", () => {
    const here = played();
    expect(here.json("why")).toEqual({
      entry: here.project.ledger()[0],
      decidedBy: [{ name: "no-force-push", source: ".anyhook/hooks/no-force-push.sh:2" }],
      later: [],
      damaged: 0,
    });
  });

  test("a decision that became another one", () => {
    const here = place(FILES);
    const fetch = { tool_name: "WebFetch", tool_input: { url: "https://a.b" } };
    here.event("codex", "PreToolUse", "PreToolUse--Bash", fetch);
    expect(here.run("why").out).toContain(
      "A hook said ask, which Codex CLI cannot express at PreToolUse; it became deny, never something weaker.",
    );
  });

  test("a block that was refused", () => {
    const here = place(FILES);
    here.event("claude-code", "Stop", "Stop");
    expect(here.run("why", "--any").out).toContain(
      "shy wanted to block and was not let: block is not set.",
    );
    expect(here.json("status")["refused"]).toMatchObject([{ hook: "shy", event: "Stop" }]);
  });

  test("a detached hook shows how it ended", async () => {
    const here = place(FILES);
    here.event("claude-code", "SessionStart", "SessionStart--startup");
    await expect.poll(() => here.project.ledger().length, { timeout: 10_000 }).toBe(2);
    const { out } = here.run("why", "--any");
    expect(out).toMatch(/1 +slow +detached/);
    expect(out).toMatch(/2 +slow +failed +exit 3/);
  });

  test("nothing has happened yet", () => {
    const { out, err, exit } = place(FILES).run("why");
    expect({ out, exit }).toEqual({ out: "", exit: 1 });
    expect(err).toContain("nothing has happened yet");
  });
});

describe("log", () => {
  const lines = ({ out }: { out: string }): string[] => out.split("\n").filter((one) => one !== "");

  test("one line per event, oldest first", () => {
    const [first, second, third, ...more] = lines(played().run("log"));
    expect(more).toEqual([]);
    expect(first).toMatch(
      /claude-code +PreToolUse +Bash +deny +.* push_1 +no-force-push: No forced/,
    );
    expect(second).toMatch(/codex +PreToolUse +Bash +pass/);
    expect(third).toMatch(/PostToolUse +Write +pass +.*lint \(failed\)$/);
  });

  test("filters and the number of lines", () => {
    const here = played();
    const ids = (...args: string[]): unknown[] =>
      lines(here.run("log", "--json", ...args)).map(
        (line) => (JSON.parse(line) as { id: string }).id.split(":")[2],
      );
    expect(ids()).toEqual(["push_1", "quiet_1", "write_1"]);
    expect(ids("-n", "1")).toEqual(["write_1"]);
    expect(ids("--verdict", "deny")).toEqual(["push_1"]);
    expect(ids("--event", "post-tool-use")).toEqual(["write_1"]);
    expect(ids("--hook", "lint")).toEqual(["write_1"]);
    expect(ids("--session", String(here.project.ledger()[1]!["session"]).slice(0, 13))).toEqual([
      "quiet_1",
    ]);
    expect(ids("--hook", "nobody")).toEqual([]);
  });

  test("damaged lines are passed over and counted", () => {
    const here = played();
    const { ledger } = here.project.layout;
    appendFileSync(join(ledger, readdirSync(ledger)[0]!), '{"v":1,"time":"20\nnonsense\n[]\n');
    const { out, err, exit } = here.run("log");
    expect(exit).toBe(0);
    expect(lines({ out })).toHaveLength(3);
    expect(err).toBe("3 damaged lines passed over.\n");
    expect(here.json("status")["damaged"]).toBe(3);
  });

  test("what hooks wrote cannot steer the terminal", () => {
    const here = place({
      ".anyhook/hooks/a.sh": NO_FORCE.replace("No forced push.", "\\033[2J\\033]0;x\\007"),
    });
    here.event("claude-code", "PreToolUse", "PreToolUse--Bash", push);
    for (const verb of ["log", "why"]) expect(here.run(verb).out).not.toContain("\u001b");
    expect(here.run("why").out).toContain("\ufffd[2J");
  });

  test("nothing to show is no error", () => {
    expect(place().run("log")).toMatchObject({ out: "", exit: 0 });
  });

  test("-f goes on with what happens, also after midnight, until it is interrupted", async () => {
    const here = played();
    const { root, env, layout } = here.project;
    const child = spawn(process.execPath, [CLI, "log", "-f", "-n", "1"], { cwd: root, env });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    const ended = new Promise((resolve) => child.on("close", resolve));
    const seen = async (text: string): Promise<void> => {
      await expect.poll(() => out, { timeout: 10_000 }).toContain(text);
    };
    await seen("write_1");
    here.event("codex", "PreToolUse", "PreToolUse--Bash", { ...push, tool_use_id: "live_1" });
    await seen("live_1");
    const line = JSON.stringify({ ...here.project.ledger()[0], id: "s:PreToolUse:tomorrow" });
    writeFileSync(join(layout.ledger, "2999-01-01.jsonl"), line.slice(0, 40));
    await new Promise((resolve) => setTimeout(resolve, 500));
    appendFileSync(join(layout.ledger, "2999-01-01.jsonl"), `${line.slice(40)}\n`);
    await seen("tomorrow");
    expect(out).not.toContain("push_1");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
  });
});

describe("status", () => {
  test("well: exit 0", () => {
    const here = place({ ".anyhook/hooks/a.sh": NO_FORCE });
    here.event("claude-code", "PreToolUse", "PreToolUse--Bash", push);
    const { out, exit } = here.run("status");
    expect(exit).toBe(0);
    expect(out).toMatch(/^no-force-push +fine +just now +1$/m);
    expect(out).toContain("All is well.");
    here.run("pause");
    const paused = here.run("status");
    expect(paused.exit).toBe(0);
    expect(paused.out).toContain("Paused: no hook runs here until anyhook resume.");
    expect(paused.out).not.toContain("All is well.");
  });

  test("a hook that fails: how often and since when, exit 1; well again: exit 0", () => {
    const here = played();
    here.event("claude-code", "PostToolUse", "PostToolUse--Write", { tool_use_id: "write_2" });
    const { out, exit } = here.run("status");
    expect(exit).toBe(1);
    expect(out).toMatch(/^lint +failing +just now +2 +failed 2 times, since \d\d:\d\d:\d\d/m);
    expect(out).toContain("Not well: 1 hook fails (lint).");
    const list = FILES[".anyhook/hooks.yaml"].replace("exit 1", "exit 0");
    here.project.write({ ".anyhook/hooks.yaml": list });
    here.event("claude-code", "PostToolUse", "PostToolUse--Write", { tool_use_id: "write_3" });
    expect(here.run("status").exit).toBe(0);
  });

  test("as JSON", () => {
    const here = played();
    const told = here.json("status");
    expect(told).toMatchObject({
      ...{ ok: false, project: here.project.root, store: here.project.layout.project },
      ...{ paused: false, active: 5, events: 3, damaged: 0, refused: [], unenforced: [] },
      faults: { count: 0, recent: false },
      diagnostics: { errors: 0, warnings: 0 },
    });
    const hooks = told["hooks"] as Record<string, unknown>[];
    expect(hooks.map(({ name, inert, failing, today }) => [name, inert, failing, today])).toEqual([
      ["slow", "never fired", false, 0],
      ["ask-first", "never fired", false, 0],
      ["no-force-push", "", false, 1],
      ["lint", "", true, 1],
      ["shy", "never fired", false, 0],
    ]);
  });

  test("what is written down and does nothing", () => {
    const hooks = place(ZOO).json("status")["hooks"] as Record<string, unknown>[];
    expect(hooks.map(({ name, inert }) => [name, inert])).toEqual([
      ["no-force-push", "never fired"],
      ["lint", "never fired"],
      ["off", "disabled"],
      ["typo", "bad"],
      ["later", "pending"],
    ]);
  });

  test("when the hooks were compiled is when they last changed", async () => {
    const here = place({ ".anyhook/hooks/a.sh": NO_FORCE });
    const first = here.json("status");
    expect(Date.now() - Date.parse(String(first["compiledAt"]))).toBeLessThan(60_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(here.json("status")["compiledAt"]).toBe(first["compiledAt"]);
  });

  test("faults of the dispatcher", () => {
    const here = place({ ".anyhook/hooks/a.sh": NO_FORCE });
    const store = here.run("path", "home").out.trim();
    mkdirSync(store, { recursive: true });
    writeFileSync(join(store, "faults.jsonl"), '{"v":1,"fault":"a"}\n{"v":1,"fault":"b"}\n');
    const { out, exit } = here.run("status");
    expect(exit).toBe(1);
    expect(out).toContain("2 faults of the dispatcher, the last just now: b");
    rmSync(join(store, "faults.jsonl"));
    expect(here.run("status").exit).toBe(0);
  });
});

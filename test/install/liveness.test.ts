import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { liveness } from "../../src/install/liveness.ts";
import { siteOf } from "../../src/install/site.ts";
import {
  dispatch,
  makeProject,
  NODE_LANE,
  payloadOf,
  shellLanes,
  type Lane,
  type Project,
} from "../_dispatch.ts";

const projects: Project[] = [];
afterEach(() => projects.splice(0).forEach((one) => one.remove()));

const SESSION = "home/.claude/projects/-shop/b983.jsonl";
const CODEX = "home/.codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-0199.jsonl";
const LATER = 60_000;
const REAL: Lane = { ...shellLanes()[0]!, real: true };
const PATIENCE = { timeout: 30_000, interval: 50 };

interface Machine {
  readonly project: Project;
  readonly silent: (after?: number) => Promise<string[]>;
  /** A file of the store's folder of findings. */
  readonly text: (name: string) => string;
  readonly send: (harness: string, fixture: string, lane?: Lane, change?: object) => string;
}

function machine(...harnesses: string[]): Machine {
  const project = makeProject({
    ".anyhook/hooks.json": JSON.stringify({
      hooks: [{ name: "watch", events: ["PreToolUse"], command: "true" }],
    }),
  });
  projects.push(project);
  const site = siteOf(project.env, project.root, join(import.meta.dirname, "../../shell"));
  for (const harness of harnesses) project.cli("install", "--harness", harness, "--yes");
  return {
    project,
    silent: async (after = LATER) =>
      (await liveness(ADAPTERS, site, Date.now() + after)).map(({ title }) => title),
    text(name) {
      const file = join(site.store, "liveness", name);
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    },
    send(harness, fixture, lane = REAL, change = {}) {
      const payload = payloadOf(harness, fixture, project, change as Record<string, unknown>);
      const [event] = fixture.split("--");
      const { stdout, status } = dispatch(project, lane, harness, event!, payload);
      expect(status).toBe(0);
      return stdout;
    },
  };
}

/** A session that was over a minute ago, in the eyes of whoever looks now. */
function leave(project: Project, file: string): void {
  project.write({ [file]: "{}\n" });
  const past = new Date(Date.now() - LATER);
  utimesSync(join(project.base, file), past, past);
}

describe("a harness that is connected", () => {
  test("and had a session that called nothing is said, in status too", async () => {
    const { project, silent } = machine("claude-code");
    expect(await silent()).toEqual([]);
    await sleep(20);
    project.write({ [SESSION]: "{}\n" });
    expect(await silent()).toEqual(["Claude Code"]);
    // It may only just have begun.
    expect(await silent(0)).toEqual([]);
    leave(project, SESSION);
    const { stdout, status } = project.cli("status");
    expect(status).toBe(1);
    expect(stdout).toContain(
      "Claude Code is connected and had a session 1 minute ago, but called nothing",
    );
  });

  test("is not when it called, when the session is older, or when it is not connected", async () => {
    const { project, silent, send } = machine();
    project.write({ [SESSION]: "{}\n" });
    expect(await silent()).toEqual([]);
    await sleep(20);
    project.cli("install", "--harness", "claude-code", "--yes");
    expect(await silent()).toEqual([]);
    await sleep(20);
    project.write({ "home/.claude/projects/-shop/c771.jsonl": "{}\n" });
    expect(await silent()).toEqual(["Claude Code"]);
    send("claude-code", "PreToolUse--Bash");
    expect(project.ledger()).toHaveLength(1);
    expect(await silent()).toEqual([]);
  });

  test("is not when it called from a folder that no hook concerns", async () => {
    const { project, silent } = machine("claude-code");
    const elsewhere = join(project.base, "elsewhere");
    mkdirSync(elsewhere);
    await sleep(20);
    project.write({ [SESSION]: "{}\n" });
    expect(await silent()).toEqual(["Claude Code"]);
    const payload = payloadOf("claude-code", "SessionStart--startup", project, { cwd: elsewhere });
    dispatch(project, REAL, "claude-code", "SessionStart", payload, {
      CLAUDE_PROJECT_DIR: elsewhere,
    });
    expect(project.ledger()).toEqual([]);
    expect(await silent()).toEqual([]);
  });

  test("may keep its sessions in a database", async () => {
    const { project, silent, send } = machine("opencode");
    const folder = join(project.home, ".local/share/opencode");
    mkdirSync(folder, { recursive: true });
    // The columns that are asked for, as opencode 1.18.33 has them.
    const database = new Database(join(folder, "opencode.db"));
    database.exec(
      "CREATE TABLE session (id text PRIMARY KEY, parent_id text, time_created integer NOT NULL, time_updated integer NOT NULL)",
    );
    const add = database.prepare("INSERT INTO session VALUES (?, ?, ?, ?)");
    const at = Date.now() + 1000;
    add.run(["ses_old", null, at - LATER, at]);
    add.run(["ses_part", "ses_old", at, at]);
    expect(await silent()).toEqual([]);
    add.run(["ses_new", null, at, at]);
    expect(await silent()).toEqual(["opencode"]);
    send("opencode", "tool.execute.before--bash");
    expect(await silent()).toEqual([]);
    database.exec("DROP TABLE session");
    expect(await silent()).toEqual([]);
    database.close();
  });
});

describe("when a session ends", () => {
  const connected = async (): Promise<Machine> => {
    const here = machine("claude-code", "codex");
    await sleep(20);
    leave(here.project, CODEX);
    return here;
  };

  test.each([REAL, NODE_LANE])("it is compared, and what is new waits ($name)", async (lane) => {
    const { send, text } = await connected();
    send("claude-code", "SessionEnd--other", lane);
    await expect.poll(() => text("found"), PATIENCE).toContain("Codex CLI is connected");
    expect(text("known").split("\n")).toHaveLength(2);
  });

  test("but not again within ten minutes, nor where nothing is connected", async () => {
    const { project, send, text } = await connected();
    project.write({ "home/.local/state/anyhook/liveness/looked": "" });
    const bare = machine();
    leave(bare.project, CODEX);
    for (const one of [send, bare.send]) one("claude-code", "SessionEnd--other");
    const looked = join(project.home, ".local/state/anyhook/liveness/looked");
    const past = new Date(Date.now() - 11 * LATER);
    // The same event does it once the time has passed, so those before it had theirs.
    utimesSync(looked, past, past);
    expect(text("found")).toBe("");
    send("claude-code", "SessionEnd--other");
    await expect.poll(() => text("found"), PATIENCE).toContain("Codex CLI");
    expect(bare.text("looked") + bare.text("known")).toBe("");
    expect(existsSync(join(bare.project.home, ".local/state/anyhook/liveness"))).toBe(false);
  });

  test("the harness does not wait for it", async () => {
    const { project, send } = await connected();
    const pid = join(project.base, "pid");
    project.write({ "slow-node": `#!/bin/sh\necho $$ >'${pid}'\nexec sleep 60\n` });
    project.cli("materialize");
    project.env["ANYHOOK_NODE"] = join(project.root, "slow-node");
    const began = Date.now();
    send("claude-code", "SessionEnd--other");
    expect(Date.now() - began).toBeLessThan(20_000);
    await expect.poll(() => existsSync(pid) && readFileSync(pid, "utf8"), PATIENCE).toMatch(/\d\n/);
    process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL");
  });

  test("it is said once as long as it is so, and again when it comes back", async () => {
    const { project, send, text } = await connected();
    const keep = (): string => {
      project.cli("status", "--keep");
      return text("found")
        .replace(/^\w+\t/gm, "")
        .replace(/on 2.*UTC/, "then");
    };
    const line =
      "Codex CLI is connected and had a session then, but called nothing: anyhook prove --harness codex\n";
    expect(keep()).toBe(line);
    // Not said yet, so it still waits, and only once.
    expect(keep()).toBe(line);
    expect(send("claude-code", "SessionStart--startup")).toContain("Codex CLI is connected");
    expect(keep()).toBe("");
    send("codex", "PreToolUse--Bash");
    expect([keep(), text("known")]).toEqual(["", ""]);
    rmSync(project.layout.ledger, { recursive: true });
    expect(keep()).toBe(line);
  });
});

describe("when the next session begins", () => {
  const FOUND = "home/.local/state/anyhook/liveness/found";
  const words = 'Codex "CLI" called nothing';

  test.each([...shellLanes(), NODE_LANE])("the person is told, once ($name)", (lane) => {
    const { project, send, text } = machine("claude-code");
    project.cli("materialize");
    project.write({ [FOUND]: `a1\t${words}\nb2\tand a hook\n` });
    const said = send("claude-code", "SessionStart--startup", lane);
    expect(JSON.parse(said)).toEqual({ systemMessage: `${words}\nand a hook` });
    expect(text("found")).toBe("");
    expect(send("claude-code", "SessionStart--startup", lane)).toBe("");
  });

  test("no other event says it, nor a harness that shows no notices", () => {
    const { project, send, text } = machine("claude-code");
    project.write({ [FOUND]: `a1\t${words}\n` });
    expect(send("claude-code", "PreToolUse--Bash")).toBe("");
    send("copilot", "SessionStart--claude-form");
    expect(text("found")).toBe(`a1\t${words}\n`);
    expect(send("claude-code", "SessionStart--startup")).toContain("called nothing");
  });
});

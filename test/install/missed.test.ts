import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { missed } from "../../src/install/missed.ts";
import { siteOf } from "../../src/install/site.ts";
import { dispatch, makeProject, payloadOf, shellLanes, type Project } from "../_dispatch.ts";

const projects: Project[] = [];
afterEach(() => projects.splice(0).forEach((one) => one.remove()));

const HOOKS = [
  { name: "guard", events: ["PreToolUse"], matcher: { tool_name: "Bash" }, command: "true" },
  { name: "files", events: ["PreToolUse"], matcher: { tool_name: "Write|Edit" }, command: "true" },
  {
    name: "pushes",
    events: ["PreToolUse"],
    matcher: { "tool_input.command": "/push/" },
    command: "true",
  },
  { name: "gemini-only", events: ["PreToolUse"], harness: ["gemini"], command: "true" },
  { name: "greet", events: ["SessionStart"], command: "true" },
];

interface Machine {
  readonly project: Project;
  readonly found: () => Promise<string[]>;
  readonly send: (...fixtures: string[]) => void;
}

/** Claude Code, connected, with hooks; what it is told of is what the test sends. */
async function machine(hooks: readonly object[] = HOOKS): Promise<Machine> {
  const project = makeProject({ ".anyhook/hooks.json": JSON.stringify({ hooks }) });
  projects.push(project);
  project.cli("install", "--harness", "claude-code", "--yes");
  project.cli("materialize");
  // The ledger knows seconds.
  const past = new Date(Date.now() - 5000);
  utimesSync(join(project.home, ".local/state/anyhook/installed/claude-code"), past, past);
  await sleep(20);
  const site = siteOf(project.env, project.root, join(import.meta.dirname, "../../shell"));
  return {
    project,
    found: async () =>
      (await missed(ADAPTERS, site, project.layout.project)).map(
        ({ hook, event, title, why }) => `${hook} at ${event} in ${title}: ${why}`,
      ),
    send(...fixtures) {
      for (const fixture of fixtures) {
        const payload = payloadOf("claude-code", fixture, project, { session_id: "s1" });
        const lane = { ...shellLanes()[0]!, real: true };
        dispatch(project, lane, "claude-code", fixture.split("--")[0]!, payload);
      }
    },
  };
}

const GUARD = "guard at PreToolUse in Claude Code: only PostToolUse came";

test("a call that ended and never began for us misses its hooks, and no others", async () => {
  const { project, send, found } = await machine();
  send("SessionStart--startup", "PostToolUse--Bash");
  expect(await found()).toEqual([GUARD]);
  const { stdout, status } = project.cli("status");
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringContaining("guard should have run at PreToolUse in Claude Code") as string,
  });
  expect(JSON.parse(project.cli("status", "--json").stdout)).toMatchObject({
    ok: false,
    missed: [{ harness: "claude-code", hook: "guard", event: "PreToolUse" }],
  });
});

test("many of one event are one line, with the project that it is about", async () => {
  const hooks = Array.from({ length: 9 }, (_, n) => ({
    ...{ name: `hook-${n}`, events: ["PreToolUse"], command: "true" },
  }));
  const { project, send, found } = await machine(hooks);
  send("SessionStart--startup", "PostToolUse--Bash");
  expect(await found()).toHaveLength(9);
  project.cli("status", "--keep");
  const text = readFileSync(join(project.home, ".local/state/anyhook/liveness/found"), "utf8");
  expect(text.replace(/^\w+\t|on 2.*UTC /g, "")).toBe(
    `hook-0, hook-1 and 7 more should have run at PreToolUse in Claude Code in ${project.root}, and did not (only PostToolUse came): anyhook prove --harness claude-code --event PreToolUse\n`,
  );
});

test("a session in which all came misses nothing, and neither does one that is older", async () => {
  const { send, found, project } = await machine();
  send("SessionStart--startup", "PreToolUse--Bash", "PostToolUse--Bash");
  expect(await found()).toEqual([]);
  expect(JSON.parse(project.cli("status", "--json").stdout)).toMatchObject({ missed: [] });
  // Connected in the middle of it: nobody knows what was before.
  const other = await machine();
  other.send("PostToolUse--Bash");
  expect(await other.found()).toEqual([]);
});

test("one call of several is told from the others by its id", async () => {
  const { send, found, project } = await machine();
  send("SessionStart--startup", "PreToolUse--Bash", "PostToolUse--Bash");
  const again = payloadOf("claude-code", "PostToolUse--Bash", project, {
    ...{ session_id: "s1", tool_use_id: "toolu_lost" },
  });
  dispatch(project, { ...shellLanes()[0]!, real: true }, "claude-code", "PostToolUse", again);
  expect(await found()).toEqual([GUARD]);
});

test("a session that the harness began after the install, and that never said so", async () => {
  const { send, found, project } = await machine();
  send("PreToolUse--Bash");
  expect(await found()).toEqual([]);
  project.write({ "home/.claude/projects/-shop/s1.jsonl": "{}\n" });
  expect(await found()).toEqual(["greet at SessionStart in Claude Code: only PreToolUse came"]);
  send("SessionStart--startup");
  expect(await found()).toEqual([]);
});

test("hooks that are newer than the session are not expected at what was before them", async () => {
  const { project, send, found } = await machine([HOOKS[4]!]);
  project.write({ "home/.claude/projects/-shop/s1.jsonl": "{}\n" });
  send("SessionStart--startup");
  project.write({ ".anyhook/hooks.json": JSON.stringify({ hooks: HOOKS }) });
  send("PostToolUse--Bash");
  expect(project.ledger()).toHaveLength(2);
  expect(await found()).toEqual([]);
});

test("a hook of the event without a row, and one for which there was no time", async () => {
  const { project, send, found } = await machine();
  send("SessionStart--startup", "PreToolUse--Bash");
  expect(await found()).toEqual([]);
  const [day] = [`${new Date().toISOString().slice(0, 10)}.jsonl`];
  const file = join(project.layout.ledger, day);
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.replace(/"hooks":\[\{"name":"guard".*?\}\]/, '"hooks":[]'));
  expect(await found()).toEqual([
    "guard at PreToolUse in Claude Code: the event came, and it was not run",
  ]);
  const late = '"status":"skipped","note":"no time left for this event"';
  writeFileSync(file, whole.replace(/("name":"guard"),"status":"ok"/, `$1,${late}`));
  expect(await found()).toEqual([
    "guard at PreToolUse in Claude Code: no time left for this event",
  ]);
});

import { utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { liveness } from "../../src/install/liveness.ts";
import { siteOf } from "../../src/install/site.ts";
import { dispatch, makeProject, payloadOf, shellLanes, type Project } from "../_dispatch.ts";

const projects: Project[] = [];
afterEach(() => projects.splice(0).forEach((one) => one.remove()));

const SESSION = "home/.claude/projects/-shop/b983.jsonl";
const LATER = 60_000;

function machine(): { project: Project; silent: (after?: number) => string[] } {
  const project = makeProject({
    ".anyhook/hooks.json": JSON.stringify({
      hooks: [{ name: "watch", events: ["PreToolUse"], command: "true" }],
    }),
  });
  projects.push(project);
  const site = siteOf(project.env, project.root, join(import.meta.dirname, "../../shell"));
  const silent = (after = LATER): string[] =>
    liveness(ADAPTERS, site, Date.now() + after).map(({ title }) => title);
  return { project, silent };
}

test("a session of a connected harness that called nothing is said, in status too", async () => {
  const { project, silent } = machine();
  project.cli("install", "--harness", "claude-code", "--yes");
  expect(silent()).toEqual([]);
  await sleep(20);
  project.write({ [SESSION]: "{}\n" });
  expect(silent()).toEqual(["Claude Code"]);
  // It may only just have begun.
  expect(silent(0)).toEqual([]);
  const past = new Date(Date.now() - LATER);
  utimesSync(join(project.base, SESSION), past, past);
  const { stdout, status } = project.cli("status");
  expect(status).toBe(1);
  expect(stdout).toContain(
    "Claude Code is connected and had a session 1 minute ago, but called nothing",
  );
});

test("one that called, one from before the install, and one that is not connected are not", async () => {
  const { project, silent } = machine();
  project.write({ [SESSION]: "{}\n" });
  expect(silent()).toEqual([]);
  await sleep(20);
  project.cli("install", "--harness", "claude-code", "--yes");
  expect(silent()).toEqual([]);
  await sleep(20);
  project.write({ "home/.claude/projects/-shop/c771.jsonl": "{}\n" });
  expect(silent()).toEqual(["Claude Code"]);
  const payload = payloadOf("claude-code", "PreToolUse--Bash", project);
  dispatch(project, { ...shellLanes()[0]!, real: true }, "claude-code", "PreToolUse", payload);
  expect(project.ledger()).toHaveLength(1);
  expect(silent()).toEqual([]);
});

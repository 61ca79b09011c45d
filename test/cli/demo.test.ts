import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { understood } from "../../src/cli/_dispatcher.ts";
import { broken, type Expectation } from "../../src/cli/demo-scenes.ts";
import { parseEntry } from "../../src/ledger/entry.ts";
import { CLI } from "../_dispatch.ts";
import { place } from "./_cli.ts";

interface Scene {
  readonly harness: string;
  readonly event: string;
  readonly command: string;
  readonly verdict: string;
  readonly ok: boolean;
}

test("both agents get the same answers, and nothing is left behind", () => {
  const here = place();
  const env = { ...here.project.env, TMPDIR: here.project.base };
  const before = readdirSync(here.project.base);
  const began = Date.now();
  const { out, exit } = here.runWith({ env }, "demo", "--json");
  expect(Date.now() - began).toBeLessThan(20_000);
  const { ok, scenes } = JSON.parse(out) as { ok: boolean; scenes: Scene[] };
  expect({ ok, exit }).toEqual({ ok: true, exit: 0 });
  const of = (harness: string): string[][] =>
    scenes
      .filter((scene) => scene.harness === harness)
      .map(({ event, command, verdict }) => [event, command, verdict]);
  expect(of("claude-code")).toEqual([
    ["SessionStart", "", "pass"],
    ["PreToolUse", "git status", "pass"],
    ["PreToolUse", "git push --force origin main", "deny"],
    ["PreToolUse", 'git commit -m "Add login"', "rewrite"],
    ["PostToolUse", "", "pass"],
    ["PreToolUse", "git push --force origin main", "deny"],
    ["Stop", "", "deny"],
    ["Stop", "", "pass"],
  ]);
  expect(of("codex")).toEqual(of("claude-code"));
  expect(readdirSync(here.project.base)).toEqual(before);
  expect(readdirSync(here.project.home)).toEqual([]);
});

test("told for people, with --keep what was played on stays", () => {
  const here = place();
  const env = { ...here.project.env, TMPDIR: here.project.base, ANYHOOK: "0" };
  const { out, exit } = here.runWith({ env }, "demo", "--keep");
  expect(exit).toBe(0);
  expect(out).toContain(
    "✗ denied by no-force-push: A forced push rewrites what others have pulled.",
  );
  expect(out).toContain('~ rewritten by sign-off: git commit -m "Add login" --signoff');
  expect(out).toContain("! goes on, although lint failed: no configuration found");
  expect(out).toContain("✗ denied by no-force-push: No forced push in release week.");
  expect(out).toContain("16 answers, all as expected");
  expect(readdirSync(here.project.base).join()).toContain("anyhook-demo-");
});

test("interrupted, it leaves nothing behind either", async () => {
  const { project } = place();
  const env = { ...project.env, TMPDIR: project.base };
  const left = (): string[] => readdirSync(project.base).filter((name) => /demo/.test(name));
  const child = spawn(process.execPath, [CLI, "demo"], { env });
  const ended = new Promise((resolve) => child.on("close", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  expect(left()).toHaveLength(1);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(left()).toEqual([]);
  const piped = spawnSync("sh", ["-c", `"${process.execPath}" "${CLI}" demo | head -n 1`], { env });
  expect(piped.stdout.toString()).toMatch(/^Five hooks/);
  await expect.poll(left, { timeout: 10_000 }).toEqual([]);
});

test("an answer that is not as expected is said, and the exit code is 1", () => {
  const here = place({ "bin/awk": "#!/bin/sh\nexit 1\n" });
  const env = { ...here.project.env, PATH: `${here.project.root}/bin:${here.project.env["PATH"]}` };
  const { out, exit } = here.runWith({ env }, "demo");
  expect(exit).toBe(1);
  expect(out).toContain("not as expected: the answer is pass, not deny");
  expect(out).toMatch(/\d+ answers of 16 not as expected\./);
});

const DENIED = {
  stdout: '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}',
  ...{ stderr: "no\n", exit: 2, ms: 1 },
};
const REWRITTEN = {
  stdout: '{"hookSpecificOutput":{"updatedInput":{"command":"ls"}}}',
  ...{ stderr: "", exit: 0, ms: 1 },
};
const TOLD = {
  stdout: '{"hookSpecificOutput":{"additionalContext":"rules"}}',
  ...{ stderr: "anyhook: Hook lint failed: exit 1\n", exit: 0, ms: 1 },
};

test.each([
  ["all holds", DENIED, "ok", { verdict: "deny", reason: "no" }, []],
  [
    "all holds, with a failure",
    TOLD,
    "failed",
    { verdict: "pass", context: "rules", fails: "lint" },
    [],
  ],
  ["another verdict", REWRITTEN, "ok", { verdict: "pass" }, ["the answer is rewrite, not pass"]],
  [
    "no block",
    REWRITTEN,
    "ok",
    { verdict: "deny" },
    ["the answer is rewrite, not deny", "the exit code is 0"],
  ],
  ["another reason", DENIED, "ok", { verdict: "deny", reason: "yes" }, ['the reason is "no"']],
  ["another context", TOLD, "ok", { verdict: "pass", context: "laws" }, ['the context is "rules"']],
  [
    "another command",
    REWRITTEN,
    "ok",
    { verdict: "rewrite", command: "ll" },
    ['the input is {"command":"ls"}'],
  ],
  ["a failure that was not expected", TOLD, "failed", { verdict: "pass" }, ["failed hooks: lint"]],
  ["no failure", TOLD, "ok", { verdict: "pass", fails: "lint" }, ["failed hooks: none"]],
  [
    "a failure that was not said",
    REWRITTEN,
    "failed",
    { verdict: "rewrite", fails: "lint" },
    ["the failure was not reported"],
  ],
] as const)("the demo notices: %s", (_, returned, status, expectation: Expectation, found) => {
  const hooks = [{ name: "lint", status, exit: 1, verdict: "pass", ms: 1 }];
  const entry = parseEntry(
    JSON.stringify({ v: 1, event: "Stop", hooks, decision: { verdict: "pass" } }),
  );
  expect(broken(expectation, returned, understood(returned), entry)).toEqual(found);
});

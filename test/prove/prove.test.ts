import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/prove/prove.ts";
import { fingerprints, touched } from "../../src/prove/untouched.ts";
import { makeProject } from "../_dispatch.ts";
import { anyhook, deafMachine } from "./_machine.ts";

const DEAF = "the client asked the model nothing and ended with 0";

describe("a client that takes no notice of hooks", () => {
  test("is found out, and nothing of the person's is touched or left behind", async () => {
    const machine = deafMachine("exit 0");
    const settings = join(machine.project.home, ".claude/settings.json");
    const { status, stdout } = await anyhook(machine, ["prove", "--event", "PreToolUse", "--json"]);
    const report = JSON.parse(stdout) as Report;
    expect(status).toBe(1);
    expect(report).toMatchObject({
      ok: false,
      touched: [],
      clients: [
        {
          harness: "claude-code",
          version: "9.9.9",
          connection: "fresh",
          timing: null,
          events: [{ event: "PreToolUse", state: "failed", why: DEAF, fired: 0 }],
          hooks: [{ hook: "watch", state: "fails", why: `it never fired: ${DEAF}` }],
        },
      ],
    });
    expect(readFileSync(settings, "utf8")).toBe('{ "theirs": true }\n');
    expect(readdirSync(machine.tmp)).toEqual([]);
  });

  test("says so to people, with the hook by name", async () => {
    const machine = deafMachine("exit 0");
    const { stdout } = await anyhook(machine, ["prove", "--hook", "watch"]);
    expect(stdout).toContain(`does not hold in Claude Code 9.9.9: it never fired: ${DEAF}`);
    expect(stdout).toContain("not connected in your settings");
    const whole = await anyhook(machine, ["prove", "--event", "PreToolUse"]);
    expect(whole.stdout).toMatch(
      /^Hooks of our own, .*: how often the event came .*\n\nClaude Code 9\.9\.9\n +event +times fired +order kept/,
    );
  });
});

test("an interrupt ends the client and removes the stage", async () => {
  const machine = deafMachine("sleep 300");
  const { tmp } = machine;
  const isPlaying = (): boolean =>
    readdirSync(tmp).some((name) => existsSync(join(tmp, name, "home/.claude")));
  const { status } = await anyhook(machine, ["prove", "--event", "PreToolUse"], (pid) => {
    const timer = setInterval(() => {
      if (!isPlaying()) return;
      clearInterval(timer);
      setTimeout(() => process.kill(pid, "SIGINT"), 300);
    }, 50);
  });
  expect(status).toBe(130);
  expect(readdirSync(tmp)).toEqual([]);
});

test("wrong words are wrong usage, and a hook or harness that is not there is said", async () => {
  const machine = deafMachine("exit 0");
  expect(await anyhook(machine, ["prove", "--event", "PreToolUs"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("did you mean PreToolUse?") as string,
  });
  expect(await anyhook(machine, ["prove", "--hook", "nobody"])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is no hook "nobody" here') as string,
  });
  const { status, stdout } = await anyhook(machine, ["prove", "--harness", "codex"]);
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringContaining("Codex CLI: it is not on this machine") as string,
  });
});

test("who is named has to be proven: the client's own words, and exit 1", async () => {
  const machine = deafMachine("exit 0");
  const codex = join(machine.project.base, "bin/codex");
  writeFileSync(codex, '#!/bin/sh\necho "Error: native binary 1.2 not installed." >&2\nexit 1\n');
  chmodSync(codex, 0o755);
  // An event that nobody plays: what was played holds.
  const holds = ["prove", "--event", "Notification"];
  expect((await anyhook(machine, holds)).status).toBe(0);
  const named = await anyhook(machine, [...holds, "--harness", "claude,codex"]);
  expect(named.status).toBe(1);
  expect(named.stdout).toContain(
    `Codex CLI: ${codex} does not say its version, but: Error: native binary 1.2 not installed.`,
  );
  expect(named.stdout).toMatch(/\n\nNamed, and not proven: Codex CLI\.\n$/);
  const asked = await anyhook(machine, [...holds, "--harness", "claude,codex", "--json"]);
  expect((JSON.parse(asked.stdout) as Report).ok).toBe(false);
});

test("a file that changed is seen", () => {
  const project = makeProject({ "a.txt": "one" });
  const [file, gone] = [join(project.root, "a.txt"), join(project.root, "b")];
  const before = fingerprints([project.root, file, gone]);
  expect(touched(before, fingerprints([project.root, file, gone]))).toEqual([]);
  writeFileSync(file, "two");
  expect(touched(before, fingerprints([project.root, file, gone]))).toEqual([project.root, file]);
  project.remove();
});

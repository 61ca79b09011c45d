import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Report } from "../../src/prove/prove.ts";
import { makeProject, type Project } from "../_dispatch.ts";
import { clientOf, PINNED } from "./_clients.ts";

const projects: Project[] = [];
afterEach(() => projects.splice(0).forEach((one) => one.remove()));

/** A person's home with a connection, which is then broken, and what `prove` says about it. */
function proved(harness: string, breaks: (home: string) => void, ...install: string[]): Report {
  const project = makeProject({
    ".anyhook/hooks.json": JSON.stringify({
      hooks: [{ name: "watch", events: ["PreToolUse"], command: "true" }],
    }),
  });
  projects.push(project);
  project.env["ANYHOOK_CLIENT_PROGRAMS"] = process.env["ANYHOOK_CLIENT_PROGRAMS"] ?? "{}";
  const installed = project.cli("install", "--harness", harness, "--yes", ...install);
  expect(installed.status, installed.stderr).toBe(0);
  breaks(project.home);
  const words = [
    "prove",
    "--harness",
    harness,
    "--event",
    "PreToolUse",
    "--hook",
    "watch",
    "--json",
  ];
  const { stdout, stderr } = project.cli(...words);
  expect(stdout, stderr).not.toBe("");
  return JSON.parse(stdout) as Report;
}

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, "utf8")));

const fires = (harness: string): object => ({
  ok: true,
  touched: [],
  clients: [
    { harness, connection: "theirs", causes: [], hooks: [{ hook: "watch", state: "holds" }] },
  ],
});

const broken = (harness: string, cause: string): object => ({
  ok: false,
  touched: [],
  clients: [
    {
      harness,
      connection: "theirs",
      causes: [expect.stringContaining(cause) as string],
      hooks: [{ hook: "watch", state: "fails", why: "it never fired" }],
    },
  ],
});

const isHere = (harness: string): boolean =>
  clientOf(PINNED.find((one) => one.harness === harness)!).command.length > 0;

const shim = (home: string): string => join(home, ".local/state/anyhook/bin/dispatch");

describe.skipIf(!isHere("claude-code"))("a connection of Claude Code", () => {
  const settings = (home: string): string => join(home, ".claude/settings.json");

  test("that is whole is proven as it is", () => {
    expect(proved("claude-code", () => undefined)).toMatchObject(fires("claude-code"));
  });

  test("with a path that leads nowhere is found and named", () => {
    const report = proved("claude-code", (home) => rmSync(shim(home)));
    expect(report).toMatchObject(broken("claude-code", "which the harness calls, does not exist"));
  });

  test("with a dead matcher is found and named", () => {
    const report = proved("claude-code", (home) =>
      edit(settings(home), (text) =>
        text.replace(/("PreToolUse": \[\s*\{)/, '$1 "matcher": "bash",'),
      ),
    );
    expect(report).toMatchObject(broken("claude-code", 'has the matcher "bash"'));
  });

  test("with hooks switched off is found and named", () => {
    const report = proved("claude-code", (home) =>
      edit(settings(home), (text) => text.replace("{", '{ "disableAllHooks": true,')),
    );
    expect(report).toMatchObject(broken("claude-code", "disableAllHooks is true"));
  });

  test("with settings that are no JSON is found and named", () => {
    const report = proved("claude-code", (home) => appendFileSync(settings(home), "}"));
    expect(report).toMatchObject(broken("claude-code", "settings.json"));
  });
});

describe.skipIf(!isHere("codex"))("a connection of Codex", () => {
  test("that is trusted is proven as it is", () => {
    expect(proved("codex", () => undefined, "--trust")).toMatchObject(fires("codex"));
  });

  test("that is not trusted is found and named", () => {
    expect(proved("codex", () => undefined)).toMatchObject(
      broken("codex", "does not trust our entries"),
    );
  });

  test("with hooks switched off is found and named", () => {
    const report = proved(
      "codex",
      (home) => appendFileSync(join(home, ".codex/config.toml"), "\n[features]\nhooks = false\n"),
      "--trust",
    );
    expect(report).toMatchObject(broken("codex", "features.hooks is false"));
  });

  test("with an entry that nobody knows is found and named", () => {
    const report = proved(
      "codex",
      (home) =>
        edit(join(home, ".codex/hooks.json"), (text) => text.replace("{", '{ "surprise": 1,')),
      "--trust",
    );
    expect(report).toMatchObject(broken("codex", "surprise"));
  });
});

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLI, makeProject, type Project } from "../_dispatch.ts";

let project: Project;
beforeEach(() => {
  project = makeProject({
    "home/.claude/settings.json": '{\n  "model": "opus"\n}\n',
    "home/.codex/config.toml": "# mine\n",
    ".anyhook/hooks/guard.sh":
      "#!/bin/sh\n# Hook: guard\n# Event: PreCompact, TaskCompleted\n# Block: true\nexit 0\n",
  });
  // Harnesses that this machine has by chance are not found.
  project.env["PATH"] = "/usr/bin:/bin";
});
afterEach(() => project.remove());

const home = (path: string): string => join(project.home, path);
const settings = (): string => readFileSync(home(".claude/settings.json"), "utf8");

/** Every file below the home with its content. */
function snapshot(): Record<string, string> {
  const names = readdirSync(project.home, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, "utf8")]));
}

interface Said {
  readonly scope: string;
  readonly written: boolean;
  readonly harnesses: readonly {
    readonly harness: string;
    readonly state: string;
    readonly files: readonly {
      readonly file: string;
      readonly action: string;
      readonly diff: string;
    }[];
    readonly notes: readonly string[];
    readonly limits: readonly { readonly hook: string; readonly message: string }[];
    readonly refusal?: { readonly line: number };
  }[];
}

const json = (...args: string[]): Said => JSON.parse(project.cli(...args, "--json").stdout) as Said;

describe("consent", () => {
  test("--dry-run shows the change as a diff and writes nothing", () => {
    const before = snapshot();
    const { status, stdout } = project.cli("install", "--dry-run");
    expect(status).toBe(0);
    expect(stdout).toContain(`--- ${home(".claude/settings.json")}`);
    expect(stdout).toMatch(/^ {2}-.*"model": "opus"$/m);
    expect(stdout).toMatch(/^ {2}\+ {4}"PreToolUse": \[$/m);
    expect(stdout).toContain("--- /dev/null");
    expect(stdout).toContain("Nothing was written.");
    expect(snapshot()).toEqual(before);
  });

  test("without a terminal and without --yes nothing is written, exit 2", () => {
    const before = snapshot();
    const { status, stdout } = project.cli("install");
    expect({ status, last: stdout.trim().split("\n").at(-1) }).toEqual({
      status: 2,
      last: "Nothing was written. Say --yes to write this.",
    });
    expect(snapshot()).toEqual(before);
    expect(project.cli("install", "--yes").status).toBe(0);
    expect(settings()).toContain("claude-code PreToolUse");
    const installed = snapshot();
    expect(project.cli("uninstall").status).toBe(2);
    expect(project.cli("uninstall", "--dry-run").status).toBe(0);
    expect(snapshot()).toEqual(installed);
  });

  const hasScript = spawnSync("sh", ["-c", "command -v script"]).status === 0;
  const onTerminal = (words: string, input: string): string => {
    const command = `'${process.execPath}' '${CLI}' ${words}`;
    const env = { ...project.env, TERM: "dumb" };
    const options = { cwd: project.root, env, input, encoding: "utf8" } as const;
    return spawnSync("script", ["-qec", command, "/dev/null"], options).stdout.replaceAll("\r", "");
  };

  test.skipIf(!hasScript)("what trust writes is shown before it is asked about", () => {
    const stdout = onTerminal("install --harness codex", "y\ny\n");
    const [before, trust = ""] = stdout.split("Write this? [y/N]");
    expect(before).not.toContain("trusted_hash");
    const [shown] = trust.split("Write this down as trusted, too? [y/N]");
    const lines = readFileSync(home(".codex/config.toml"), "utf8").split("\n");
    const written = lines.filter((line) => line.includes("hooks.state") || line.includes("_hash"));
    expect(written).toHaveLength(22);
    expect(written.filter((line) => !shown!.includes(`+${line}`))).toEqual([]);
  });

  test.skipIf(!hasScript)("right above the question stands what it is about, in short", () => {
    const stdout = onTerminal("install", "n\n");
    const [before = "", after] = stdout.split("\n\nWrite this? [y/N]");
    expect(before.split("\n\n").slice(-2).join("\n\n")).toMatch(
      /^Claude Code: to be connected, 14 events in .*settings\.json\n {2}note: .*\n\nCodex CLI: to be connected, 11 events in .*hooks\.json\n {2}note: .* --trust/,
    );
    expect(after!.trim().split("\n").at(-1)).toBe("Nothing was written.");
    expect(after).not.toContain("PreToolUse");
    const { stdout: piped } = project.cli("install");
    expect(
      piped
        .trimEnd()
        .split("\n\n")
        .slice(-3)
        .map((part) => part.split(":")[0]),
    ).toEqual(["Claude Code", "Codex CLI", "Nothing was written. Say --yes to write this."]);
  });

  test("with --trust nothing is said about what is not trusted", () => {
    const dry = (...more: string[]): string =>
      project.cli("install", "--harness", "codex", "--dry-run", ...more).stdout;
    expect(dry()).toContain("skips entries that you do not trust");
    expect(dry("--trust")).not.toContain("skips entries that you do not trust");
    expect(dry("--trust")).toMatch(/11 events in .*hooks\.json; to be trusted in .*config\.toml\n/);
  });

  test.skipIf(!hasScript).each([
    ["y\ny\n", true, true],
    ["y\nn\n", true, false],
    ["n\n", false, false],
    ["\n", false, false],
  ])("on a terminal it asks: %j", (answer, written, trusted) => {
    const stdout = onTerminal("install", answer);
    expect(stdout).toContain("Write this? [y/N]");
    expect(settings().includes("claude-code PreToolUse")).toBe(written);
    const config = readFileSync(home(".codex/config.toml"), "utf8");
    expect(config.includes("trusted_hash")).toBe(trusted);
  });
});

describe("what it says", () => {
  test("JSON: files, notes and what hooks cannot do there", () => {
    const said = json("install", "--yes");
    expect(said).toMatchObject({
      scope: "user",
      written: true,
      harnesses: [
        {
          harness: "claude-code",
          state: "changed",
          files: [{ file: home(".claude/settings.json"), action: "changed" }],
          limits: [],
        },
        {
          harness: "codex",
          state: "changed",
          files: [{ file: home(".codex/hooks.json"), action: "created" }],
          limits: [
            { hook: "guard", message: "a deny becomes a halt at PreCompact" },
            { hook: "guard", message: "never runs: Codex CLI has no TaskCompleted" },
          ],
        },
      ],
    });
    const again = json("install", "--yes");
    expect(again.harnesses.map(({ state }) => state)).toEqual(["unchanged", "unchanged"]);
    expect(again.written).toBe(false);
  });

  test("a switch that is off is reported and left as it is", () => {
    project.write({
      "home/.claude/settings.json": '{"disableAllHooks":true}',
      "home/.codex/config.toml": "[features]\nhooks = false\n",
    });
    const { harnesses } = json("install", "--yes");
    expect(harnesses.map(({ notes }) => notes[0])).toEqual([
      `its hooks are switched off: disableAllHooks is true in ${home(".claude/settings.json")}; that is left as it is`,
      `its hooks are switched off: features.hooks is false in ${home(".codex/config.toml")}; that is left as it is`,
    ]);
    expect(settings()).toContain('"disableAllHooks":true');
    expect(readFileSync(home(".codex/config.toml"), "utf8")).toBe("[features]\nhooks = false\n");
  });

  test("one file that is refused does not keep the others from being connected", () => {
    project.write({ "home/.claude/settings.json": '{\n  "a": }\n' });
    const { status, stdout } = project.cli("install", "--yes");
    expect(status).toBe(1);
    expect(stdout).toContain(`${home(".claude/settings.json")}:2:8: left alone: not JSON`);
    expect(existsSync(home(".codex/hooks.json"))).toBe(true);
    expect(settings()).toBe('{\n  "a": }\n');
  });

  test.each([
    [["--scope", "elsewhere"], 2, 'there is no scope "elsewhere"'],
    [["--harness", "cloud"], 2, 'there is no harness "cloud"'],
    [["--harness", "codex", "--scope", "local"], 1, "Codex CLI has no settings of the scope local"],
  ])("%j", (args, status, message) => {
    const said = project.cli("install", "--yes", ...args);
    expect(said.status).toBe(status);
    expect(said.stderr).toContain(message);
  });

  test("only trust is new: that is said, and then nothing about sessions that run", () => {
    const install = (...more: string[]): string =>
      project.cli("install", "--harness", "codex", "--yes", ...more).stdout;
    expect(install()).toMatch(/connected, 11 events in .*hooks\.json\n[^]*sessions that run now/);
    expect(install("--trust")).toMatch(/^Codex CLI: trusted in .*config\.toml\n/);
    const again = install("--trust");
    expect(again).toContain("nothing to change");
    expect(again).not.toContain("sessions that run now");
  });

  test("no harness at all", () => {
    const empty = makeProject();
    try {
      const bare = { ...empty.env, PATH: "/usr/bin:/bin" };
      const { status, stderr } = spawnSync(process.execPath, [CLI, "install"], {
        ...{ cwd: empty.root, env: bare, encoding: "utf8" },
      });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: "anyhook: no harness was found on this machine\n  name one with --harness\n",
      });
    } finally {
      empty.remove();
    }
  });
});

describe("scopes", () => {
  test("a project's settings name nothing of this machine", () => {
    expect(project.cli("install", "--scope", "project", "--yes").status).toBe(0);
    const text = readFileSync(join(project.root, ".claude/settings.json"), "utf8");
    expect(text).toContain("claude-code PreToolUse");
    expect(text).not.toContain(project.base);
    expect(text).not.toContain(process.execPath);
    expect(settings()).toBe('{\n  "model": "opus"\n}\n');
  });

  test("a harness that is found and has no such scope is named", () => {
    const said = JSON.parse(
      project.cli("install", "--scope", "local", "--dry-run", "--json").stdout,
    ) as { without: string[]; harnesses: { harness: string }[] };
    expect(said.without).toEqual(["codex"]);
    expect(said.harnesses.map(({ harness }) => harness)).toEqual(["claude-code"]);
  });

  test("uninstall --all finds every scope and project", () => {
    const before = snapshot();
    const other = makeProject();
    const cli = (...args: string[]): number | null =>
      spawnSync(process.execPath, [CLI, ...args], { cwd: other.root, env: project.env }).status;
    try {
      expect(project.cli("install", "--yes", "--trust").status).toBe(0);
      expect(
        project.cli("install", "--scope", "local", "--harness", "claude", "--yes").status,
      ).toBe(0);
      expect(cli("install", "--scope", "project", "--yes")).toBe(0);
      expect(existsSync(join(other.root, ".codex/hooks.json"))).toBe(true);
      expect(project.cli("uninstall", "--all", "--yes").status).toBe(0);
      expect(readdirSync(other.root)).toEqual([".anyhook"]);
      expect(readdirSync(project.root)).toEqual([".anyhook"]);
      const store = home(".local");
      const after = Object.entries(snapshot()).filter(([file]) => !file.startsWith(store));
      expect(Object.fromEntries(after)).toEqual(before);
      expect(existsSync(join(store, "state/anyhook/bin"))).toBe(false);
    } finally {
      other.remove();
    }
  });
});

test("fifty installers at once leave one entry per event", async () => {
  const one = (): Promise<number | null> =>
    new Promise((resolve) => {
      const args = [CLI, "install", "--harness", "claude", "--yes"];
      const child = spawn(process.execPath, args, {
        cwd: project.root,
        env: project.env,
        stdio: "ignore",
      });
      child.on("close", resolve);
    });
  const exits = await Promise.all(Array.from({ length: 50 }, one));
  expect(exits).toEqual(exits.map(() => 0));
  const { hooks } = JSON.parse(settings()) as { hooks: Record<string, unknown[]> };
  expect(Object.values(hooks).map((list) => list.length)).toEqual(Object.keys(hooks).map(() => 1));
  expect(Object.keys(hooks)).toHaveLength(14);
  expect(readdirSync(home(".claude"))).toEqual(["settings.json"]);
  project.cli("uninstall", "--yes");
  expect(settings()).toBe('{\n  "model": "opus"\n}\n');
}, 180_000);

import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { storeRoot } from "../../src/dispatch/layout.ts";
import { place, type Place } from "../cli/_cli.ts";

interface Finding {
  readonly harness: string;
  readonly check: string;
  readonly grade: string;
  readonly message: string;
  readonly fix: string;
}

interface Machine extends Place {
  readonly home: string;
  readonly put: (path: string, text: string) => string;
  readonly found: (...args: string[]) => Finding[];
  /** check → grade, for one harness, what is fine left out. */
  readonly wrong: (harness: string) => Record<string, string>;
}

/** A person with a Claude Code and a Codex, by the files and programs that they have. */
function machine(files: Record<string, string> = {}): Machine {
  const here = place(files);
  const home = here.project.env["HOME"]!;
  const put = (path: string, text: string): string => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    return join(home, path);
  };
  put(".claude/settings.json", "{}\n");
  put(".codex/config.toml", 'model = "x"\n');
  chmodSync(put("bin/codex", "#!/bin/sh\necho codex-cli 0.166.0\n"), 0o755);
  const env = { ...here.project.env, PATH: `${home}/bin:${here.project.env["PATH"]}` };
  const runWith: Place["runWith"] = (more, ...args) => here.runWith({ env, ...more }, ...args);
  const run: Place["run"] = (...args) => runWith({}, ...args);
  const json: Place["json"] = (...args) =>
    JSON.parse(run(...args, "--json").out) as Record<string, unknown>;
  const found = (...args: string[]): Finding[] => json("doctor", ...args)["findings"] as Finding[];
  const wrong = (harness: string): Record<string, string> =>
    Object.fromEntries(
      found()
        .filter((one) => one.harness === harness && one.grade !== "ok" && one.grade !== "info")
        .map(({ check, grade }) => [check, grade]),
    );
  return { ...here, run, runWith, json, home, put, found, wrong };
}

const connected = (files: Record<string, string> = {}): Machine => {
  const here = machine(files);
  expect(here.run("install", "--yes", "--trust").exit).toBe(0);
  return here;
};

describe("doctor", () => {
  test("a machine where everything holds", () => {
    const here = connected();
    expect(here.run("doctor")).toMatchObject({ exit: 0 });
    expect(here.found().filter(({ harness }) => harness === "codex")).toMatchObject([
      { check: "version", grade: "ok", message: "Codex CLI 0.166.0 has hooks" },
      { check: "entries", grade: "ok" },
      { check: "path", grade: "ok" },
      { check: "trusted", grade: "ok" },
    ]);
  });

  test("a harness that is here and not connected, and one that is too old", () => {
    const here = machine();
    expect(here.wrong("claude-code")).toEqual({ connected: "error" });
    expect(here.run("doctor")).toMatchObject({ exit: 1 });
    chmodSync(here.put("bin/codex", "#!/bin/sh\necho codex-cli 0.98.0\n"), 0o755);
    expect(here.wrong("codex")).toEqual({ version: "warning" });
    expect(
      here.found("--harness", "codex").find(({ harness }) => harness === "codex")!.fix,
    ).toContain("anyhook lifecycle codex skill");
  });

  test("each kind of broken installation is named, with its fix", () => {
    const here = connected();
    const codex = join(here.home, ".codex/config.toml");
    const trusted = readFileSync(codex, "utf8");
    writeFileSync(codex, 'model = "x"\n');
    expect(here.wrong("codex")).toEqual({ trusted: "error" });
    writeFileSync(codex, `${trusted}\n[features]\nhooks = false\n`);
    expect(here.wrong("codex")).toEqual({ enabled: "error" });
    writeFileSync(codex, trusted);
    expect(here.wrong("codex")).toEqual({});
    const settings = join(here.home, ".claude/settings.json");
    const good = readFileSync(settings, "utf8");
    writeFileSync(settings, good.replace("{", '{ "disableAllHooks": true,'));
    expect(here.wrong("claude-code")).toEqual({ enabled: "error" });
    writeFileSync(settings, `${good}}`);
    expect(here.wrong("claude-code")).toEqual({ settings: "error" });
    expect(here.found().find(({ check }) => check === "settings")!.message).toMatch(
      /settings\.json:\d+:\d+: /,
    );
  });

  test.each([
    ["claude-code", ".claude/settings.json", '{\n  "a": oops }\n', /settings\.json:2:8: /],
    ["codex", ".codex/config.toml", "a = 1\nb = = 2\n", /config\.toml:2:\d+: not TOML/],
    ["gemini", ".gemini/settings.json", '{\n "hooks": [] }\n', /settings\.json:2:\d+: /],
  ])(
    "settings of %s that cannot be read, before and after it is connected",
    (id, path, text, at) => {
      const here = machine({});
      const told = (): string[] =>
        here
          .found("--harness", id)
          .filter(({ check }) => check === "settings")
          .map(({ message }) => message);
      expect(told()).toEqual([]);
      here.put(path, text);
      expect(told()).toEqual([expect.stringMatching(at)]);
      rmSync(join(here.home, path));
      here.run("install", "--harness", id, "--trust", "--yes");
      here.put(path, text);
      expect(told()).toEqual([expect.stringMatching(at)]);
      expect(here.run("doctor", "--harness", id).exit).toBe(1);
    },
  );

  test("a program that is not on PATH is named as the cause, and the connection is told", () => {
    const here = machine();
    rmSync(join(here.home, "bin/codex"));
    const env = { ...here.project.env, CODEX_HOME: join(here.home, "cx") };
    here.put("cx/config.toml", "");
    const detected = here.runWith({ env }, "detect").out;
    expect(detected).toContain("~/cx/config.toml exists");
    expect(detected).toMatch(/^--runtime auto means claude-code here: ~\/\.claude/m);
    expect(detected).toContain("no codex on PATH, so its version is unknown");
    expect(here.run("detect").out).toContain("~/.codex/config.toml exists");
    expect(here.wrong("codex")).toEqual({ version: "warning", connected: "warning" });
    here.run("install", "--harness", "codex", "--trust", "--yes");
    expect(here.wrong("codex")).toEqual({ version: "warning" });
    expect(here.found("--harness", "codex")).toContainEqual(
      expect.objectContaining({ check: "entries", grade: "ok" }),
    );
  });

  test("--fix puts our own things right, and nothing else", () => {
    const here = connected();
    const settings = join(here.home, ".claude/settings.json");
    const good = readFileSync(settings, "utf8");
    writeFileSync(settings, '{ "model": "opus" }\n');
    const shim = join(storeRoot(here.project.env), "bin/dispatch");
    chmodSync(shim, 0o644);
    expect(here.wrong("claude-code")).toEqual({ entries: "error", path: "error" });
    expect(here.run("doctor", "--fix")).toMatchObject({ exit: 0 });
    expect(here.wrong("claude-code")).toEqual({});
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({
      model: "opus",
      ...(JSON.parse(good) as object),
    });
    rmSync(shim);
    expect(here.wrong("codex")).toEqual({ path: "error" });
    here.run("doctor", "--fix");
    expect(here.wrong("codex")).toEqual({});
  });

  test("a matcher that can never match there", () => {
    const hooks = `hooks:
  - { name: patches, events: [PreToolUse], matcher: { tool_name: apply_patch }, command: "true" }
  - { name: both, events: [PreToolUse], matcher: { tool_name: apply_patch|Write }, command: "true" }
`;
    const here = connected({ ".anyhook/hooks.yaml": hooks });
    const dead = here.found().filter(({ check }) => check === "matcher");
    expect(dead.map(({ harness, message }) => [harness, message.split(":")[0]])).toEqual([
      ["claude-code", "patches can never fire at PreToolUse"],
    ]);
  });

  test("what is wrong with the hooks themselves, and with no harness at all", () => {
    const here = connected({
      ".anyhook/hooks.yaml": "hooks:\n  - { name: x, events: [Stopp], command: 'true' }\n",
    });
    expect(here.wrong("")).toEqual({ hooks: "error" });
    const empty = place();
    expect(empty.run("doctor").out).toContain("no harness was found on this machine");
  });
});

describe("validate --runtime", () => {
  test("auto verifies what was detected; a named one whether it is connected", () => {
    const here = machine();
    expect(here.json("validate", "--runtime", "auto")).toMatchObject({
      ok: false,
      runtime: {
        name: "claude-code",
        why: expect.stringContaining("settings.json exists") as string,
      },
    });
    const missing = here.run("validate", "--runtime", "claude");
    expect(missing).toMatchObject({ exit: 1 });
    expect(missing.out).toContain("anyhook install --harness claude-code");
    here.run("install", "--yes", "--trust");
    expect(here.run("validate", "--runtime", "claude")).toMatchObject({ exit: 0 });
    expect(here.json("validate", "--runtime", "codex")).toMatchObject({
      ok: true,
      runtime: { name: "codex" },
    });
    expect(here.json("validate", "--runtime", "manual")).toMatchObject({
      ok: true,
      runtime: { name: "manual" },
    });
  });

  test("a version without hooks: every hook that nothing brings about there is listed", () => {
    const here = machine({
      ".anyhook/hooks.yaml": `hooks:
  - { name: tool, events: [PreToolUse], command: "true" }
  - { name: start, events: [SessionStart], command: "true" }
  - { name: prompt, events: [UserPromptSubmit], block: true, command: "true" }
  - { name: other, events: [PreToolUse], harness: [gemini], command: "true" }
`,
    });
    const limits = (): unknown[] =>
      (
        here.json("validate", "--runtime", "codex")["limits"] as { hook: string; message: string }[]
      ).map(({ hook, message }) => [hook, message.split(":")[0]]);
    expect(limits()).toEqual([]);
    chmodSync(here.put("bin/codex", "#!/bin/sh\necho codex-cli 0.98.0\n"), 0o755);
    expect(limits()).toEqual([
      ["prompt", "cannot block"],
      ["tool", "never runs"],
    ]);
  });

  test("a harness that is not on this machine is no mistake of the hooks", () => {
    expect(place().json("validate", "--runtime", "codex")).toMatchObject({
      ok: true,
      runtime: {
        name: "codex",
        why: expect.stringContaining("no codex on PATH") as string,
        findings: [],
      },
    });
    expect(place().json("validate", "--runtime", "auto")).toMatchObject({
      ok: true,
      runtime: { name: "manual" },
    });
  });
});

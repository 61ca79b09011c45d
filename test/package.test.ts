import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REPO, readLedger } from "./_dispatch.ts";
import { blocksOf, deadLinks, pagesBelow } from "./_markdown.ts";

/** What users get: the packed tarball, installed with npm into a project that has nothing else. */
const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-package-")));
const home = join(base, "home");
const project = join(base, "app");
const env = {
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: home,
  ANYHOOK_MANAGED_ROOT: join(base, "etc"),
};
const anyhook = join(project, "node_modules/.bin/anyhook");

const run = (
  program: string,
  args: string[],
  input = "",
): { status: number | null; stdout: string; stderr: string } => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: project,
    env,
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

function write(path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (text.startsWith("#!")) chmodSync(file, 0o755);
}

beforeAll(() => {
  mkdirSync(home);
  mkdirSync(project);
  // No scripts: the build was done before the tests.
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", base], {
    cwd: REPO,
  });
  const tarball = readdirSync(base).find((name) => name.endsWith(".tgz"))!;
  writeFileSync(join(project, "package.json"), '{ "name": "app", "private": true }\n');
  const options = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, join(base, tarball)], {
    cwd: project,
    env,
    stdio: "pipe",
  });
}, 180_000);

afterAll(() => rmSync(base, { recursive: true, force: true }));

const { version } = JSON.parse(readFileSync(join(REPO, "package.json"), "utf8")) as {
  version: string;
};

describe("the packed package", () => {
  test("holds what it must and nothing else", () => {
    const names = readdirSync(join(project, "node_modules/anyhook")).toSorted();
    expect(names).toEqual([
      ".claude-plugin",
      "AGENTS.md",
      "ARCHITECTURE.md",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "dist",
      "docs",
      "examples",
      "hooks",
      "package.json",
      "packs",
      "schemas",
      "shell",
      "skills",
    ]);
  });

  test("every link of its pages leads to something in it", () => {
    const root = join(project, "node_modules/anyhook");
    const pages = pagesBelow(root);
    expect(pages.length).toBeGreaterThan(25);
    expect(pages.flatMap((page) => deadLinks(root, page))).toEqual([]);
    // Beside the package, and not in it.
    expect(existsSync(join(root, "../yaml"))).toBe(true);
    const outside = { file: "docs/x.md", text: "[a](cli.md) [b](../../yaml/README.md)" };
    expect(deadLinks(root, outside)).toEqual(["docs/x.md: ../../yaml/README.md"]);
  });

  test("README: what somebody does who has nothing but the package", () => {
    const readme = readFileSync(join(project, "node_modules/anyhook/README.md"), "utf8");
    const block = (part: string): string =>
      blocksOf(readme).find(({ language, code }) => language === "sh" && code.includes(part))!.code;
    const [, demo] = block("anyhook demo").split("\n");
    expect(demo).toMatch(/^anyhook demo\b/);
    const script = [
      `PATH="$PWD/node_modules/.bin:$PATH"`,
      demo!,
      "mkdir ../your-project && cd ..",
      ...block("no-force-push.sh").split("\n"),
      block("anyhook simulate"),
    ].join("\n");
    const ran = spawnSync("sh", ["-ec", script], { cwd: project, env, encoding: "utf8" });
    expect({ status: ran.status, stderr: ran.stderr }, ran.stdout).toEqual({
      status: 0,
      stderr: "",
    });
    const tried = ran.stdout.split("may block").at(-1)!;
    expect(tried.match(/^Reply: /gm)).toHaveLength(2);
    expect(tried.match(/^ {2}Decided by no-force-push /gm)).toHaveLength(3);
    rmSync(join(base, "your-project"), { recursive: true });
  });

  test("says its version", () => {
    expect(run(anyhook, ["--version"])).toMatchObject({ status: 0, stdout: `${version}\n` });
  });

  test("knows where its dispatcher is", () => {
    const { status, stdout } = run(anyhook, ["path", "dispatch"]);
    expect(status).toBe(0);
    expect(stdout.trim()).toBe(join(project, "node_modules/anyhook/shell/dispatch.sh"));
  });

  test("can be imported, with types beside it", () => {
    const code = 'import { deny } from "anyhook"; console.log(JSON.stringify(deny("no")));';
    expect(run(process.execPath, ["--input-type=module", "-e", code]).stdout).toBe(
      '{"decision":"block","reason":"no"}\n',
    );
  });
});

describe("the engine in a program of one's own", () => {
  test("runs a hooks file with a command and a TypeScript module, and needs no types of Node", () => {
    write(
      "agent/hooks.yaml",
      "hooks:\n  - { name: c, events: Stop, command: printf c }\n  - { name: m, events: Stop, block: true, module: m.ts }\n",
    );
    write(
      "agent/m.ts",
      'import { defineHook, deny } from "anyhook";\nexport default defineHook({ run: (): object => deny("not yet") });\n',
    );
    write(
      "agent/main.mjs",
      `import { HookEvents, HookExecutor } from "anyhook";
const executor = new HookExecutor({ hooksFile: import.meta.dirname + "/hooks.yaml" });
const { blocked, reason, outcomes } = await executor.execute(HookEvents.STOP);
console.log(JSON.stringify({ blocked, reason, ran: outcomes.map(({ name, status }) => name + " " + status) }));
`,
    );
    const ran = run(process.execPath, ["agent/main.mjs"]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toEqual({
      blocked: true,
      reason: "not yet",
      ran: ["c ok", "m ok"],
    });
    write(
      "types/main.mts",
      'import { HookExecutor, type HookResult } from "anyhook";\nexport const result: HookResult = await new HookExecutor({ hooks: [{ events: "Stop", command: "true" }] }).execute("Stop");\nexport const wrong: number = result.reason;\n',
    );
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--target",
      "es2023",
      "--module",
      "nodenext",
      "--types",
      "",
    ];
    const tsc = run(process.execPath, [
      join(REPO, "node_modules/typescript/bin/tsc"),
      ...options,
      "types/main.mts",
    ]);
    expect(tsc.stdout.trim().split("\n")).toEqual([
      expect.stringContaining("types/main.mts(3,14): error TS2322") as string,
    ]);
  });
});

describe("a dispatch through the packed dispatcher", () => {
  const payload = JSON.stringify({
    session_id: "s1",
    hook_event_name: "PreToolUse",
    cwd: project,
    tool_name: "Bash",
    tool_input: { command: "git push --force" },
    tool_use_id: "t1",
  });
  const dispatch = (harness: string) => {
    const script = run(anyhook, ["path", "dispatch"]).stdout.trim();
    return run(script, [harness, "PreToolUse"], payload);
  };

  test("runs a shell hook", () => {
    write(
      ".anyhook/hooks/no-force.sh",
      '#!/bin/sh\n# Hook: no-force\n# Event: PreToolUse\n# Matcher: tool_input.command ~ "--force"\n. "$ANYHOOK_LIB"\nhook_deny "not by force"\n',
    );
    expect(dispatch("codex")).toEqual({ status: 2, stdout: "", stderr: "not by force\n" });
  });

  test("runs a TypeScript hook, from the next event on", () => {
    write(
      ".anyhook/hooks/advise.ts",
      'import { context, defineHook } from "anyhook";\nexport default defineHook({ name: "advise", event: "PreToolUse", run: (event) => context(`you said ${event.tool_input?.["command"]}`) });\n',
    );
    rmSync(join(project, ".anyhook/hooks/no-force.sh"));
    const { status, stdout } = dispatch("claude");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: {
        additionalContext: expect.stringContaining("you said git push --force") as string,
      },
    });
    const ledger = run(anyhook, ["path", "ledger"]).stdout.trim();
    expect(readLedger(ledger).map((entry) => entry["lane"])).toEqual(["shell", "node"]);
  });

  test("brings the memory pack, its database and its rules for secrets", () => {
    write(".anyhook/settings.json", '{ "packs": ["anyhook/memory"] }');
    const script = run(anyhook, ["path", "dispatch"]).stdout.trim();
    const say = (event: string, session: string, more: object) =>
      run(script, ["codex", event], JSON.stringify({ session_id: session, cwd: project, ...more }));
    const secret = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
    const prompt = `#decision the key is ${secret}`;
    expect(say("UserPromptSubmit", "s1", { prompt })).toMatchObject({ status: 0, stderr: "" });
    expect(say("SessionStart", "s2", { source: "startup" }).stdout).toContain(
      "the key is [redacted]",
    );
    rmSync(join(project, ".anyhook/settings.json"));
  });
});

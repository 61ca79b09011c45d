import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { backUp } from "../../src/install/record.ts";
import { replaceFile } from "../../src/install/replace-file.ts";
import { type Site, siteOf } from "../../src/install/site.ts";
import { place, type Place } from "../cli/_cli.ts";
import { CLI, REPO } from "../_dispatch.ts";
import { put } from "./_site.ts";

const siteAt = ({ project }: Place): Site => siteOf(project.env, project.root, join(REPO, "shell"));

const GUARDED = `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"/opt/guard"}]}]}} \n`;

test("pipes in place of settings hang nobody", () => {
  const here = place({});
  const home = here.project.env["HOME"]!;
  const files = [".claude/settings.json", ".codex/hooks.json", ".codex/config.toml"];
  for (const file of files) {
    mkdirSync(join(home, file, ".."), { recursive: true });
    execFileSync("mkfifo", [join(home, file)]);
  }
  const said = [
    ["install", "--harness", "claude,codex", "--trust", "--yes"],
    ["import", "--dry-run"],
    ["doctor"],
    ["detect"],
  ].map((args) => {
    const { status, stdout } = spawnSync(process.execPath, [CLI, ...args], {
      cwd: here.project.root,
      env: here.project.env,
      encoding: "utf8",
      timeout: 60_000,
    });
    return [status, stdout] as const;
  });
  expect(said.map(([status]) => status)).toEqual([1, 1, expect.any(Number), 0]);
  expect(said[0]![1].match(/left alone: it is not a file/g)).toHaveLength(2);
});

test("a file that somebody saves at this very moment is not overwritten", () => {
  const here = place({});
  const real = put(join(here.project.root, "x.json"), "theirs");
  const change = { file: real, real, before: Buffer.from("old"), after: Buffer.from("ours") };
  expect(() => replaceFile(change)).toThrow("changed by somebody else");
  expect(readFileSync(real, "utf8")).toBe("theirs");
  replaceFile({ ...change, before: Buffer.from("theirs") });
  expect(readFileSync(real, "utf8")).toBe("ours");
});

test("what a killed installer left beside a file goes with the next one that writes it", () => {
  const here = place({});
  const file = put(join(here.project.env["HOME"]!, ".gemini/settings.json"), "{}");
  const { pid: dead } = spawnSync("true");
  put(join(file, `../.anyhook-${dead}-settings.json.tmp`), "{");
  const alive = put(join(file, `../.anyhook-${process.pid}-settings.json.tmp`), "{");
  here.run("install", "--harness", "gemini", "--yes");
  expect(readdirSync(join(file, "..")).toSorted()).toEqual([
    `.anyhook-${process.pid}-settings.json.tmp`,
    "settings.json",
  ]);
  rmSync(alive);
});

describe("imports", () => {
  test("can be undone to the byte after any number of other backups", () => {
    const here = place({});
    const home = here.project.env["HOME"]!;
    const file = put(join(home, ".claude/settings.json"), GUARDED);
    here.run("install", "--harness", "claude", "--yes");
    const before = readFileSync(file, "utf8");
    here.run("import", "--yes");
    expect(readFileSync(file, "utf8")).not.toContain("/opt/guard");
    const site = siteAt(here);
    for (let n = 0; n < 40; n++) backUp(site, "x.json", Buffer.from(String(n)));
    expect(readdirSync(join(site.store, "backups")).length).toBeLessThan(30);
    here.run("import", "--undo", "--yes");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("a damaged record is said, is not overwritten, and keeps nobody from leaving", () => {
    const here = place({});
    const home = here.project.env["HOME"]!;
    put(join(home, ".claude/settings.json"), GUARDED);
    here.run("install", "--harness", "claude", "--yes");
    const record = put(join(siteAt(here).store, "imported/user"), "{oops");
    for (const args of [
      ["import", "--yes"],
      ["import", "--undo", "--yes"],
    ])
      expect(here.run(...args).err).toMatch(/imported\/user is damaged[^]*move .* away to go on/);
    expect(readFileSync(record, "utf8")).toBe("{oops");
    expect(here.run("uninstall", "--harness", "claude", "--yes")).toMatchObject({ exit: 0 });
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe(GUARDED);
  });

  test("a file that was put back by hand is imported anew, and once", () => {
    const here = place({});
    const file = put(join(here.project.env["HOME"]!, ".claude/settings.json"), GUARDED);
    here.run("install", "--harness", "claude", "--yes");
    const before = readFileSync(file, "utf8");
    here.run("import", "--yes");
    writeFileSync(file, before);
    const { hooks, into } = here.json("import", "--yes") as { hooks: object[]; into: string };
    expect(hooks).toMatchObject([{ name: "imported/guard" }]);
    expect(readFileSync(into, "utf8").match(/"command": /g)).toHaveLength(1);
    writeFileSync(file, before);
    here.run("import", "--undo", "--yes");
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(here.run("list").out).not.toContain("imported/guard");
  });
});

describe("homes", () => {
  test("one whose name is not UTF-8 is refused; nothing is written into another one", () => {
    const here = place({});
    const base = join(here.project.root, "homes");
    mkdirSync(base);
    const run = `h="$(printf '%s/u\\351r' "$1")"; mkdir "$h"; HOME=$h exec "$2" "$3" install --harness claude --yes`;
    const { status, stderr } = spawnSync("sh", ["-c", run, "sh", base, process.execPath, CLI], {
      env: here.project.env,
      cwd: here.project.root,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([3, expect.stringContaining("HOME is not UTF-8")]);
    expect(readdirSync(base)).toHaveLength(1);
  });

  test.runIf(process.getuid?.() === 0)("sudo in somebody's home is refused", () => {
    const here = place({});
    const home = here.project.env["HOME"]!;
    execFileSync("chown", ["65534", home]);
    const as = (SUDO_UID: string): { exit: number | null; err: string } =>
      here.runWith(
        { env: { ...here.project.env, SUDO_UID } },
        "install",
        "--harness",
        "claude",
        "--yes",
      );
    expect(as("65534")).toMatchObject({ exit: 3, err: expect.stringMatching(/you are root, and/) });
    expect(readdirSync(home)).not.toContain(".claude");
    expect(as("1234")).toMatchObject({ exit: 0 });
    execFileSync("chown", ["0", home]);
  });
});

describe("pre-commit scripts that are not ours to edit", () => {
  const repository = () => {
    const here = place({});
    execFileSync("git", ["init", "-q", here.project.root]);
    const hook = join(here.project.root, ".git/hooks/pre-commit");
    mkdirSync(join(hook, ".."), { recursive: true });
    rmSync(hook, { force: true });
    return { ...here, hook };
  };

  test.each<[string, (hook: string) => void, RegExp]>([
    ["a program", (hook) => copyFileSync("/bin/true", hook), /not a text in UTF-8/],
    ["latin-1", (hook) => put(hook, Buffer.from("#!/bin/sh\n# \xe9t\xe9\n", "latin1")), /UTF-8/],
    ["a link", (hook) => symlinkSync(put(`${hook}.shared`, "#!/bin/sh\n"), hook), /is a link/],
    ["python", (hook) => put(hook, "#!/usr/bin/env python3\n"), /not a shell script/],
  ])("%s", (_, make, why) => {
    const { hook, run } = repository();
    make(hook);
    const [before, kind] = [readFileSync(hook), lstatSync(hook).mode];
    const { exit, err } = run("install", "--git-hooks", "--yes");
    expect([exit, err]).toEqual([expect.any(Number), expect.stringMatching(why)]);
    expect(exit).not.toBe(0);
    expect([readFileSync(hook).equals(before), lstatSync(hook).mode]).toEqual([true, kind]);
  });

  test("core.hooksPath: shared by all repositories is said; switched off is left so", () => {
    const { project, run } = repository();
    const set = (path: string): unknown =>
      execFileSync("git", ["-C", project.root, "config", "core.hooksPath", path]);
    const shared = join(tmpdir(), `anyhook-hooks-${process.pid}`);
    onTestFinished(() => rmSync(shared, { recursive: true, force: true }));
    mkdirSync(shared);
    set(shared);
    expect(run("install", "--git-hooks", "--yes").out).toContain(`that uses ${shared} is checked`);
    expect(run("uninstall", "--git-hooks", "--yes").exit).toBe(0);
    for (const off of ["/dev/null", ""]) {
      set(off);
      expect(run("install", "--git-hooks", "--yes").err).toMatch(/git looks for no hooks here/);
    }
    expect(readdirSync(project.root)).not.toContain("pre-commit");
  });
});

test("a folder where the state of a lifecycle should be is set aside, and said", () => {
  const here = place({});
  here.run("codex", "start", "--thread", "t");
  const folder = join(siteAt(here).store, "lifecycle/codex");
  const [file] = readdirSync(folder).filter((name) => name.endsWith(".started"));
  rmSync(join(folder, file!));
  mkdirSync(join(folder, file!));
  expect(here.run("codex", "status", "--thread", "t").out).toMatch(/damaged and set aside/);
  expect(here.json("codex", "start", "--thread", "t")).toMatchObject({ performed: true });
});

test.runIf(process.getuid?.() === 0)("a folder on PATH that we may not enter is no trouble", () => {
  const here = place({});
  const closed = join(here.project.root, "closed");
  mkdirSync(closed);
  chmodSync(here.project.root, 0o755);
  put(join(closed, "gemini"), "");
  chmodSync(closed, 0o700);
  const { status, stderr } = spawnSync(process.execPath, [CLI, "detect"], {
    env: { ...here.project.env, PATH: `${closed}:${process.env["PATH"]}` },
    ...{ uid: 65534, gid: 65534, encoding: "utf8" },
  });
  expect([status, stderr]).toEqual([0, ""]);
});

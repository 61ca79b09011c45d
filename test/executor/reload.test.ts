import { spawnSync } from "node:child_process";
import {
  closeSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { HookExecutor } from "../../src/index.ts";
import { bash, makeExecutor, makeFolder, type Watched } from "./_folder.ts";

const list = (...names: string[]): string =>
  ["hooks:", ...names.map((name) => entry(name)), ""].join("\n");

const entry = (name: string): string =>
  `  - { name: ${name}, events: [PRE_TOOL_USE], block: true, command: "exit 2" }`;

const names = async (executor: HookExecutor): Promise<string[]> =>
  (await executor.execute("PreToolUse", bash("ls"))).outcomes.map(({ name }) => name);

function watched(text = list("a"), file = "hooks.yaml") {
  const folder = makeFolder({ [file]: text });
  const path = join(folder.root, file);
  return { folder, path, executor: makeExecutor({ hooksFile: path, cwd: folder.root }) };
}

describe("what is no file of hooks leaves those from before in force", () => {
  const levels = 6000;
  test.each([
    ["lists", `hooks: ${"[".repeat(levels)}${"]".repeat(levels)}`],
    ["dashes", `hooks:\n  ${"- ".repeat(levels)}x`],
    ["maps", `hooks: ${"{a: ".repeat(levels)}${"}".repeat(levels)}`],
  ])("%s in one another", async (_, text) => {
    const { folder, executor } = watched();
    expect(await names(executor)).toEqual(["a"]);
    folder.write("hooks.yaml", text);
    expect(await names(executor)).toEqual(["a"]);
    expect(executor.warnings[0]?.message).toContain("nested more than 100 levels deep");
    folder.write("hooks.yaml", list("b"));
    expect(await names(executor)).toEqual(["b"]);
  });

  test.each([
    ["a pipe", (path: string) => void spawnSync("mkfifo", [path]), "not a regular file"],
    ["a device", (path: string) => symlinkSync("/dev/zero", path), "not a regular file"],
    [
      "gigabytes",
      (path: string) => {
        writeFileSync(path, "");
        truncateSync(path, 3 * 2 ** 30);
      },
      "too large",
    ],
  ])("%s", async (_, put, message) => {
    const { path, executor } = watched();
    expect(await names(executor)).toEqual(["a"]);
    rmSync(path);
    put(path);
    expect(await names(executor)).toEqual(["a"]);
    expect(await names(executor)).toEqual(["a"]);
    expect(executor.warnings.map((one) => one.message)).toEqual([expect.stringContaining(message)]);
    rmSync(path);
    writeFileSync(path, list("b"));
    expect(await names(executor)).toEqual(["b"]);
  });
});

describe("an edit takes effect at the next call", () => {
  test("in YAML and in JSON", async () => {
    const yaml = watched();
    expect(await names(yaml.executor)).toEqual(["a"]);
    yaml.folder.write("hooks.yaml", list("a", "b"));
    expect(await names(yaml.executor)).toEqual(["a", "b"]);
    const hooks = [{ events: "PRE_TOOL_USE", name: "j", command: "true" }];
    const json = watched(JSON.stringify({ hooks }), "hooks.json");
    expect(await names(json.executor)).toEqual(["j"]);
    json.folder.write("hooks.json", JSON.stringify({ hooks: [{ ...hooks[0], name: "k" }] }));
    expect(await names(json.executor)).toEqual(["k"]);
    expect([...yaml.executor.warnings, ...json.executor.warnings]).toEqual([]);
  });

  test("also one that keeps size and modification time", async () => {
    const { folder, path, executor } = watched();
    const { atime, mtime, size } = statSync(path);
    expect(await names(executor)).toEqual(["a"]);
    folder.write("hooks.yaml", list("b"));
    utimesSync(path, atime, mtime);
    expect(statSync(path)).toMatchObject({ size, mtime });
    expect(await names(executor)).toEqual(["b"]);
  });

  test("also several within one tick of the clock", async () => {
    const { folder, executor } = watched();
    for (let i = 0; i < 30; i++) {
      const name = String.fromCharCode(97 + (i % 26));
      folder.write("hooks.yaml", list(name));
      expect(await names(executor)).toEqual([name]);
    }
  });

  test("a touch alone compiles nothing", async () => {
    const { path, executor } = watched(list("a", "a"));
    await names(executor);
    expect(executor.warnings).toHaveLength(1);
    utimesSync(path, new Date(), new Date());
    await names(executor);
    expect(executor.warnings).toHaveLength(1);
  });

  test("in a module that a hook runs, and in what it imports", async () => {
    const folder = makeFolder({
      "hooks.yaml": "hooks: [{ name: m, events: PreToolUse, block: true, module: guard.ts }]\n",
      "guard.ts":
        'import { defineHook, deny } from "anyhook";\nimport { word } from "./word.ts";\nexport default defineHook({ run: () => deny(`${word} one`) });\n',
      "word.ts": 'export const word: string = "no";\n',
    });
    const executor = makeExecutor({ hooksFile: join(folder.root, "hooks.yaml"), cwd: folder.root });
    const reason = async (): Promise<string> =>
      (await executor.execute("PreToolUse", bash("ls"))).reason;
    expect(await reason()).toBe("no one");
    folder.write("word.ts", 'export const word: string = "not";\n');
    expect(await reason()).toBe("not one");
    folder.write("word.ts", "export const word: string = ;\n");
    expect(await reason()).toBe("not one");
    expect(executor.warnings).toHaveLength(1);
    expect(executor.warnings[0]!.message).toContain(`${join(folder.root, "word.ts")}:1`);
    expect(executor.warnings[0]!.message).toContain("As they were before: m.");
    folder.write("word.ts", 'export const word: string = "never";\n');
    expect(await reason()).toBe("never one");
    expect(executor.warnings).toHaveLength(1);
  });

  test("in the project's own .anyhook folder", async () => {
    const hook = (reason: string): string =>
      `#!/bin/sh\n# Hook: p\n# Event: PreToolUse\necho ${reason} >&2; exit 2\n`;
    const folder = makeFolder({ ".anyhook/hooks/p.sh": hook("one") });
    const env = { PATH: process.env["PATH"], HOME: join(folder.root, "home") };
    const executor = makeExecutor({ project: folder.root, env });
    expect((await executor.execute("PreToolUse", bash("ls"))).reason).toBe("one");
    folder.write(".anyhook/hooks/q.sh", hook("two").replace("Hook: p", "Hook: q"));
    expect((await executor.execute("PreToolUse", bash("ls"))).reason).toBe("one\ntwo");
  });
});

describe("one stat per call", () => {
  /** What was asked of the file system, through the functions that the library uses. */
  async function counted(executor: Watched): Promise<{ stats: number; reads: number }> {
    const stats = vi.spyOn(fs, "stat");
    const reads = vi.spyOn(fs, "open");
    syncBuiltinESMExports();
    try {
      await names(executor);
      return { stats: stats.mock.calls.length, reads: reads.mock.calls.length };
    } finally {
      stats.mockRestore();
      reads.mockRestore();
      syncBuiltinESMExports();
    }
  }

  test("and no read, once the file has been still for longer than a clock's tick", async () => {
    const { folder, executor } = watched();
    await names(executor);
    expect(await counted(executor)).toEqual({ stats: 1, reads: 1 });
    await sleep(2200);
    await names(executor);
    expect(await counted(executor)).toEqual({ stats: 1, reads: 0 });
    folder.write("hooks.yaml", list("z"));
    expect((await counted(executor)).reads).toBeGreaterThan(0);
    expect(await names(executor)).toEqual(["z"]);
  });
});

describe("the old hooks stay", () => {
  test("when the file is gone, and until it is back", async () => {
    const { folder, path, executor } = watched();
    expect(await names(executor)).toEqual(["a"]);
    rmSync(path);
    expect(await names(executor)).toEqual(["a"]);
    expect(executor.warnings).toEqual([]);
    folder.write("hooks.yaml", list("b"));
    expect(await names(executor)).toEqual(["b"]);
  });

  test.each([
    ["zero bytes", "", "hooks.yaml", "it says no hooks"],
    ["a comment", "# soon\n", "hooks.yaml", "it says no hooks"],
    ["nothing after hooks:", "hooks:\n", "hooks.yaml", "it says no hooks"],
    ["bad YAML", 'hooks:\n  - { name: "a\n', "hooks.yaml", "hooks.yaml:"],
    ["cut JSON", '{\n  "hooks": [\n    {"name": "a", "ev', "hooks.json", "hooks.json:3"],
    ["another list", "hook:\n  - 1\n", "hooks.yaml", "hooks.yaml:"],
  ])("%s: one warning that names the file and the error", async (_, text, file, part) => {
    const first = file.endsWith("json")
      ? '{"hooks":[{"name":"a","events":"PreToolUse","command":"exit 2","block":true}]}'
      : list("a");
    const { folder, executor } = watched(first, file);
    expect(await names(executor)).toEqual(["a"]);
    folder.write(file, text);
    for (let i = 0; i < 3; i++) expect(await names(executor)).toEqual(["a"]);
    expect(executor.warnings).toHaveLength(1);
    expect(executor.warnings[0]!.message).toContain(part);
    expect(executor.warnings[0]!.message).toContain("The hooks from before stay in force.");
    folder.write(file, first);
    expect(await names(executor)).toEqual(["a"]);
    expect(executor.warnings).toHaveLength(1);
  });

  test("a second broken version is a second warning", async () => {
    const { folder, executor } = watched();
    await names(executor);
    for (const text of ["hooks: [", "hooks: [ ["]) {
      folder.write("hooks.yaml", text);
      await names(executor);
      await names(executor);
    }
    expect(executor.warnings).toHaveLength(2);
  });

  test("hooks: [] is meant", async () => {
    const { folder, executor } = watched();
    expect(await names(executor)).toEqual(["a"]);
    folder.write("hooks.yaml", "hooks: []\n");
    expect(await names(executor)).toEqual([]);
    expect(executor.warnings).toEqual([]);
  });

  test("one entry that is bad now goes on as it was, the others as they are", async () => {
    const { folder, executor } = watched(list("a", "b"));
    await names(executor);
    folder.write("hooks.yaml", list("a", "b", "c").replace("PRE_TOOL_USE", "PRE_TOL_USE"));
    expect(await names(executor)).toEqual(["a", "b", "c"]);
    expect(executor.warnings).toHaveLength(1);
    expect(executor.warnings[0]!.message).toContain('did you mean "PreToolUse"?');
  });

  test("a file that was never there is said once, and read when it comes", async () => {
    const folder = makeFolder();
    const path = join(folder.root, "hooks.yaml");
    const executor = makeExecutor({ hooksFile: path, cwd: folder.root });
    expect(await names(executor)).toEqual([]);
    expect(await names(executor)).toEqual([]);
    expect(executor.warnings).toMatchObject([{ message: expect.stringContaining(path) as string }]);
    expect(await executor.check()).toMatchObject([{ file: path, code: "missing-file" }]);
    folder.write("hooks.yaml", list("a"));
    expect(await names(executor)).toEqual(["a"]);
  });

  test("a file that is broken from the start is said, and read when it is whole", async () => {
    const { folder, executor } = watched("hooks: [");
    expect(await names(executor)).toEqual([]);
    expect(executor.warnings[0]!.message).toContain("No hooks run until it is corrected.");
    folder.write("hooks.yaml", list("a"));
    expect(await names(executor)).toEqual(["a"]);
  });
});

/** A guard in memory costs no process, so that a thousand calls are quick. */
const GUARD = 'export default { run: () => ({ decision: "block", reason: "no" }) };\n';
const guards = (count: number): string =>
  [
    "hooks:",
    ...Array.from(
      { length: count },
      (_, i) =>
        `  - { name: g${i}, events: [PreToolUse], block: true, module: guard.mjs } # ${"x".repeat(i)}`,
    ),
    "",
  ].join("\n");

test("a hook that fails five times in a row is suspended for the session, until an edit", async () => {
  const failing = (name: string): string =>
    `hooks: [{ name: ${name}, events: PreToolUse, block: false, command: exit 1 }]\n`;
  const { folder, executor } = watched(failing("f"));
  const run = async (session_id: string): Promise<string> => {
    const { outcomes } = await executor.execute("PreToolUse", { ...bash("ls"), session_id });
    return outcomes.map(({ status }) => status).join();
  };
  for (let i = 0; i < 5; i++) expect(await run("one")).toBe("failed");
  expect(await run("one")).toBe("skipped");
  expect(await run("two")).toBe("failed");
  folder.write("hooks.yaml", `# mended\n${failing("f")}`);
  expect(await run("one")).toBe("failed");
});

describe("hostile editing", () => {
  test("write a temp file, then rename, 1000 times while hooks run: never without hooks", async () => {
    const { folder, path, executor } = watched(guards(1));
    folder.write("guard.mjs", GUARD);
    await names(executor);
    const edit = { done: false };
    const editing = (async () => {
      for (let i = 0; i < 1000; i++) {
        const temp = `${path}.${i}`;
        writeFileSync(temp, guards(1 + (i % 3)));
        renameSync(temp, path);
        await sleep(0);
      }
      edit.done = true;
    })();
    const seen = new Set<number>();
    while (!edit.done) seen.add((await names(executor)).length);
    await editing;
    seen.add((await names(executor)).length);
    expect([...seen].filter((count) => count === 0)).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
    expect(executor.warnings).toEqual([]);
    expect(await names(executor)).toEqual(["g0"]);
  });

  test("a writer that pauses in the middle is waited for, or the old hooks stay", async () => {
    const { folder, path, executor } = watched(guards(2));
    folder.write("guard.mjs", GUARD);
    expect(await names(executor)).toEqual(["g0", "g1"]);
    const text = guards(2).replaceAll("g0", "h0");
    for (let cut = 0; cut < text.length; cut += 15) {
      const file = openSync(path, "w");
      writeSync(file, text.slice(0, cut));
      const during = names(executor);
      await sleep(10);
      writeSync(file, text.slice(cut));
      closeSync(file);
      expect((await during).length).toBe(2);
    }
    expect(await names(executor)).toEqual(["h0", "g1"]);
    expect(executor.warnings).toEqual([]);
  });

  test("twenty calls at once after an edit: one compile, one warning, the same hooks", async () => {
    const { folder, executor } = watched(guards(1));
    folder.write("guard.mjs", GUARD);
    await names(executor);
    folder.write("hooks.yaml", "hooks: [");
    const results = await Promise.all(Array.from({ length: 20 }, () => names(executor)));
    expect(new Set(results.map(String))).toEqual(new Set(["g0"]));
    expect(executor.warnings).toHaveLength(1);
  });
});

describe("settings", () => {
  test("hooks_file, chain, blocking, permission and timeout come from a settings file", async () => {
    const folder = makeFolder({
      "etc/settings.json": JSON.stringify({
        hooks_file: "hooks.yaml",
        chain: "first-block",
        blocking: ["PRE_TOOL_USE"],
        timeout: "30s",
        permission: "before",
      }),
      "etc/hooks.yaml": list("a", "b"),
    });
    const asked: string[] = [];
    const executor = await HookExecutor.fromSettings(join(folder.root, "etc/settings.json"), {
      cwd: folder.root,
      permit: (event) => {
        asked.push(event.event);
        return "allow";
      },
    });
    expect(await executor.execute("PreToolUse", bash("ls"))).toMatchObject({
      blocked: true,
      outcomes: [{ name: "a" }, { name: "b", status: "skipped" }],
      permission: { when: "before", answer: "allow" },
    });
    expect(asked).toEqual(["PreToolUse"]);
    await executor.close();
  });

  test.each([
    ["{}", "says no hooks_file"],
    ['{ "hooks_file": "h.yaml", "hooks": {} }', "hooks: a program reads them from a file of"],
    ['{ "hooks_file": "h.yaml", "chian": "run-all" }', 'did you mean "chain"?'],
    ['{\n"hooks_file": "h.yaml",\n"permission": "never" }', "settings.json:3: permission:"],
  ])("%s is refused, with what to do", async (text, part) => {
    const folder = makeFolder({ "settings.json": text });
    await expect(HookExecutor.fromSettings(join(folder.root, "settings.json"))).rejects.toThrow(
      part,
    );
    await expect(HookExecutor.fromSettings(join(folder.root, "none.json"))).rejects.toThrow(
      "none.json: there is no such file",
    );
  });
});

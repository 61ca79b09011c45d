import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REPO } from "../_dispatch.ts";
import { makeFolder } from "./_folder.ts";

const library = JSON.stringify(join(REPO, "dist/index.js"));

const FILES = {
  "hooks.yaml":
    'hooks:\n  - { name: c, events: Stop, command: "cat >/dev/null; echo from a command" }\n  - { name: m, events: Stop, module: m.ts }\n',
  "m.ts":
    'import { context, defineHook } from "anyhook";\nexport default defineHook({ run: () => context("from a module") as never });\n',
  "main.mjs": `import { defineHook, HookExecutor } from ${library};
for (const options of [{ hooksFile: "hooks.yaml" }, { hooks: [defineHook({ event: "Stop", once: true, run: () => "f" })] }]) {
  const executor = new HookExecutor(options);
  for (let i = 0; i < 2; i++)
    console.log((await executor.execute("Stop", { session_id: "s" })).outcomes.map((o) => o.status).join());
}
`,
};

const OUT = "ok,ok\nok,ok\nok\nskipped\n";

function everything(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.toSorted().map((name) => {
    const { mtimeMs, mode, size } = statSync(join(folder, name));
    return `${name} ${mode} ${size} ${mtimeMs}`;
  });
}

describe("a program with the library in it", () => {
  test("writes nothing, needs no store, and ends by itself without close()", () => {
    const folder = makeFolder({ ...FILES, "home/.keep": "", "tmp/.keep": "" });
    const [home, tmp] = [join(folder.root, "home"), join(folder.root, "tmp")];
    for (const path of [home, tmp, folder.root]) chmodSync(path, 0o555);
    const before = everything(folder.root);
    const env = { PATH: process.env["PATH"], HOME: home, TMPDIR: tmp };
    const run = spawnSync(process.execPath, ["main.mjs"], {
      cwd: folder.root,
      env,
      encoding: "utf8",
      timeout: 30_000,
    });
    for (const path of [home, tmp, folder.root]) chmodSync(path, 0o755);
    expect({ out: run.stdout, err: run.stderr, status: run.status }).toEqual({
      out: OUT,
      err: "",
      status: 0,
    });
    expect(everything(folder.root).map((line) => line.replace(/ \d+ (\d+) /, " $1 "))).toEqual(
      before.map((line) => line.replace(/ \d+ (\d+) /, " $1 ")),
    );
  });

  test("runs where Node itself forbids every write", () => {
    const folder = makeFolder(FILES);
    const flag = ["--permission", "--experimental-permission"].find((name) =>
      process.allowedNodeEnvironmentFlags.has(name),
    )!;
    const may = ["--allow-fs-read=*", "--allow-child-process", "--allow-worker", "--no-warnings"];
    const run = spawnSync(process.execPath, [flag, ...may, "main.mjs"], {
      cwd: folder.root,
      encoding: "utf8",
      timeout: 30_000,
    });
    expect({ out: run.stdout, err: run.stderr, status: run.status }).toEqual({
      out: OUT,
      err: "",
      status: 0,
    });
    folder.write("write.mjs", 'import { writeFileSync } from "node:fs"; writeFileSync("x", "");');
    const denied = spawnSync(process.execPath, [flag, ...may, "write.mjs"], {
      cwd: folder.root,
      encoding: "utf8",
    });
    expect(denied.stderr).toContain("ERR_ACCESS_DENIED");
  });

  test("loads neither a parser nor a bundler before there are hooks to compile", () => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(join(REPO, "dist", file), "utf8");
      for (const [, to] of text.matchAll(/^(?:import|export)\b[^;]*?["']([^"']+)["'];/gms)) {
        if (to!.startsWith(".")) visit(join(file, "..", to!));
        else seen.add(to!);
      }
    };
    visit("index.js");
    const outside = [...seen].filter((name) => !name.endsWith(".js") && !name.startsWith("node:"));
    expect(seen.has("node:worker_threads")).toBe(true);
    expect(outside).toEqual([]);
  });
});

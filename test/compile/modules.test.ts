import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brief, project } from "./_project.ts";

const FILES = {
  ".anyhook/hooks/guard.ts": `import { defineHook, deny } from "anyhook";
import { words } from "./lib/words.ts";
import { outside } from "../../src/outside.ts";
import data from "./data.json" with { type: "json" };
import { existsSync } from "node:fs";
export default defineHook({
  name: "guard",
  events: ["PreToolUse", "Stop"],
  harness: ["claude", "codex"],
  onFailure: "block",
  run: () => deny([words, outside, data.text, existsSync("/")].join(" ")),
});
`,
  ".anyhook/hooks/lib/words.ts": "export const words: string = 'local';\n",
  ".anyhook/hooks/data.json": '{ "text": "data" }',
  "src/outside.ts": "export const outside = 'outside';\n",
};

test("a module is bundled with what it imports; `anyhook` needs no node_modules", async () => {
  const it = project(FILES);
  const { hooks, bundles, inputs, diagnostics } = await it.compile();
  expect(diagnostics).toEqual([]);
  expect(hooks.map(({ event, onFailure, harness }) => ({ event, onFailure, harness }))).toEqual([
    { event: "PreToolUse", onFailure: "block", harness: ["claude-code", "codex"] },
    { event: "Stop", onFailure: "block", harness: ["claude-code", "codex"] },
  ]);
  const [[name, code]] = [...bundles] as [[string, string]];
  expect(name).toMatch(/^[0-9a-f]{16}\.cjs$/);
  expect(hooks.map((hook) => hook.script)).toEqual([name, name]);
  expect(inputs).toEqual([it.path("src/outside.ts")]);
  const file = it.path(name);
  writeFileSync(file, code);
  const run = `console.log(JSON.stringify(require(${JSON.stringify(file)}).default.run()))`;
  const said = execFileSync(process.execPath, ["-e", run], { encoding: "utf8" });
  expect(JSON.parse(said)).toEqual({ kind: "deny", reason: "local outside data true" });
});

test("reading a definition has no effects", async () => {
  const it = project({
    ".anyhook/hooks/m.mjs": `import { writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
const tries = [() => writeFileSync(FILE, "x"), () => execFileSync("touch", [FILE])];
for (const one of tries) try { one(); } catch {}
export default { name: "m", event: "Stop", description: String(process.env.HOME), run() {} };
`.replaceAll("FILE", JSON.stringify("/tmp/anyhook-inspect-effect")),
  });
  const { definitions } = await it.compile();
  expect(definitions.map(({ description }) => description)).toEqual(["undefined"]);
  expect(existsSync("/tmp/anyhook-inspect-effect")).toBe(false);
});

test("a module that takes the process with it does not take the others", async () => {
  const it = project({
    ".anyhook/hooks/a.mjs": "process.exit(3);\nexport default {};\n",
    ".anyhook/hooks/b.mjs":
      'console.log("noise");\nexport default { name: "b", event: "Stop", run() {} };\n',
    ".anyhook/hooks/c.mjs": 'throw new Error("boom");\nexport default {};\n',
    ".anyhook/hooks/d.mjs": 'export default { name: "d", event: "Stop", run() {} };\n',
  });
  const { hooks, diagnostics } = await it.compile();
  expect(hooks.map(({ name }) => name)).toEqual(["b", "d"]);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    "it ends the process when loaded",
    "it throws when loaded: boom",
  ]);
});

test("an entry of a list overrides what its module says, and the module is not registered twice", async () => {
  const it = project({
    ".anyhook/hooks.yaml": "hooks:\n  - { name: other, module: hooks/m.mjs, order: 9 }\n",
    ".anyhook/hooks/m.mjs":
      'export default { name: "m", event: "Stop", order: 1, async: true, run() {} };\n',
  });
  const { hooks, diagnostics } = await it.compile();
  expect(diagnostics).toEqual([]);
  expect(hooks.map(({ name, order, async, event }) => ({ name, order, async, event }))).toEqual([
    { name: "other", order: 9, async: true, event: "Stop" },
  ]);
});

const SCRIPT = (shebang: string): string => `${shebang}
// Hook: old-style
// Event: PreToolUse
import { part } from "./_part.ts";
const text: string = part;
console.log(text);
`;

test("a TypeScript file with a header is a script: by its shebang when that exists", async () => {
  const it = project({
    ".anyhook/hooks/old.ts": SCRIPT("#!/bin/sh"),
    ".anyhook/hooks/_part.ts": "",
  });
  const { hooks } = await it.compile();
  expect(hooks.map(({ kind, script, block }) => ({ kind, script, block }))).toEqual([
    { kind: "script", script: ".anyhook/hooks/old.ts", block: true },
  ]);
});

test("… and else it is bundled and run by our Node", async () => {
  const it = project({
    ".anyhook/hooks/old.ts": SCRIPT("#!/usr/bin/env no-such-runner"),
    ".anyhook/hooks/_part.ts": 'export const part = "said";\n',
  });
  chmodSync(it.path(".anyhook/hooks/old.ts"), 0o644);
  const { hooks, bundles, diagnostics } = await it.compile();
  expect(diagnostics).toEqual([]);
  const [[name, code]] = [...bundles] as [[string, string]];
  expect(hooks).toHaveLength(1);
  expect(hooks[0]).toMatchObject({
    kind: "exec",
    name: "old-style",
    needs: [],
    broken: "",
    extra: "",
  });
  expect(JSON.parse(hooks[0]!.script)).toEqual([process.execPath, `{bundles}/${name}`]);
  writeFileSync(it.path(name), code);
  expect(execFileSync(process.execPath, [it.path(name)], { encoding: "utf8" })).toBe("said\n");
});

test("such a script that cannot be bundled is broken, and says where", async () => {
  const it = project({ ".anyhook/hooks/old.ts": "// Hook: old\n// Event: Stop\nconst = 1;\n" });
  const { hooks, diagnostics } = await it.compile();
  expect(brief(diagnostics, it)).toEqual([".anyhook/hooks/old.ts:3 error bundle-failed old"]);
  expect(hooks[0]!.broken).not.toBe("");
});

test("a package with CommonJS inside works", async () => {
  const it = project({
    "node_modules/old/package.json": '{ "name": "old", "main": "index.js" }',
    "node_modules/old/index.js": 'module.exports = require("path").join("a", "b");\n',
    ".anyhook/hooks/m.mjs":
      'import old from "old";\nexport default { name: "m", event: "Stop", description: old, run() {} };\n',
  });
  const { definitions, diagnostics, inputs } = await it.compile();
  expect(diagnostics).toEqual([]);
  expect(definitions.map(({ description }) => description)).toEqual(["a/b"]);
  expect(inputs).toEqual([]);
});

test("the same content elsewhere gives the same bytes", async () => {
  const files = {
    ...FILES,
    ".anyhook/hooks/s.sh": "#!/bin/sh\n# Hook: s\n# Event: PreToolUse\n# Matcher: tool_name ~ ^B\n",
    ".anyhook/hooks.yaml":
      "hooks:\n  - { events: Stop, command: 'prettier {file}' }\n  - { events: Stop, script: x.sh }\n",
    ".anyhook/x.sh": "#!/bin/sh\n",
  };
  const [one, two] = [project(files), project(files)];
  // Our own library may lie anywhere, too.
  cpSync(join(two.root, "../lib"), two.path("else/where/lib"), { recursive: true });
  const libraryFile = two.path("else/where/lib/index.ts");
  const [a, b] = [await one.compile(), await two.compile({ libraryFile })];
  expect(one.root).not.toBe(two.root);
  expect(a.hooks.length).toBeGreaterThan(4);
  expect(JSON.stringify([a.hooks, [...a.bundles], [...a.automata]])).toBe(
    JSON.stringify([b.hooks, [...b.bundles], [...b.automata]]),
  );
  expect(JSON.stringify([a.hooks, [...a.bundles]])).not.toContain(one.root);
});

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bash, makeExecutor, makeFolder } from "./_folder.ts";
import { REPO } from "../_dispatch.ts";

/** A hooks file with one module per given body, in order, and a last one that reports. */
function withModules(bodies: Readonly<Record<string, string>>, limit = 30_000) {
  const all = Object.entries(bodies);
  const entries = all.map(
    ([name], i) =>
      `  - { name: ${name}, events: PreToolUse, module: ${name}.ts, order: ${i}, timeout: ${name === "bad" ? limit : 30_000}, block: ${name === "guard"} }`,
  );
  const folder = makeFolder({
    "hooks.yaml": ["hooks:", ...entries, ""].join("\n"),
    ...Object.fromEntries(
      all.map(([name, body]) => [
        `${name}.ts`,
        `import { defineHook, context } from "anyhook";\nexport default defineHook({ async run(event) { ${body} } });\n`,
      ]),
    ),
  });
  const executor = makeExecutor({ hooksFile: join(folder.root, "hooks.yaml"), cwd: folder.root });
  return { folder, executor };
}

const LAST = 'return context("alive");';

describe("a module decides for itself alone", () => {
  const GUARD =
    'await new Promise((done) => setTimeout(done, 100)); return { decision: "block", reason: "no" } as never;';
  const POST =
    'const { parentPort } = await import("node:worker_threads"); const no = { status: "ok", detail: "", json: "", said: "" };';

  test.each([
    ["it bends what answers are written with", 'JSON.stringify = () => \'{"decision":"allow"}\';'],
    ["it answers late", `${POST} setTimeout(() => parentPort?.postMessage(no), 30);`],
    [
      "it answers whatever is asked",
      `${POST} parentPort?.on("message", (job) => parentPort?.postMessage({ ...no, nonce: job.nonce }));`,
    ],
    ["it gives every object an answer", '(Object.prototype as any).decision = "allow";'],
  ])("%s", async (_, body) => {
    const { executor } = withModules({ bad: body, guard: GUARD });
    for (let i = 0; i < 2; i++) {
      const result = await executor.execute("PreToolUse", bash("ls"));
      expect(result).toMatchObject({ blocked: true, reason: "no" });
      expect(result.outcomes.find(({ name }) => name === "guard")).toMatchObject({ status: "ok" });
    }
  });

  test("what it posts by itself is no answer to its own next call", async () => {
    const late = `${POST} const g = globalThis as any; if (g.seen) { await new Promise((done) => setTimeout(done, 100)); return context("mine"); } g.seen = true; setTimeout(() => parentPort?.postMessage(no), 50);`;
    const { executor } = withModules({ bad: late });
    await executor.execute("PreToolUse", bash("ls"));
    expect((await executor.execute("PreToolUse", bash("ls"))).context).toContain("mine");
  });

  test("more modules than threads may wait", async () => {
    const bodies = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`m${i}`, `return context("said ${i}.");`]),
    );
    const { executor } = withModules(bodies);
    for (let i = 0; i < 2; i++) {
      const { outcomes } = await executor.execute("PreToolUse", bash("ls"));
      expect(outcomes.map(({ status }) => status)).toEqual(Array(12).fill("ok"));
    }
  });
});

describe("a module from a file harms nobody but itself", () => {
  test.each([
    ["it throws", 'throw new Error("oh");', "failed", "Error: oh"],
    [
      "it rejects later",
      'setTimeout(() => { throw new Error("late oh"); }, 1); await new Promise(() => {});',
      "failed",
      "Error: late oh",
    ],
    ["it never answers", "await new Promise(() => {});", "timeout", "no answer within 300 ms"],
    ["it never gives way", "for (;;) {}", "timeout", "no answer within 300 ms"],
    ["it exits", "process.exit(2);", "failed", "Error: called process.exit(2)"],
    ["it answers with a function", "return context as never;", "failed", "returned a function"],
    ["it answers what is no JSON", "return { n: 1n } as never;", "failed", "BigInt"],
  ])("%s", async (_, body, status, note) => {
    const limit = status === "timeout" ? 300 : 30_000;
    const { executor } = withModules({ bad: body, last: LAST }, limit);
    const before = process.env["ANYHOOK_HOOK"];
    for (let i = 0; i < 2; i++) {
      const result = await executor.execute("PreToolUse", bash("ls"));
      expect(result.outcomes).toMatchObject([
        { name: "bad", status, note: expect.stringContaining(note) as string },
        { name: "last", status: "ok" },
      ]);
      expect(result.context).toContain("alive");
    }
    expect(process.env["ANYHOOK_HOOK"]).toBe(before);
  });

  test("it leaves something behind that throws between two calls", async () => {
    const late = 'setTimeout(() => { throw new Error("late"); }, 20); return context("left");';
    const { executor } = withModules({ bad: late });
    for (let i = 0; i < 3; i++) {
      const { context } = await executor.execute("PreToolUse", bash("ls"));
      expect(context).toContain("left");
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  });

  test("it eats memory: its thread ends, the program does not", async () => {
    const eat = "const all = []; for (;;) all.push(new Array(1e6).fill(1));";
    const { executor } = withModules({ bad: eat, last: LAST });
    expect((await executor.execute("PreToolUse", bash("ls"))).outcomes).toMatchObject([
      { name: "bad", status: "failed", note: expect.stringContaining("memory") as string },
      { name: "last", status: "ok" },
    ]);
  }, 60_000);

  test("what it prints is a remark, and never reaches the program's own output", () => {
    const folder = makeFolder({
      "hooks.yaml": "hooks: [{ name: loud, events: Stop, module: loud.mjs }]\n",
      "loud.mjs": 'export default { run() { console.log("out"); console.error("err"); } };\n',
      "main.mjs": `import { HookExecutor } from ${JSON.stringify(join(REPO, "dist/index.js"))};
const executor = new HookExecutor({ hooksFile: "hooks.yaml" });
const { warnings } = await executor.execute("Stop");
console.log(JSON.stringify(warnings));
`,
    });
    const { stdout, stderr, status } = spawnSync(process.execPath, ["main.mjs"], {
      cwd: folder.root,
      encoding: "utf8",
    });
    expect({ stdout, stderr, status }).toEqual({
      stdout: '"out\\nerr\\n"\n',
      stderr: "",
      status: 0,
    });
  });
});

describe("a module from a file", () => {
  test("keeps its own state between calls, and starts afresh when it is edited", async () => {
    const counter = (word: string): string =>
      `let calls = 0;\nexport default { run: () => ({ context: \`${word} \${++calls}\` }) };\n`;
    const folder = makeFolder({
      "hooks.yaml": "hooks: [{ name: c, events: PreToolUse, module: c.mjs }]\n",
      "c.mjs": counter("one"),
    });
    const executor = makeExecutor({ hooksFile: join(folder.root, "hooks.yaml"), cwd: folder.root });
    const said = async (): Promise<string> =>
      /> ?\n(.*)\n/.exec((await executor.execute("PreToolUse", bash("ls"))).context)?.[1] ?? "";
    await said();
    const second = await said();
    expect(await said()).toBe(second.replace(/\d+/, (n) => String(Number(n) + 1)));
    folder.write("c.mjs", counter("two"));
    expect(await said()).toBe("two 1");
  });

  test("knows where it lies, and may use packages that call require", async () => {
    const folder = makeFolder({
      "hooks.yaml": "hooks: [{ name: m, events: PreToolUse, module: deep/m.mjs }]\n",
      "deep/m.mjs":
        'import old from "old";\nimport { fileURLToPath } from "node:url";\nexport default { run: () => ({ context: `${fileURLToPath(import.meta.url)} ${old}` }) };\n',
      "node_modules/old/package.json": '{ "name": "old", "main": "index.js" }',
      "node_modules/old/index.js": 'module.exports = require("path").join("a", "b");\n',
    });
    const executor = makeExecutor({ hooksFile: join(folder.root, "hooks.yaml"), cwd: folder.root });
    const { context, outcomes } = await executor.execute("PreToolUse", bash("ls"));
    expect(outcomes).toMatchObject([{ status: "ok", note: "" }]);
    expect(context).toContain(`${join(folder.root, "deep/m.mjs")} a/b`);
  });

  /** Goes on when so many calls have come, each noted with a file, and says how it went. */
  const meeting = (file: string, many: number): string =>
    `const { readdirSync, writeFileSync } = await import("node:fs"); const { threadId } = await import("node:worker_threads");
    const place = new URL("met/", import.meta.url); writeFileSync(new URL(${file}, place), "");
    for (let n = 0; n < 400 && readdirSync(place).length < ${many}; n++) await new Promise((r) => setTimeout(r, 50));
    return { context: \`\${readdirSync(place).length >= ${many} ? "met" : "alone"} in thread \${threadId}.\` };`;

  const meet = (file: string, many: number) => {
    const folder = makeFolder({
      "hooks.yaml": "hooks: [{ name: t, events: PreToolUse, module: t.mjs, timeout: 30s }]\n",
      "t.mjs": `export default { async run(event) { ${meeting(file, many)} } };\n`,
      "met/.keep": "",
    });
    const env = { ...process.env, NODE_OPTIONS: "--max-old-space-size=900" };
    const hooksFile = join(folder.root, "hooks.yaml");
    return makeExecutor({ hooksFile, cwd: folder.root, env });
  };

  test("calls at the same time run side by side", async () => {
    const executor = meet("event.tool_input.command", 5);
    const calls = ["a", "b", "c", "d"].map((name) => executor.execute("PreToolUse", bash(name)));
    for (const { context } of await Promise.all(calls)) expect(context).toContain("met in thread");
  });

  test("a crowd of calls shares eight threads, whatever the environment says", async () => {
    const executor = meet("String(threadId)", 3);
    const calls = Array.from({ length: 40 }, () => executor.execute("PreToolUse", bash("ls")));
    const threads = (await Promise.all(calls)).map(
      ({ context }) => /met in thread (\d+)\./.exec(context)?.[1],
    );
    expect(threads).toHaveLength(40);
    expect(threads).not.toContain(undefined);
    expect(new Set(threads).size).toBeLessThanOrEqual(8);
    expect(new Set(threads).size).toBeGreaterThan(1);
  });

  test("the library that it imports is the small part: no compiler in the bundle", async () => {
    const { bundle } = await import("../../src/compile/bundle.ts");
    const folder = makeFolder({
      "m.ts": 'import * as anyhook from "anyhook";\nexport default anyhook;\n',
    });
    for (const file of ["src/authoring.ts", "dist/authoring.js"]) {
      const options = { root: folder.root, libraryFile: join(REPO, file) };
      const made = await bundle(join(folder.root, "m.ts"), options);
      expect("code" in made && made.code).toContain("defineHook");
      expect("code" in made && made.code.length).toBeLessThan(2000);
    }
  });
});

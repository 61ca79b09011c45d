import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { dispatch, makeProject, NODE_LANE, payloadOf, type Project } from "./_dispatch.ts";

const open: Project[] = [];
afterAll(() => open.forEach((project) => project.remove()));

const script = (name: string, order: number, body: string): string =>
  `#!/bin/sh\n# Hook: ${name}\n# Event: PreToolUse\n# Order: ${order}\n${body}\n`;

const module = (name: string, order: number, run: string, top = "", extra = ""): string =>
  `import fs from "node:fs";\n${top}\nexport default { name: "${name}", event: "PreToolUse", order: ${order}, ${extra} ${run} };\n`;

/** Two hooks before it and four after it, of both kinds; what they say must not depend on it. */
function around(hostile: string): Project {
  const project = makeProject({
    ".anyhook/hooks/a.sh": script("a", 1, "echo before"),
    ".anyhook/hooks/b.mjs": module("b", 2, 'run: () => "also before"'),
    ".anyhook/hooks/x.mjs": hostile,
    ".anyhook/hooks/slow.mjs": module(
      "slow",
      4,
      "async run(event) { await new Promise((done) => setTimeout(done, 150)); return [`${event.tool_name} ${process.cwd() === process.env.ANYHOOK_PROJECT_DIR} ${process.env.LEFT}`].map((s) => s.trim()).join(); }",
    ),
    ".anyhook/hooks/guard.mjs": module(
      "guard",
      5,
      'run: (event) => JSON.parse(\'{"decision":"block","reason":"no "}\')',
    ),
    ".anyhook/hooks/z.sh": script("z", 6, "cat >z.out; echo after"),
  });
  open.push(project);
  const made = project.cli("materialize", "--quiet");
  expect(made.status, made.stderr).toBe(0);
  return project;
}

const fenced = (...said: [string, string][]): string =>
  said
    .map(([name, text]) => `<anyhook-context hook="${name}">\n${text}\n</anyhook-context>`)
    .join("\n");

const REPLY = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "no ",
    additionalContext: fenced(
      ["a", "before"],
      ["b", "also before"],
      ["slow", "Bash true undefined"],
      ["z", "after"],
    ),
  },
};

const FAST = "timeout: 400,";
const ONLY_WHEN_RUN = "if (process.env.ANYHOOK_EVENT)";

/** What it does, how it is written, and how its own run ended. */
const HOSTILE: readonly (readonly [string, string, string, (string | RegExp | undefined)?])[] = [
  ["throws", module("x", 3, 'run() { throw new Error("bad"); }'), "failed", "Error: bad"],
  ["throws null", module("x", 3, "run() { throw null; }"), "failed", "null"],
  [
    "throws what cannot be shown",
    module("x", 3, "run() { throw Object.create(null); }"),
    "failed",
    "threw something that cannot be shown",
  ],
  ["rejects", module("x", 3, "async run() { throw new TypeError(); }"), "failed", "TypeError"],
  [
    "never resolves",
    module("x", 3, "run: () => new Promise(() => {})", "", FAST),
    "timeout",
    "no answer within 400 ms",
  ],
  ["blocks the event loop", module("x", 3, "run() { for (;;); }", "", FAST), "timeout"],
  ["exits", module("x", 3, "run() { process.exit(0); }"), "failed", /called process\.exit\(0\)/],
  ["exits later", module("x", 3, "run() { setTimeout(() => process.exit(0), 50); }"), "ok"],
  [
    "throws later",
    module("x", 3, 'run() { setTimeout(() => { throw new Error("late"); }, 50); }'),
    "ok",
  ],
  [
    "rejects later",
    module("x", 3, 'run() { setTimeout(() => Promise.reject(new Error("late")), 50); }'),
    "ok",
  ],
  ["aborts", module("x", 3, "run() { process.abort(); }"), "failed", /ended the whole process/],
  [
    "kills itself",
    module("x", 3, 'run() { process.kill(process.pid, "SIGKILL"); for (;;); }'),
    "failed",
    /ended the whole process/,
  ],
  [
    "prints",
    module(
      "x",
      3,
      'run() { console.log(\'{"decision":"allow"}\'); console.error("e"); process.stdout.write("p"); process.stderr.write("q"); fs.writeSync(1, "w"); fs.writeSync(2, "v"); }',
    ),
    "ok",
  ],
  [
    "closes standard output",
    module("x", 3, "run() { fs.closeSync(1); fs.closeSync(2); process.stdout.destroy(); }"),
    "ok",
  ],
  [
    "bends what everybody uses",
    module(
      "x",
      3,
      `run() {
        JSON.parse = () => ({}); JSON.stringify = () => "{}"; process.exit = () => {};
        Array.prototype.map = () => []; Array.prototype.filter = () => []; Array.prototype.join = () => "";
        Array.prototype[Symbol.iterator] = function* () {}; String.prototype.trim = () => "bent";
        Object.prototype.decision = "allow"; Promise.prototype.then = () => {}; Map.prototype.get = () => {};
        Buffer.from = () => { throw new Error("bent"); }; fs.writeFileSync = () => {}; fs.existsSync = () => true;
        globalThis.setTimeout = () => 0; globalThis.JSON = {}; process.chdir("/");
        process.env.LEFT = "behind"; delete process.env.PATH; process.cwd = () => "/";
      }`,
    ),
    "failed",
    /ended the whole process/,
  ],
  [
    "bends a little, and means well",
    module(
      "x",
      3,
      `run() {
        const parse = JSON.parse; JSON.parse = (text) => ({ ...parse(text), decision: "allow" });
        Array.prototype.map = () => ["mocked"]; Array.prototype.last = 1; Object.prototype.extra = 1;
        String.prototype.trim = () => "mocked"; fs.writeFileSync = () => {}; fs.existsSync = () => true;
        process.env.LEFT = "behind"; process.chdir("/");
      }`,
    ),
    "ok",
  ],
  [
    "bends it for good",
    module(
      "x",
      3,
      'run() { Object.defineProperty(JSON, "parse", { value: () => ({}), configurable: false }); Object.defineProperty(Object.prototype, "decision", { value: "allow", configurable: false }); }',
    ),
    "ok",
  ],
  [
    "freezes it",
    module("x", 3, "run() { Object.freeze(Array.prototype); Object.freeze(JSON); }"),
    "ok",
  ],
  [
    "leaves timers and sockets open",
    module(
      "x",
      3,
      "run() { setInterval(() => {}, 10); net.createServer().listen(0); }",
      'import net from "node:net";',
    ),
    "ok",
  ],
  [
    "returns a circle",
    module("x", 3, "run() { const a = {}; a.a = a; return a; }"),
    "failed",
    /circular/,
  ],
  ["returns a BigInt", module("x", 3, "run: () => ({ reason: 1n })"), "failed", /BigInt/],
  [
    "returns 20 MB",
    module("x", 3, 'run: () => ({ context: "x".repeat(20e6) })'),
    "failed",
    "printed more than 1 MB of JSON",
  ],
  ["returns a function", module("x", 3, "run: () => () => {}"), "failed", /returned a function/],
  [
    "hangs while it is loaded",
    module("x", 3, "run() {}", `${ONLY_WHEN_RUN} await new Promise(() => {});`, FAST),
    "timeout",
    "no answer within 400 ms",
  ],
  [
    "cannot be loaded",
    module("x", 3, "run() {}", `${ONLY_WHEN_RUN} throw new Error("at the top");`),
    "failed",
    "Error: at the top",
  ],
  [
    "imports what is not there",
    module("x", 3, "run() {}", `${ONLY_WHEN_RUN} await import("no-such-" + process.pid);`),
    "failed",
    /no-such-\d+/,
  ],
];

describe("a module harms nobody but itself", () => {
  test.each(HOSTILE.map((one) => [...one]))("%s", (_, hostile = "", status = "", note) => {
    const p = around(hostile);
    const payload = payloadOf("claude-code", "PreToolUse--Bash", p);
    const reply = dispatch(p, NODE_LANE, "claude-code", "PreToolUse", payload);
    expect(reply.status).toBe(2);
    expect(JSON.parse(reply.stdout)).toEqual(REPLY);
    expect(readFileSync(join(p.root, "z.out"), "utf8")).toBe(payload);
    const entry = p.ledger().at(-1) as { hooks: { name: string; status: string; note?: string }[] };
    const { name, ...own } = entry.hooks[2]!;
    expect({ name, status: own.status }).toEqual({ name: "x", status });
    if (typeof note === "string") expect(own.note).toBe(note);
    else if (note) expect(own.note).toMatch(note);
    expect(entry.hooks.map((hook) => `${hook.name} ${hook.status}`)).toEqual([
      ...["a ok", "b ok", `x ${status}`, "slow ok", "guard ok", "z ok"],
    ]);
    expect(existsSync(join(p.root, "core"))).toBe(false);
  });
});

/** The time is its mark: one that nobody else sleeps. */
const sleepers = (seconds: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOf(`/proc/${pid}/cmdline`) === `sleep\0${seconds}\0`);

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

test("past its timeout, what it started is ended with all below; what was started before stays", async () => {
  const spawns = 'import { spawn } from "node:child_process";';
  const [before, own] = [`41.${process.pid}`, `42.${process.pid}`];
  const project = makeProject({
    ".anyhook/hooks/a.mjs": module(
      "a",
      1,
      `async run() { const child = spawn("sleep", ["${before}"], { stdio: "ignore" }); child.unref(); await new Promise((done) => setTimeout(done, 300)); fs.writeFileSync("pid", String(child.pid)); }`,
      spawns,
    ),
    ".anyhook/hooks/x.mjs": module(
      "x",
      2,
      `run() { spawn("sh", ["-c", "sleep ${own} & touch up; wait"], { stdio: "ignore" }).unref(); return new Promise(() => {}); }`,
      spawns,
      "timeout: 3000,",
    ),
  });
  open.push(project);
  const payload = payloadOf("claude-code", "PreToolUse--Bash", project);
  dispatch(project, NODE_LANE, "claude-code", "PreToolUse", payload);
  expect(existsSync(join(project.root, "up"))).toBe(true);
  expect(sleepers(before)).toEqual([readFileSync(join(project.root, "pid"), "utf8")]);
  await expect.poll(() => sleepers(own), { timeout: 30_000 }).toEqual([]);
  process.kill(Number(readFileSync(join(project.root, "pid"), "utf8")));
});

test("nothing is left of any of it", async () => {
  await new Promise((done) => setTimeout(done, 300));
  const left = open.flatMap((p) => readdirSync(join(p.layout.slot, "run")));
  expect(left).toEqual([]);
  expect(open.length).toBe(HOSTILE.length + 1);
});

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DISPATCH, makeProject, type Project } from "./_dispatch.ts";

/**
 * A thousand events, four at a time, with everything that can go wrong side by side: modules that
 * crash or wait for a server that never answers, an http hook at the same server, commands that flood or hang, async hooks that fail.
 * The event says which of them it meets, so that a small machine is done within a minute.
 */
const EVENTS = 1000;
/** Every so many events. */
const SHARE = { module: 50, flood: 20, hang: 100, late: 5 } as const;
const AT_ONCE = 4;
/** The harness's timeout is 600 s; every hook here has a shorter one of its own. */
const DEADLINE = 20_000;

let server: Server;
let p: Project;
const sockets = new Set<object>();

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket
      .resume()
      .on("error", () => {})
      .on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  p = makeProject({
    ".anyhook/settings.json": '{"failure_budget": 0}',
    ".anyhook/hooks/flood.sh": script(
      "flood",
      "head -c 3000000 /dev/zero | tr '\\0' x",
      only("flood"),
    ),
    ".anyhook/hooks/hang.sh": script(
      "hang",
      "sleep 31.4159 & exec sleep 31.4159",
      `${only("hang")}# Timeout: 300\n`,
    ),
    ".anyhook/hooks/late.sh": script("late", "exit 3", `${only("late")}# Async: true\n`),
    ".anyhook/hooks/guard.sh": script("guard", 'echo "no" >&2; exit 2', "# Order: 9\n"),
    ".anyhook/hooks/crash.mjs": module("crash", "run() { process.abort(); }"),
    ".anyhook/hooks.yaml": `hooks:
  - { name: http, events: PreToolUse, matcher: { kinds.module: "yes" }, url: "http://127.0.0.1:${port}/", timeout: 150 }
`,
    ".anyhook/hooks/fetches.mjs": module(
      "fetches",
      `async run() { await fetch("http://127.0.0.1:${port}/"); }`,
    ),
  });
  p.cli("materialize", "--quiet");
});

afterAll(async () => {
  await new Promise((done) => server.close(done));
  p.remove();
});

const script = (name: string, body: string, head = ""): string =>
  `#!/bin/sh\n# Hook: ${name}\n# Event: PreToolUse\n${head}${body}\n`;

const only = (kind: string): string => `# Matcher: kinds.${kind} = "yes"\n`;

const module = (name: string, run: string): string =>
  `export default { name: "${name}", event: "PreToolUse", matcher: { "kinds.module": "yes" }, timeout: 150, ${run} };\n`;

interface Answered {
  readonly exit: number | null;
  readonly said: string;
  readonly ms: number;
}

function fire(kinds: Record<string, string>, i: number): Promise<Answered> {
  const began = performance.now();
  const child = spawn("sh", [DISPATCH, "claude-code", "PreToolUse"], { cwd: p.root, env: p.env });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.resume();
  const input = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: `toolu_${i}` };
  child.stdin.end(JSON.stringify({ session_id: `s${i % 7}`, cwd: p.root, kinds, ...input }));
  return new Promise((done) =>
    child.on("close", (exit) => done({ exit, said, ms: performance.now() - began })),
  );
}

async function all(count: number, one: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Processes that carry this project's folder in their environment or command line. */
function processes(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => ["environ", "cmdline"].some((file) => holds(`/proc/${name}/${file}`)))
    .flatMap(commandLine);
}

/** Nothing of one that has ended meanwhile. */
function commandLine(pid: string): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
  } catch {
    return [];
  }
}

function holds(file: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(p.base);
  } catch {
    return false;
  }
}

interface Line {
  readonly id: string;
  readonly lane: string;
  readonly hooks: readonly { readonly name: string; readonly status: string }[];
}

const idsOf = (ledger: readonly Line[], status: string): string[] =>
  ledger
    .filter(({ hooks }) => hooks.some((one) => one.name === "late" && one.status === status))
    .map(({ id }) => id);

const handles = (): number => readdirSync("/proc/self/fd").length;

test(`${EVENTS} events beside a crash, a hang and a flood: each is answered, and nothing is left`, async () => {
  expect(processes()).toEqual([]);
  const open = handles();
  const answers: Answered[] = [];
  await all(EVENTS, async (i) => {
    const met = Object.entries(SHARE).filter(([, every]) => i % every === 0);
    answers.push(await fire(Object.fromEntries(met.map(([kind]) => [kind, "yes"])), i));
  });
  expect(answers).toHaveLength(EVENTS);
  expect(answers.filter(({ exit }) => exit !== 2)).toEqual([]);
  expect(answers.filter(({ said }) => !said.includes('"permissionDecision":"deny"'))).toEqual([]);
  expect(answers.filter(({ ms }) => ms > DEADLINE)).toEqual([]);
  await quiet();
  const ledger = p.ledger() as unknown as Line[];
  const runs = ledger.flatMap(({ hooks }) => hooks);
  const count = (name: string, ...status: string[]): number =>
    runs.filter((hook) => hook.name === name && status.includes(hook.status)).length;
  expect({
    guard: count("guard", "ok"),
    flood: count("flood", "ok"),
    // On a busy machine its death may take longer than its timeout.
    crash: count("crash", "failed", "timeout"),
    fetches: count("fetches", "failed", "timeout"),
    hang: count("hang", "failed", "timeout"),
    http: count("http", "failed", "timeout"),
    queued: count("late", "async"),
  }).toEqual({
    guard: EVENTS,
    flood: EVENTS / SHARE.flood,
    crash: EVENTS / SHARE.module,
    fetches: EVENTS / SHARE.module,
    hang: EVENTS / SHARE.hang,
    http: EVENTS / SHARE.module,
    queued: EVENTS / SHARE.late,
  });
  // At least once is the promise, and it is kept event by event: one that ran twice covers no other.
  const queued = idsOf(ledger, "async");
  expect(new Set(queued).size).toBe(EVENTS / SHARE.late);
  expect(new Set(idsOf(ledger, "failed"))).toEqual(new Set(queued));
  expect(processes()).toEqual([]);
  expect(readdirSync(join(p.layout.slot, "run"))).toEqual([]);
  expect(readdirSync(join(p.layout.slot, "queue"))).toEqual(["lost"]);
  expect(sockets.size).toBe(0);
  expect(handles()).toBeLessThanOrEqual(open + 1);
}, 300_000);

async function quiet(): Promise<void> {
  for (let i = 0; i < 600 && processes().length > 0; i++)
    await new Promise((done) => setTimeout(done, 50));
}

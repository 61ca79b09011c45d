/**
 * What the memory hooks cost: npm run bench:memory [-- --runs 200] [-- --growth] [-- --json].
 * Every run starts the program as the pack does; a bare Node start is measured in turn with it,
 * because only the two together say something about another machine.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Item } from "../src/memory/_memory.ts";
import { keep } from "../src/memory/memories.ts";
import { placeOf } from "../src/memory/place.ts";
import { openSafely } from "../src/memory/store.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "200" },
    growth: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const RUNS = Number(values.runs);
const PROGRAM = join(process.cwd(), "dist/memory.cjs");
const CLI = join(process.cwd(), "dist/cli.js");

const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-bench-memory-")));
const env = { PATH: process.env["PATH"] ?? "", HOME: join(base, "home") };
const root = join(base, "shop");
const transcript = join(base, "transcript.jsonl");

const WORDS =
  "invoice parser queue broker cache token deploy cluster schema migration index replica webhook retry cursor theme locale upload image worker cron limit proxy gateway session cookie billing refund order basket price stock label search ranking export import audit profile".split(
    " ",
  );

/** Always the same: a bench that draws lots measures its luck. */
const word = (n: number): string => WORDS[(n * 7919) % WORDS.length]!;
const sentence = (n: number): string =>
  `${word(n)} ${word(n + 1)} number ${n} goes with ${word(n * 3)} and ${word(n * 5 + 2)} in ${word(n >> 3)}`;

const itemOf = (n: number): Item => ({
  ...{ kind: "decision", text: sentence(n), scope: "project", status: "accepted", author: "user" },
  ...{ paths: [], harness: "bench", session: `s${n}`, branch: "main", folder: "", key: "" },
  ...{ evidence: `${n}`, at: new Date(1.7e12 + n * 60_000).toISOString() },
});

/** A project with so many memories, written in batches. */
async function fill(count: number): Promise<void> {
  rmSync(env.HOME, { recursive: true, force: true });
  mkdirSync(join(root, ".anyhook"), { recursive: true });
  const database = await openSafely(placeOf(root, env).projectFile, () => {});
  for (let from = 0; from < count; from += 2000) {
    const items = Array.from({ length: Math.min(2000, count - from) }, (_, i) => itemOf(from + i));
    database.write(() => keep(database, items));
  }
  database.all("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

const line = (content: unknown): string =>
  `${JSON.stringify({ type: "user", message: { role: "user", content }, timestamp: "2026-01-01T00:00:00.000Z" })}\n`;

/** 20 MB as agents write them: mostly the output of tools, now and then somebody says something. */
function writeTranscript(): void {
  const output = line([
    { type: "tool_result", tool_use_id: "t", content: "the output of a tool ".repeat(300) },
  ]);
  const parts: string[] = [];
  for (let n = 0, size = 0; size < 20 * 1_048_576; n++) {
    const part =
      n % 40 === 0
        ? line(`Please look at ${sentence(n)}`)
        : n % 500 === 1
          ? line(`#remember ${sentence(n)}`)
          : output;
    parts.push(part);
    size += part.length;
  }
  writeFileSync(transcript, parts.join(""));
}

const PAYLOADS: Readonly<Record<string, (n: number) => Record<string, unknown>>> = {
  "session-start": (n) => ({ session_id: `w${n}`, source: "startup" }),
  "user-prompt": (n) => ({
    session_id: "p",
    prompt: `What did we decide about ${word(n)} and ${word(n + 3)}?`,
    prompt_id: n,
  }),
  "post-tool-use": (n) => ({
    ...{
      session_id: "q",
      tool_name: "Bash",
      tool_use_id: `t${n}`,
      tool_input: { command: "npm test" },
    },
    tool_response: { stdout: "ok 1 - it works\n".repeat(200), stderr: "" },
  }),
  stop: (n) => ({ session_id: "t", transcript_path: transcript, turn: n }),
  "pre-compact": (n) => ({ session_id: "t", transcript_path: transcript, turn: n }),
};

function timed(args: readonly string[], input = ""): number {
  const began = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env,
    input,
    encoding: "utf8",
  });
  const ms = Number(process.hrtime.bigint() - began) / 1e6;
  if (status !== 0 || stderr !== "") throw new Error(`${args.join(" ")}: ${status} ${stderr}`);
  return ms;
}

/** Processor time of all children so far, in ms; only where there is /proc, and in steps of 10. */
function childrenCpu(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return NaN;
  }
}

interface Row {
  readonly verb: string;
  readonly p50: number;
  readonly p95: number;
  /** Median over the median of a bare Node start, measured in turn. */
  readonly ratio: number;
  /** The same for processor time, which other work on the machine does not change much. */
  readonly cpuRatio: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

function measure(verb: string, runs: number, program: readonly string[]): Row {
  const [own, bare]: [number[], number[]] = [[], []];
  const cpu = { own: 0, bare: 0 };
  for (let n = 0; n < runs; n++) {
    // Every turn adds a little to the transcript, as a session does.
    if (verb === "stop" || verb === "pre-compact")
      appendFileSync(transcript, line(`and now ${sentence(n)}`));
    const payload = JSON.stringify({ cwd: root, ...PAYLOADS[verb]!(n) });
    const start = childrenCpu();
    own.push(timed([...program, verb], payload));
    const middle = childrenCpu();
    bare.push(timed(["-e", "0"]));
    cpu.own += middle - start;
    cpu.bare += childrenCpu() - middle;
  }
  const [a, b] = [own.toSorted((x, y) => x - y), bare.toSorted((x, y) => x - y)];
  const ratio = at(a, 0.5) / at(b, 0.5);
  return { verb, p50: at(a, 0.5), p95: at(a, 0.95), ratio, cpuRatio: cpu.own / cpu.bare };
}

/** The first stop that meets the whole 20 MB: what is over the budget is read by a detached process. */
function firstContact(): Row {
  const own: number[] = [];
  for (let n = 0; n < 10; n++) {
    const copy = `${transcript}.${n}`;
    execFileSync("cp", [transcript, copy]);
    own.push(
      timed(
        [PROGRAM, "stop"],
        JSON.stringify({ cwd: root, session_id: `f${n}`, transcript_path: copy }),
      ),
    );
  }
  const sorted = own.toSorted((x, y) => x - y);
  return {
    verb: "stop, 20 MB unread",
    p50: at(sorted, 0.5),
    p95: at(sorted, 0.95),
    ratio: NaN,
    cpuRatio: NaN,
  };
}

const ms = (n: number): string => `${n.toFixed(0).padStart(5)} ms`;

const show = (rows: readonly Row[]): string =>
  rows
    .map(({ verb, p50, p95, ratio, cpuRatio }) => {
      const against = `${ratio.toFixed(1)} × bare node (processor time ${cpuRatio.toFixed(1)} ×)`;
      return `${verb.padEnd(20)} p50 ${ms(p50)}   p95 ${ms(p95)}   ${Number.isNaN(ratio) ? "" : against}`;
    })
    .join("\n");

try {
  const result: Record<string, readonly Row[]> = {};
  await fill(10_000);
  writeTranscript();
  result["10000 memories, 20 MB transcript"] = [
    firstContact(),
    ...Object.keys(PAYLOADS).map((verb) => measure(verb, RUNS, [PROGRAM])),
    { ...measure("stop", Math.min(RUNS, 20), [CLI, "hook"]), verb: "anyhook hook stop" },
  ];
  if (values.growth)
    for (const count of [1000, 10_000, 100_000]) {
      await fill(count);
      result[`${count} memories`] = ["session-start", "user-prompt", "stop"].map((verb) =>
        measure(verb, 20, [PROGRAM]),
      );
    }
  for (const [title, rows] of Object.entries(result))
    if (!values.json) process.stdout.write(`${title}\n${show(rows)}\n\n`);
  const slow = Object.values(result)
    .flat()
    .filter(({ p95 }) => p95 >= 500);
  const promise = `p95 below 500 ms: ${slow.length === 0 ? "kept" : `broken by ${slow.map(({ verb }) => verb).join(", ")}`}`;
  if (!values.json) process.stdout.write(`${promise}\n`);
  process.exitCode = slow.length === 0 ? 0 : 1;
  if (values.json) process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
} finally {
  rmSync(base, { recursive: true, force: true });
}

import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argumentsOf, argvOf } from "../handlers/command.ts";
import type { Work } from "../handlers/index.ts";
import type { Hook } from "../model.ts";
import type { Index } from "./load.ts";
import { safeName } from "./occurrence.ts";
import { clock } from "./progress.ts";
import { headOf } from "./record.ts";
import { encodeMeta, encodeRow } from "./rows.ts";

/** Where a job comes from, beside its hook. */
export interface Source {
  readonly index: Index;
  readonly depth: number;
  readonly hash: string;
  readonly began: string;
  /** Written when something was queued, so that the shell starts a runner. */
  readonly run: string;
}

const MOST = 1000;

/**
 * Puts an async hook into the slot's queue, as shell/queue.sh does and in its format: async.sh runs
 * the jobs of both lanes. Empty when it is queued, else why it is not.
 */
export function enqueueJob(
  source: Source,
  hook: Hook,
  work: Work,
  payload: Buffer,
  row: number,
): string {
  const queue = join(work.slot, "queue");
  try {
    mkdirSync(join(queue, "lost"), { recursive: true, mode: 0o700 });
    const waiting = readdirSync(queue).filter((name) => name.endsWith(".job")).length;
    if (waiting >= MOST) return `not queued: ${MOST} wait already`;
    const now = new Date();
    const began = Number(source.began) || clock();
    const name = `${pad(Math.floor(now.getTime() / 1000), 10)}-${pad(began, 13)}-${pad(row, 4)}`;
    put(join(queue, `${name}-${process.pid}`), jobText(source, hook, work, now), payload, queue);
    writeFileSync(`${source.run}.queued`, "");
    return "";
  } catch {
    return "could not be queued: the store cannot be written";
  }
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

function put(file: string, text: string, payload: Buffer, queue: string): void {
  const touch = (): void => appendFileSync(join(queue, "pending"), "");
  try {
    touch();
    writeFileSync(`${file}.in`, payload);
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, `${file}.0.job`);
    touch();
  } catch (error) {
    for (const end of ["in", "new"]) rmSync(`${file}.${end}`, { force: true });
    throw error;
  }
}

/** shell/job.awk says what the lines are, and writes the same. */
function jobText({ index, depth, hash }: Source, hook: Hook, work: Work, now: Date): string {
  const { event, env, root } = work;
  const { manifest, settings, hooks, damaged } = index;
  const head = headOf({ event, manifest, depth }, now);
  // As the harness gave them, and no more: secrets stay out of the queue.
  const variable = (name: string): string[] =>
    process.env[name] ? [`${name}=${quoted(process.env[name])}`] : [];
  const row = encodeRow(hook).split("\t");
  return `${[
    `AH_HARNESS=${event.harness} AH_EVENT=${event.event} AH_DEPTH=${depth} AH_STOP_KEY=${quoted(safeName(event.session))}`,
    `AH_HEAD=${quoted(JSON.stringify(head).slice(0, -1))}`,
    `ah_meta=${quoted(encodeMeta(settings, manifest, hooks.length + damaged.length))}`,
    `ah_line=${quoted(row.join("\t"))}`,
    `AH_ROOT=${quoted(root)} AH_CWD=${quoted(process.cwd())} AH_HASH=${quoted(hash)}`,
    `AH_ID=${quoted(env["ANYHOOK_EVENT_ID"])} AH_TOOL=${quoted(env["ANYHOOK_TOOL"])} AH_PATHS=${quoted(env["ANYHOOK_PATHS"])} AH_PATHS_CUT=${env["ANYHOOK_PATHS_CUT"] ?? ""}`,
    `ah_kind=${hook.kind} ah_name=${quoted(hook.name)} ah_limit=${hook.timeout} ah_flags=${row[10]}`,
    ...["PATH", "HOME", "CLAUDE_PROJECT_DIR"].flatMap(variable),
    ...argumentLines(hook, work),
    `set -- ${wordsOf(hook, work)}`,
    "ah_whole=1",
  ].join("\n")}\n`;
}

const quoted = (text = ""): string => `'${text.replaceAll("\0", "").replaceAll("'", "'\\''")}'`;

function argumentLines(hook: Hook, work: Work): string[] {
  if (hook.args.length === 0) return [];
  const values = Object.entries(argumentsOf(hook, work));
  const lines = values.map(([name, value]) => `${name}=${quoted(value)}; export ${name}`);
  return ["ah_env_2() {", ...lines, "}"];
}

function wordsOf(hook: Hook, work: Work): string {
  if (hook.kind === "script") return quoted(hook.script);
  if (hook.kind === "shell") return `/bin/sh -c ${quoted(hook.script)}`;
  return hook.kind === "exec" ? argvOf(hook, work).map(quoted).join(" ") : "-";
}

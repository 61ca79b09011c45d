import { openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { adapterOf } from "../adapters/_all.ts";
import { budgetOf, type Surface } from "../adapters/_contract.ts";
import { noticeOnly } from "../adapters/_claude-wire.ts";
import type { Hook, Reply } from "../model.ts";
import { dispatchEvent, type Dispatch } from "./dispatch.ts";
import { loadIndex } from "./load.ts";
import { decodeOccurrence } from "./occurrence.ts";
import { clock, NO_PROGRESS, progressAt } from "./progress.ts";
import { ledgerEntry, recordEntry } from "./record.ts";
import { rewritesAt } from "./rewrites.ts";

/**
 * The node lane: dispatch.sh starts it with the payload on standard input and the places in the
 * environment. Any fault ends with 78, and the shell then treats every chosen hook as failed.
 */
const FAULT = 78;

async function main(harness: string, name: string, env: NodeJS.ProcessEnv): Promise<Reply> {
  const adapter = adapterOf(harness);
  if (!adapter) throw new Error(`unknown harness '${harness}'`);
  const place = (key: string): string => env[key] ?? "";
  const payload = readFileSync(0);
  const event = decodeOccurrence(adapter, name, payload, place("AH_ROOT"));
  const surfaces: Readonly<Record<string, Surface>> = adapter.surfaces;
  const surface = surfaces[name] ?? {
    native: name,
    timeout: 600_000,
    replies: { pass: noticeOnly },
  };
  const only = place("AH_ASYNC");
  const index = loadIndex(place("AH_GEN"), place("AH_SLOT"), name);
  const dispatch: Dispatch = {
    adapter,
    surface,
    event,
    payload,
    ignored: place("AH_IGNORED"),
    index: only === "" ? index : { ...index, hooks: onlyAsync(index.hooks, only) },
    switches: {
      off: env["ANYHOOK"] === "0",
      paused: place("AH_PAUSED") !== "",
      skip: place("ANYHOOK_SKIP").split(","),
      depth: Number(place("ANYHOOK_DEPTH") || 0),
      state: place("AH_STATE"),
    },
    root: place("AH_ROOT"),
    slot: place("AH_SLOT"),
    env: hookEnvironment(env),
    library: `${place("AH_SHELL")}/lib.sh`,
    rewrites: rewritesAt(name),
    budget: only === "" ? budgetOf(surface) : 600_000,
    lane: only === "" ? "node" : "async",
    notice: place("AH_NOTICE"),
    progress: only === "" ? progressAt(place("AH_RUN")) : NO_PROGRESS,
    detach: (hook, bytes) => detach(hook, bytes, env),
  };
  const { reply, entry: inside } = await dispatchEvent(dispatch);
  // The whole event, from the moment the shell took it.
  const began = only === "" ? Number(place("AH_BEGAN")) : 0;
  const entry = began > 0 ? { ...inside, ms: clock() - began } : inside;
  recordEntry(place("AH_LEDGER"), entry);
  if (env["ANYHOOK_TRACE"] !== "1" || reply.exit === 2) return reply;
  const trace = `anyhook: trace ${JSON.stringify(ledgerEntry(entry, new Date()))}\n`;
  return { ...reply, stderr: reply.stderr + trace };
}

const onlyAsync = (hooks: readonly Hook[], name: string): Hook[] =>
  hooks
    .filter((hook) => hook.name === name)
    .map((hook) => ({ ...hook, async: false, once: false }));

/** Our own variables stay ours. */
const hookEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([key]) => !key.startsWith("AH_")));

/** The same program again, detached, for one hook: it cannot decide and nobody waits for it. */
function detach(hook: Hook, payload: Buffer, env: NodeJS.ProcessEnv): void {
  const file = `${env["AH_RUN"] ?? ""}-async.${hook.name.replaceAll("/", "+")}`;
  writeFileSync(file, payload);
  const stdin = openSync(file, "r");
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(
    process.execPath,
    [process.argv[1] ?? "", process.argv[2] ?? "", process.argv[3] ?? ""],
    {
      detached: true,
      stdio: [stdin, "ignore", "ignore"],
      env: { ...env, AH_ASYNC: hook.name, AH_ASYNC_FILE: file },
    },
  );
  child.unref();
}

/** In files, the exit code last: run.sh passes them on. */
function answer(reply: Reply, run: string): void {
  writeFileSync(`${run}.reply.out`, Buffer.from(reply.stdout, reply.raw ? "latin1" : "utf8"));
  writeFileSync(`${run}.reply.err`, reply.stderr);
  writeFileSync(`${run}.done`, `${reply.exit}\n`);
}

async function start(): Promise<void> {
  const { AH_RUN = "", AH_ASYNC = "", AH_ASYNC_FILE = "" } = process.env;
  const reply = await main(process.argv[2] ?? "", process.argv[3] ?? "", process.env);
  if (AH_ASYNC === "") answer(reply, AH_RUN);
  else rmSync(AH_ASYNC_FILE, { force: true });
  process.exit(0);
}

start().catch((error: unknown) => {
  process.stderr.write(`anyhook: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(FAULT);
});

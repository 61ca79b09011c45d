import { readFileSync, writeFileSync } from "node:fs";
import { adapterOf } from "../adapters/_all.ts";
import { unknownHarness } from "../adapters/_by-hand.ts";
import { budgetOf, type Surface } from "../adapters/_contract.ts";
import { noticeOnly } from "../adapters/_claude-wire.ts";
import type { Reply } from "../model.ts";
import { runDetached } from "./detached.ts";
import { dispatchEvent, roomForContext, type Dispatch } from "./dispatch.ts";
import { keepShared, leave, standGuard } from "./guard.ts";
import { leaveUntold, readInbox } from "./inbox.ts";
import { loadIndex, NO_INDEX } from "./load.ts";
import { decodeOccurrence } from "./occurrence.ts";
import { clock, NO_PROGRESS, progressAt } from "./progress.ts";
import { enqueueJob } from "./queue.ts";
import { ledgerEntry, recordEntry, type Entry } from "./record.ts";
import { rewritesAt } from "./rewrites.ts";
import { streaksAt } from "./streaks.ts";

/**
 * The node lane: dispatch.sh starts it with the payload on standard input and the places in the
 * environment. Any fault ends with 78, and the shell then treats every chosen hook as failed.
 * async.sh starts it for one hook that is no command (AH_JOB).
 */
const FAULT = 78;

type Place = (key: string) => string;

function prepare(harness: string, name: string, env: NodeJS.ProcessEnv, place: Place): Dispatch {
  const byHand = place("AH_BY") !== "";
  const adapter = byHand ? unknownHarness(harness) : adapterOf(harness);
  if (!adapter) throw new Error(`unknown harness '${harness}'`);
  const payload = readFileSync(0);
  const event = decodeOccurrence(adapter, name, payload, place("AH_ROOT"));
  const surfaces: Readonly<Record<string, Surface>> = adapter.surfaces;
  const surface = surfaces[name] ?? {
    native: name,
    timeout: 600_000,
    replies: { pass: noticeOnly },
  };
  const [state, hash, run] = [place("AH_STATE"), place("AH_HASH"), place("AH_RUN")];
  const detached = place("AH_JOB") !== "";
  const index = detached ? NO_INDEX : loadIndex(place("AH_GEN"), place("AH_SLOT"), name);
  const streaks = streaksAt({ state, session: event.session, hash }, index.settings.failureBudget);
  const depth = Number(place("ANYHOOK_DEPTH") || 0);
  const source = { index, depth, hash, run, began: place("AH_BEGAN") };
  return {
    ...{ adapter, surface, event, payload, index, streaks },
    ignored: place("AH_IGNORED"),
    switches: {
      off: env["ANYHOOK"] === "0",
      paused: place("AH_PAUSED") !== "",
      skip: place("ANYHOOK_SKIP").split(","),
      depth,
      state,
      suspended: streaks.suspended,
    },
    root: place("AH_ROOT"),
    slot: place("AH_SLOT"),
    env: hookEnvironment(env),
    library: `${place("AH_SHELL")}/lib.sh`,
    rewrites: rewritesAt(name),
    // The harness has been waiting since before this process was there.
    budget: Math.max(50, budgetOf(surface) - Math.round(performance.now())),
    lane: "node",
    notice: place("AH_NOTICE"),
    guard: keepShared,
    progress: detached ? NO_PROGRESS : progressAt(run),
    detach: (hook, work, bytes, row) => enqueueJob(source, hook, work, bytes, row),
    inbox: readInbox(run, place("AH_INBOX")),
  };
}

async function replyTo(dispatch: Dispatch, env: NodeJS.ProcessEnv, place: Place): Promise<Reply> {
  const { reply, entry: inside } = await dispatchEvent(dispatch);
  // The whole event, from the moment the shell took it.
  const began = Number(place("AH_BEGAN"));
  const entry = began > 0 ? { ...inside, ms: clock() - began } : inside;
  const unrecorded = record(place("AH_LEDGER"), entry);
  const told = roomForContext(dispatch.surface, entry.decision);
  if (!told && dispatch.inbox?.length) leaveUntold(place("AH_RUN"));
  const stderr = unrecorded + reply.stderr;
  if (env["ANYHOOK_TRACE"] !== "1" || reply.exit === 2) return { ...reply, stderr };
  const trace = `anyhook: trace ${JSON.stringify(ledgerEntry(entry, new Date()))}\n`;
  return { ...reply, stderr: stderr + trace };
}

/** What a hook decided holds, whether or not there is room to write it down. */
function record(ledger: string, entry: Entry): string {
  try {
    recordEntry(ledger, entry);
    return "";
  } catch {
    return `anyhook: cannot write the ledger in ${ledger}\n`;
  }
}

/** Our own variables stay ours. */
const hookEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([key]) => !key.startsWith("AH_")));

/** In files, the exit code last: node.sh passes them on. */
function answer(reply: Reply, run: string): void {
  writeFileSync(`${run}.reply.out`, Buffer.from(reply.stdout, reply.raw ? "latin1" : "utf8"));
  writeFileSync(`${run}.reply.err`, reply.stderr);
  writeFileSync(`${run}.done`, `${reply.exit}\n`);
}

async function start([harness = "", event = ""]: readonly string[]): Promise<void> {
  const place: Place = (key) => process.env[key] ?? "";
  standGuard();
  const dispatch = prepare(harness, event, process.env, place);
  const [job, run] = [place("AH_JOB"), place("AH_RUN")];
  if (job === "") answer(await replyTo(dispatch, process.env, place), run);
  else await runDetached(dispatch, job, run);
  leave(0);
}

start(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`anyhook: ${error instanceof Error ? error.message : String(error)}\n`);
  leave(FAULT);
});

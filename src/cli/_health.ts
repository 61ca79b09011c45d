import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseObject } from "../dispatch/occurrence.ts";
import { readLedger, type Tally } from "../ledger/read.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { midnight, NO_RUNS, runsOf, type Runs } from "../ledger/runs.ts";
import type { HookView } from "./_hooks.ts";

const DAY_MS = 86_400_000;

/** What the ledger says about all hooks together. */
export interface History {
  readonly runs: ReadonlyMap<string, Runs>;
  readonly events: number;
  readonly lastTime: string;
  /** Since midnight, beyond pass. */
  readonly decided: number;
  /** Within the last day. */
  readonly refused: readonly Remark[];
  readonly unenforced: readonly Remark[];
  /** Hooks passed over because of their failures, each once. */
  readonly suspended: readonly Remark[];
  readonly damaged: number;
}

export interface Remark {
  readonly time: string;
  readonly hook: string;
  readonly event: string;
  readonly harness: string;
  readonly text: string;
}

export function historyOf(ledger: string, now: Date = new Date()): History {
  const tally: Tally = { damaged: 0 };
  const recent: LedgerEntry[] = [];
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const today = midnight(now).toISOString();
  let events = 0;
  let lastTime = "";
  const seen = function* (): Generator<LedgerEntry> {
    for (const entry of readLedger(ledger, tally)) {
      if (entry.lane !== "async") events++;
      lastTime ||= entry.time;
      if (entry.time >= since) recent.push(entry);
      yield entry;
    }
  };
  const runs = runsOf(seen(), midnight(now));
  return {
    ...{ runs, events, lastTime, damaged: tally.damaged },
    decided: recent.filter(({ decision, time }) => decision.verdict !== "pass" && time >= today)
      .length,
    refused: recent.flatMap((entry) =>
      entry.hooks
        .filter(({ note }) => note.startsWith("block refused"))
        .map((hook) => remark(entry, hook.name, hook.note)),
    ),
    suspended: suspendedIn(recent),
    unenforced: recent
      .filter(({ decision }) => decision.unenforced !== "")
      .map((entry) => remark(entry, "", entry.decision.unenforced)),
  };
}

function suspendedIn(recent: readonly LedgerEntry[]): Remark[] {
  const all = recent.flatMap((entry) =>
    entry.hooks
      .filter(({ status, note }) => status === "skipped" && note.startsWith("suspended: "))
      .map((hook) => remark(entry, hook.name, hook.note)),
  );
  return [...new Map(all.toReversed().map((one) => [one.hook, one])).values()];
}

const remark = ({ time, event, harness }: LedgerEntry, hook: string, text: string): Remark => ({
  time,
  hook,
  event,
  harness,
  text,
});

export interface HookHealth extends Runs {
  readonly view: HookView;
  /** Why it does nothing although it is written down; empty when it does something. */
  readonly inert: string;
  readonly failing: boolean;
}

export function healthOf(view: HookView, history: History): HookHealth {
  const runs = history.runs.get(view.name) ?? NO_RUNS;
  const inert =
    view.rows.length === 0
      ? view.state
      : runs.runs === 0 && view.state === "active"
        ? "never fired"
        : "";
  return { ...runs, view, inert, failing: runs.inARow > 0 };
}

export interface Faults {
  readonly count: number;
  readonly last: string;
  /** When the last one was written. */
  readonly time: string;
  readonly recent: boolean;
}

/** Dispatches that ended before there was a project to keep a ledger for. */
export function faultsOf(store: string, now: number = Date.now()): Faults {
  const file = join(store, "faults.jsonl");
  const written = statSync(file, { throwIfNoEntry: false })?.mtime;
  if (!written) return { count: 0, last: "", time: "", recent: false };
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const last = parseObject(lines.at(-1) ?? "");
  const fault = isObject(last) && typeof last["fault"] === "string" ? last["fault"] : "";
  return {
    count: lines.length,
    last: fault,
    time: written.toISOString(),
    recent: now - written.getTime() < DAY_MS,
  };
}

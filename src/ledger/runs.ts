import type { OutcomeStatus, VerdictKind } from "../model.ts";
import type { LedgerEntry, LedgerHook } from "./entry.ts";

/** How one hook did, as far as the ledger reaches. */
export interface Runs {
  readonly runs: number;
  readonly today: number;
  readonly failures: number;
  /** Failures since it last went well, the newest run included. */
  readonly inARow: number;
  readonly failingSince: string;
  readonly last: Last | undefined;
}

export interface Last {
  readonly time: string;
  readonly status: OutcomeStatus;
  readonly verdict: VerdictKind;
  readonly detail: string;
  readonly ms: number;
}

export const NO_RUNS: Runs = {
  runs: 0,
  today: 0,
  failures: 0,
  inARow: 0,
  failingSince: "",
  last: undefined,
};

export const hasFailed = ({ status }: { readonly status: OutcomeStatus }): boolean =>
  status === "failed" || status === "timeout";

/** Per hook, from entries newest first. `since` is the moment at which today began. */
export function runsOf(entries: Iterable<LedgerEntry>, since: Date): Map<string, Runs> {
  const all = new Map<string, Runs>();
  const begin = since.toISOString();
  for (const entry of entries) {
    for (const hook of entry.hooks.filter(hasRun)) {
      all.set(hook.name, earlier(all.get(hook.name) ?? NO_RUNS, hook, entry.time, begin));
    }
  }
  return all;
}

/** A detached hook is counted when it has ended, in an entry of its own. */
const hasRun = ({ status }: LedgerHook): boolean => status !== "skipped" && status !== "async";

/** `runs` with one more run that lies before all of them. */
function earlier(runs: Runs, hook: LedgerHook, time: string, begin: string): Runs {
  const failed = hasFailed(hook);
  const unbroken = failed && runs.inARow === runs.runs;
  const { status, verdict, ms } = hook;
  return {
    runs: runs.runs + 1,
    today: runs.today + (time >= begin ? 1 : 0),
    failures: runs.failures + (failed ? 1 : 0),
    inARow: runs.inARow + (unbroken ? 1 : 0),
    failingSince: unbroken ? time : runs.failingSince,
    last: runs.last ?? { time, status, verdict, detail: hook.note || hook.reason, ms },
  };
}

export const midnight = (now: Date = new Date()): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate());

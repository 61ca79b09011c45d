import type { LedgerEntry } from "./entry.ts";

/** What a hook's calls took. */
export interface Cost {
  readonly runs: number;
  /** Milliseconds. */
  readonly median: number;
}

const ENTRIES = 20_000;
const RUNS = 100;

/** Per hook, from entries newest first; only the newest count. */
export function costsOf(entries: Iterable<LedgerEntry>): Map<string, Cost> {
  const taken = new Map<string, number[]>();
  let seen = 0;
  for (const { hooks } of entries) {
    if (++seen > ENTRIES) break;
    for (const { name, ms, status } of hooks) {
      if (status === "skipped" || status === "async") continue;
      const list = taken.get(name) ?? [];
      if (list.length < RUNS) list.push(ms);
      taken.set(name, list);
    }
  }
  return new Map([...taken].map(([name, list]) => [name, costOf(list)]));
}

function costOf(list: readonly number[]): Cost {
  const sorted = list.toSorted((a, b) => a - b);
  return { runs: list.length, median: sorted[Math.floor(sorted.length / 2)] ?? 0 };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Layout } from "../dispatch/layout.ts";
import { isObject, parseObject } from "../dispatch/occurrence.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { readLedger, type Tally } from "../ledger/read.ts";
import type { Trace } from "./_trace.ts";

/** The event in a form that can be typed: its tool call's id, or the hash of its payload. */
export const shortId = ({ id }: LedgerEntry): string => id.split(":").slice(2).join(":") || id;

/** Whether a hook had something to say that went beyond pass. */
export const hasDecided = ({ decision }: LedgerEntry): boolean =>
  decision.verdict !== "pass" || decision.clampedFrom !== "" || decision.unenforced !== "";

export function lastEntry(layout: Layout, any: boolean, tally: Tally): LedgerEntry | undefined {
  let newest: LedgerEntry | undefined;
  for (const entry of readLedger(layout.ledger, tally)) {
    if (entry.lane === "async") continue;
    if (any || hasDecided(entry)) return entry;
    newest ??= entry;
  }
  return newest;
}

/** Entries whose id, or the part after the session and the event, begins with `written`. */
export function entriesNamed(layout: Layout, written: string, tally: Tally): LedgerEntry[] {
  const found = new Map<string, LedgerEntry>();
  for (const entry of readLedger(layout.ledger, tally)) {
    if (entry.lane === "async" || found.has(entry.id)) continue;
    if (entry.id === written) return [entry];
    if (entry.id.startsWith(written) || shortId(entry).startsWith(written))
      found.set(entry.id, entry);
  }
  return [...found.values()];
}

export function traceOf(layout: Layout, entry: LedgerEntry): Trace {
  const waits = entry.hooks.some(({ status }) => status === "async");
  const later = waits
    ? [...readLedger(layout.ledger)].filter(({ id, lane }) => id === entry.id && lane === "async")
    : [];
  return { entry, later, sources: sourcesOf(layout) };
}

/** As of the last compile; nothing is compiled for this. */
function sourcesOf({ slot }: Layout): Map<string, string> {
  let text = "";
  try {
    text = readFileSync(join(slot, "hooks.json"), "utf8");
  } catch {
    return new Map();
  }
  const { hooks } = parseObject(text);
  const rows = Array.isArray(hooks) ? hooks.filter(isObject) : [];
  return new Map(rows.map(({ name, source }) => [String(name), String(source)] as const));
}

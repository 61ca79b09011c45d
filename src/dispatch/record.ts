import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { cut } from "../handlers/_verdict.ts";
import type { Decision, Occurrence } from "../model.ts";
import type { HookNote } from "./merge.ts";
import { redact } from "./redact.ts";

/** A ledger line is read by people: an agent's way is told, not copied. */
const TRACED = 40;

export interface Entry {
  readonly event: Occurrence;
  readonly lane: string;
  readonly ms: number;
  readonly manifest: string;
  readonly depth: number;
  readonly notes: readonly HookNote[];
  readonly decision: Decision;
  /** Things to say about the dispatch as a whole. */
  readonly remarks: readonly string[];
  /** Kept only with `record: payload`. */
  readonly payload?: string;
}

/** One line, one write: lines of concurrent dispatches never mix. */
export function recordEntry(folder: string, entry: Entry): void {
  const now = new Date();
  const file = join(folder, `${now.toISOString().slice(0, 10)}.jsonl`);
  const line = `${JSON.stringify(ledgerEntry(entry, now))}\n`;
  try {
    appendFileSync(file, line);
  } catch {
    mkdirSync(folder, { recursive: true });
    appendFileSync(file, line);
  }
}

/** What a line begins with: the event, whichever of its hooks the line is about. */
export const headOf = (
  { event, manifest, depth }: Pick<Entry, "event" | "manifest" | "depth">,
  now: Date,
): Record<string, unknown> => ({
  v: 1,
  time: now.toISOString().replace(/\.\d+Z$/, "Z"),
  id: event.id,
  harness: event.harness,
  event: event.event,
  session: event.session.slice(0, 500),
  tool: event.tool,
  manifest,
  depth,
});

/** The same keys in the same order as the shell lane writes them. */
export function ledgerEntry(entry: Entry, now: Date): Record<string, unknown> {
  return {
    ...headOf(entry, now),
    lane: entry.lane,
    ms: entry.ms,
    hooks: entry.notes.map(hookLine),
    decision: decisionLine(entry.decision),
    ...(entry.remarks.length > 0 ? { notes: entry.remarks } : {}),
    ...(entry.payload === undefined ? {} : { payload: redact(entry.payload) }),
  };
}

const hookLine = (note: HookNote): Record<string, unknown> => ({
  name: note.name,
  status: note.status,
  exit: note.exit,
  verdict: note.verdict,
  ...(note.reason === "" ? {} : { reason: cut(redact(note.reason), 300) }),
  ...(note.note === "" ? {} : { note: cut(redact(note.note), 300) }),
  ms: note.ms,
  ...(note.trace ? { trace: traceLines(note.trace) } : {}),
});

export const traceLines = (trace: readonly string[]): string[] =>
  trace.slice(0, TRACED).map((line) => cut(redact(line), 300));

const decisionLine = (decision: Decision): Record<string, unknown> => ({
  verdict: decision.verdict,
  ...(decision.reason === "" ? {} : { reason: cut(redact(decision.reason), 500) }),
  ...(decision.clampedFrom === "" ? {} : { clampedFrom: decision.clampedFrom }),
  ...(decision.unenforced === "" ? {} : { unenforced: decision.unenforced }),
});

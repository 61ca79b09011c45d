import { isObject } from "../dispatch/occurrence.ts";
import { OUTCOME_STATUS, VERDICTS, type OutcomeStatus, type VerdictKind } from "../model.ts";

/** One line of the ledger: one dispatch, or one detached hook that has ended (lane async). */
export interface LedgerEntry {
  readonly time: string;
  readonly id: string;
  readonly harness: string;
  readonly event: string;
  readonly session: string;
  readonly tool: string;
  readonly manifest: string;
  readonly depth: number;
  readonly lane: string;
  readonly ms: number;
  readonly hooks: readonly LedgerHook[];
  readonly decision: LedgerDecision;
  readonly notes: readonly string[];
  /** The line as it was written. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface LedgerHook {
  readonly name: string;
  readonly status: OutcomeStatus;
  readonly exit: number | null;
  readonly verdict: VerdictKind;
  readonly reason: string;
  readonly note: string;
  readonly ms: number;
  /** What a model was asked, which tools it used and what it found; empty for other kinds. */
  readonly trace: readonly string[];
}

export interface LedgerDecision {
  readonly verdict: VerdictKind;
  readonly reason: string;
  readonly clampedFrom: VerdictKind | "";
  readonly unenforced: string;
}

/** undefined for a line that is torn, damaged or not ours. */
export function parseEntry(line: string): LedgerEntry | undefined {
  const raw = parsed(line);
  if (!raw || raw["v"] !== 1 || typeof raw["event"] !== "string" || !isObject(raw["decision"]))
    return undefined;
  const text = (key: string): string => textOf(raw[key]);
  return {
    ...{ time: text("time"), id: text("id"), harness: text("harness"), event: text("event") },
    ...{
      session: text("session"),
      tool: text("tool"),
      manifest: text("manifest"),
      lane: text("lane"),
    },
    depth: numberOf(raw["depth"]),
    ms: numberOf(raw["ms"]),
    hooks: Array.isArray(raw["hooks"]) ? raw["hooks"].filter(isObject).map(hookOf) : [],
    decision: decisionOf(raw["decision"]),
    notes: Array.isArray(raw["notes"]) ? raw["notes"].map(textOf) : [],
    raw,
  };
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const hookOf = (raw: Record<string, unknown>): LedgerHook => ({
  name: textOf(raw["name"]),
  status: OUTCOME_STATUS.find((one) => one === raw["status"]) ?? "failed",
  exit: typeof raw["exit"] === "number" ? raw["exit"] : null,
  verdict: verdictOf(raw["verdict"]),
  reason: textOf(raw["reason"]),
  note: textOf(raw["note"]),
  ms: numberOf(raw["ms"]),
  trace: Array.isArray(raw["trace"]) ? raw["trace"].map(textOf) : [],
});

const decisionOf = (raw: Record<string, unknown>): LedgerDecision => ({
  verdict: verdictOf(raw["verdict"]),
  reason: textOf(raw["reason"]),
  clampedFrom: raw["clampedFrom"] === undefined ? "" : verdictOf(raw["clampedFrom"]),
  unenforced: textOf(raw["unenforced"]),
});

const verdictOf = (value: unknown): VerdictKind => VERDICTS.find((one) => one === value) ?? "pass";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

import { adapterOf } from "../adapters/_all.ts";
import { hasFailed } from "../ledger/runs.ts";
import type { LedgerEntry, LedgerHook } from "../ledger/entry.ts";
import type { OutcomeStatus, VerdictKind } from "../model.ts";
import { harmless, oneLine, type Paint } from "./_paint.ts";
import { indented, table } from "./_table.ts";
import { ago, clock, listed, span } from "./_words.ts";

/** One entry, and what is known around it. */
export interface Trace {
  readonly entry: LedgerEntry;
  /** Entries of detached hooks that belong to it. */
  readonly later: readonly LedgerEntry[];
  /** Where a hook is written, by its name. */
  readonly sources: ReadonlyMap<string, string>;
}

export const VERDICT_WORDS = {
  pass: "passed",
  allow: "allowed",
  rewrite: "rewritten",
  ask: "user asked",
  deny: "denied",
  halt: "stopped",
} as const satisfies Record<VerdictKind, string>;

export function verdictPaint(paint: Paint, verdict: VerdictKind): (text: string) => string {
  if (verdict === "deny" || verdict === "halt") return paint.bad;
  if (verdict === "pass") return paint.quiet;
  return verdict === "allow" ? paint.good : paint.odd;
}

/** The explained view of one entry. */
export function traceText({ entry, later, sources }: Trace, paint: Paint, width: number): string {
  const { decision } = entry;
  const deciders = decidersOf(entry);
  const rows = [...entry.hooks, ...later.flatMap(({ hooks }) => hooks)].map((hook, at) =>
    hookRow(hook, at + 1, deciders.includes(hook), paint),
  );
  return [
    `${paint.strong(verdictPaint(paint, decision.verdict)(VERDICT_WORDS[decision.verdict]))}  ${headline(entry)}`,
    ...(decision.reason === "" ? [] : [indented(harmless(decision.reason), 2)]),
    "",
    rows.length === 0 ? "  No hook was chosen." : table(rows, { indent: 2, width }),
    "",
    ...toldText([...entry.hooks, ...later.flatMap(({ hooks }) => hooks)], paint),
    ...sentences(entry, deciders, sources).map((one) => `  ${one}`),
    paint.quiet(
      `  ${[`id ${entry.id}`, `lane ${entry.lane}`, `manifest ${entry.manifest}`].join("   ")}`,
    ),
  ].join("\n");
}

/** What models were asked, which tools they used and what they found. */
function toldText(hooks: readonly LedgerHook[], paint: Paint): string[] {
  return hooks
    .filter(({ trace }) => trace.length > 0)
    .flatMap(({ name, trace }) => [
      `  ${paint.name(name)}`,
      ...trace.map((line) => `    ${oneLine(line)}`),
      "",
    ]);
}

function headline({ event, tool, harness, time, ms }: LedgerEntry): string {
  const title = adapterOf(harness)?.title ?? harness;
  const what = tool === "" ? event : `${event} of ${oneLine(tool)}`;
  return `${what} in ${title}, ${clock(time)} (${ago(time)}), answered in ${span(ms)}`;
}

const STATUS_WORDS = {
  ok: "ran",
  failed: "failed",
  timeout: "timed out",
  skipped: "skipped",
  async: "detached",
} as const satisfies Record<OutcomeStatus, string>;

function hookRow(hook: LedgerHook, at: number, decided: boolean, paint: Paint): string[] {
  const status = STATUS_WORDS[hook.status];
  const idle = hook.status === "skipped" || hook.status === "async";
  return [
    String(at),
    paint.name(hook.name),
    hasFailed(hook) ? paint.bad(status) : status,
    hook.exit === null ? "" : `exit ${hook.exit}`,
    idle || hasFailed(hook) ? "" : verdictPaint(paint, hook.verdict)(hook.verdict),
    idle ? "" : span(hook.ms),
    [
      ...(decided ? [paint.strong("decided")] : []),
      ...[hook.note, hook.reason]
        .filter((text) => text !== "" && text !== `exit ${hook.exit}`)
        .map(oneLine),
    ].join(": "),
  ];
}

/** Those whose opinion became the decision, before the harness had its say. */
export function decidersOf({ hooks, decision }: LedgerEntry): readonly LedgerHook[] {
  const said = decision.clampedFrom || decision.verdict;
  return said === "pass"
    ? []
    : hooks.filter(({ verdict, note }) => verdict === said && !note.startsWith("block refused"));
}

function sentences(
  entry: LedgerEntry,
  deciders: readonly LedgerHook[],
  sources: Trace["sources"],
): string[] {
  const where = deciders.map(
    ({ name }) => `${name} (${sources.get(name) ?? "no longer configured"})`,
  );
  const refused = entry.hooks.filter(({ note }) => note.startsWith("block refused"));
  return [
    ...(where.length > 0 ? [`Decided by ${listed(where)}.`] : []),
    ...clampSentence(entry),
    ...refused.map(
      ({ name, note }) =>
        `${name} wanted to block and was not let: ${note.replace(/^block refused: /, "")}.`,
    ),
    ...entry.notes.map((note) => `Note: ${oneLine(note)}.`),
  ];
}

function clampSentence({ decision, harness, event }: LedgerEntry): string[] {
  const { clampedFrom, unenforced, verdict } = decision;
  const title = adapterOf(harness)?.title ?? harness;
  if (unenforced !== "")
    return [
      `A hook said ${clampedFrom || verdict}, and it was not enforced: ${oneLine(unenforced)}.`,
    ];
  if (clampedFrom === "") return [];
  return [
    `A hook said ${clampedFrom}, which ${title} cannot express at ${event}; it became ${verdict}, never something weaker.`,
  ];
}

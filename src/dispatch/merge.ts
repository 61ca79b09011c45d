import { type EventName, factsOf } from "../events.ts";
import { takesContext, takesNotice, type Surface } from "../adapters/_contract.ts";
import { cut, rank, trimText } from "../handlers/_verdict.ts";
import type { Decision, EventSettings, Outcome, Verdict, VerdictKind } from "../model.ts";
import type { Message } from "./inbox.ts";
import { rewritesAt } from "./rewrites.ts";
import { clampVerdict, type Clamped } from "./clamp.ts";
import { isSuspension, suspensionText } from "./streaks.ts";

/** What goes to the ledger about one hook. */
export interface HookNote {
  readonly name: string;
  readonly status: Outcome["status"];
  readonly exit: number | null;
  readonly verdict: VerdictKind;
  readonly reason: string;
  readonly note: string;
  readonly ms: number;
  readonly trace?: readonly string[];
}

export interface Merged {
  readonly decision: Decision;
  /** stderr for a blocking reply. */
  readonly blockText: string;
  /** stderr for any other reply: warnings and what hooks wrote. */
  readonly warnText: string;
  readonly notes: readonly HookNote[];
  readonly rewrote: boolean;
}

interface Draft {
  kind: VerdictKind;
  reasons: string[];
  said: string[];
  contexts: string[];
  used: number;
  notices: string[];
  warnings: string;
  clampedFrom: VerdictKind | "";
  unenforced: string;
  rewrote: boolean;
}

/** All outcomes, in order → one decision. shell/merge.awk says the same in awk. */
export function mergeOutcomes(
  outcomes: readonly Outcome[],
  surface: Surface,
  settings: EventSettings,
  event: string,
  harness: string,
  rewritable: boolean,
  /** Suspended hooks of which the user has not been told yet. */
  untold: ReadonlySet<string> = new Set(),
  inbox: readonly Message[] = [],
): Merged {
  const draft: Draft = {
    kind: "pass",
    reasons: [],
    said: [],
    contexts: [],
    used: 0,
    notices: [],
    warnings: "",
    clampedFrom: "",
    unenforced: "",
    rewrote: false,
  };
  for (const { hook, text } of inbox) addContext(draft, hook, text);
  const notes = outcomes.map((outcome) => fold(draft, outcome));
  return {
    decision: {
      verdict: draft.kind,
      reason: draft.reasons.join("\n"),
      context: draft.contexts.join("\n"),
      input: "",
      notice: draft.notices.join("\n"),
      clampedFrom: draft.clampedFrom,
      unenforced: draft.unenforced,
    },
    blockText: draft.said.join("\n"),
    warnText: draft.warnings,
    notes,
    rewrote: draft.rewrote,
  };

  function fold(d: Draft, given: Outcome): HookNote {
    const { hook, status } = given;
    const lost = given.verdict.inputMode !== "" && !rewritable;
    const outcome = lost ? { ...given, verdict: withoutInput(given.verdict) } : given;
    const { verdict } = outcome;
    if (status === "skipped" || status === "async") {
      if (isSuspension(outcome) && untold.has(hook.name)) warn(d, suspensionText(hook, settings));
      return noteOf(outcome, "", outcome.detail);
    }
    const where = `${event} in ${harness}`;
    const inTable = factsOf(event as EventName).block;
    const kept = clampVerdict(hook, verdict, settings.blockable, surface, where, inTable);
    const nothing = `there is no ${rewritesAt(event) || "input"} to rewrite`;
    const clamped = lost && kept.unenforced === "" ? { ...kept, unenforced: nothing } : kept;
    const said = trimText(outcome.stderr);
    let note = outcome.detail;
    if (note !== "" && said !== "") note += `: ${cut(said, 200)}`;
    note = tellRefusal(d, outcome, clamped) || note;
    note = tellClamp(d, outcome, clamped) || note;
    if (verdict.context !== "") {
      if (takesContext(surface)) addContext(d, hook.name, verdict.context);
      else note = [note, "context is not taken here"].filter((t) => t !== "").join("; ");
    }
    if (verdict.notice !== "") addNotice(d, verdict.notice);
    const blocks = clamped.kind === "deny" || clamped.kind === "halt";
    if (verdict.inputMode !== "" && !blocks && clamped.unenforced === "") d.rewrote = true;
    tellRun(d, outcome, blocks);
    mergeKind(d, outcome, clamped);
    return noteOf(given, clamped.reason, note);
  }

  function tellRefusal(d: Draft, { hook, verdict }: Outcome, { refused }: Clamped): string {
    if (refused === "hook") {
      say(
        d,
        hook.name,
        `Hook ${hook.name} asked to block, but it may not (block is not set): ${verdict.reason}`,
      );
      return "block refused: block is not set";
    }
    if (refused === "setting") {
      say(
        d,
        hook.name,
        `Hook ${hook.name} asked to block, but the blocking setting does not list ${event}: ${verdict.reason}`,
      );
      return `block refused: the blocking setting does not list ${event}`;
    }
    if (refused !== "event") return "";
    if (takesContext(surface)) addContext(d, hook.name, verdict.reason);
    else
      warn(
        d,
        `Hook ${hook.name} asked to block, but ${event} cannot be blocked: ${verdict.reason}`,
      );
    return `block refused: ${event} cannot be blocked`;
  }

  function tellClamp(d: Draft, { hook, verdict }: Outcome, clamped: Clamped): string {
    if (clamped.clampedFrom !== "") d.clampedFrom ||= clamped.clampedFrom;
    if (clamped.unenforced !== "") {
      d.unenforced = clamped.unenforced;
      const tail = verdict.reason === "" ? "." : `: ${verdict.reason}`;
      say(d, hook.name, `Hook ${hook.name}: ${clamped.unenforced}${tail}`);
      return clamped.unenforced;
    }
    return clamped.clampedFrom === "" ? "" : `${clamped.clampedFrom} became ${clamped.kind}`;
  }

  function say(d: Draft, name: string, text: string): void {
    warn(d, text);
    if (takesContext(surface)) addContext(d, name, text);
  }

  function warn(d: Draft, text: string): void {
    d.warnings += `anyhook: ${text}\n`;
    addNotice(d, text);
  }

  function addNotice(d: Draft, text: string): void {
    if (takesNotice(surface)) d.notices.push(text);
  }

  /** Fenced and labelled, so that the model can tell a hook's words from the user's (§8). */
  function addContext(d: Draft, name: string, text: string): void {
    const left = settings.contextLimit - d.used;
    const length = [...text].length;
    const fenced = text
      .replaceAll("</anyhook-context>", "<\\/anyhook-context>")
      .replaceAll("<anyhook-context", "<\\anyhook-context");
    const limit = settings.contextLimit;
    const body =
      length > left
        ? `${left > 0 ? cut(fenced, left) : ""}\n[cut by anyhook: the limit is ${limit} characters per event]`
        : fenced;
    d.used += Math.min(length, left);
    d.contexts.push(`<anyhook-context hook="${name}">\n${body}\n</anyhook-context>`);
  }
}

function tellRun(d: Draft, { hook, status, stderr, detail }: Outcome, blocks: boolean): void {
  const err = trimText(stderr);
  if (status === "failed" || status === "timeout") {
    const tail = err === "" ? "" : `: ${cut(err, 300)}`;
    d.warnings += `anyhook: Hook ${hook.name} failed: ${detail} (${hook.source})${tail}\n`;
  } else if (!blocks && stderr !== "") d.warnings += stderr.endsWith("\n") ? stderr : `${stderr}\n`;
}

function mergeKind(d: Draft, outcome: Outcome, { kind, reason }: Clamped): void {
  if (rank(kind) < rank(d.kind) || (kind === "pass" && d.kind === "pass")) return;
  if (rank(kind) > rank(d.kind)) Object.assign(d, { kind, reasons: [], said: [] });
  if (reason === "") return;
  d.reasons.push(reason);
  const err = outcome.status === "ok" ? trimText(outcome.stderr) : "";
  if (err === "") d.said.push(reason);
  else d.said.push(err.includes(reason) ? err : `${err}\n${reason}`);
}

export const withoutInput = (verdict: Verdict): Verdict => ({
  ...verdict,
  kind: verdict.kind === "rewrite" ? "pass" : verdict.kind,
  input: "",
  inputMode: "",
});

const noteOf = (outcome: Outcome, reason: string, note: string): HookNote => ({
  name: outcome.hook.name,
  status: outcome.status,
  exit: outcome.exit,
  verdict: outcome.verdict.kind,
  reason,
  note,
  ms: outcome.ms,
  ...(outcome.trace ? { trace: outcome.trace } : {}),
});

import { type EventName, factsOf } from "../events.ts";
import type { Diagnostic } from "../model.ts";
import type { Draft } from "./draft.ts";
import { type Report, reportOn } from "./fields.ts";
import { deafTo, REMOTE } from "./remote.ts";

/** Events for which the person or the model waits before anything happens. */
const CRITICAL: readonly EventName[] = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];
/** Nobody waits to decide, but the next step waits all the same. */
const BETWEEN: readonly EventName[] = ["PostToolUse", "PostToolUseFailure"];

/** What one call takes when nothing has been measured yet. */
const TYPICAL: Readonly<Record<string, string>> = {
  http: "typically 0.05–0.5 s",
  prompt: "typically 0.5–2 s",
  agent: "typically 5–30 s",
};

/** The part of the message that `validate` replaces by what the ledger says. */
export const typicalCost = (kind: string): string => `${TYPICAL[kind] ?? ""} per call`;

/** What is allowed and still not what the person wants. */
export function advice(draft: Draft): Diagnostic[] {
  const report = reportOn(draft.file, draft.name);
  adviseBlock(draft, report);
  adviseUnarmed(draft, report);
  adviseSlow(draft, report);
  adviseTimeout(draft, report);
  adviseExtras(draft, report);
  adviseNotify(draft, report);
  adviseSecrets(draft, report);
  return report.diagnostics;
}

function adviseBlock(draft: Draft, report: Report): void {
  if (draft.block !== true) return;
  const deaf = draft.events.filter((event) => !factsOf(event).block);
  if (deaf.length > 0) {
    const hint =
      "what it says there is fed back where the event allows it; remove block, or choose another event";
    report.say(
      "warning",
      draft.line,
      "cannot-block",
      `block: nothing can be blocked at ${deaf.join(", ")}`,
      hint,
    );
  }
  if (draft.async) {
    const message = "block: an async hook runs detached and cannot decide";
    report.say("warning", draft.line, "cannot-block", message, "remove async or block");
  }
}

/** In lists and nodes a hook may not block unless it says so, and `exit 2` says that it wants to. */
function adviseUnarmed(draft: Draft, report: Report): void {
  const { block, form, kind, run, events, line } = draft;
  const isOpen = block === undefined && (form === "list" || form === "node") && !draft.async;
  if (!isOpen || kind !== "shell" || !/\bexit\s+2\b/.test(run)) return;
  if (!events.some((event) => factsOf(event).block)) return;
  const message = "exit 2 asks to block, and this hook may not: block is not set";
  report.say(
    "warning",
    line,
    "unarmed",
    message,
    "add block: true, or block: false to say that you know",
  );
}

/** Nothing starts that fast: whoever writes 5 thinks of seconds. */
function adviseTimeout({ timeout, line }: Draft, report: Report): void {
  if (timeout === undefined || timeout >= 20) return;
  const message = `timeout: ${timeout} are milliseconds, too few to start anything`;
  report.say("warning", line, "short-timeout", message, `write "${timeout}s" for seconds`);
}

/** S1.17, S1.18, R14. */
function adviseSlow(draft: Draft, report: Report): void {
  const { kind, async, line } = draft;
  if (async || !REMOTE.includes(kind)) return;
  const gate = kind === "http" && draft.block === true;
  // Whoever puts a gate there and says how long it may take knows that it is waited for.
  if (gate && draft.timeout !== undefined) return;
  const critical = draft.events.filter((event) => CRITICAL.includes(event));
  const between = kind === "http" ? [] : draft.events.filter((event) => BETWEEN.includes(event));
  const waits = [...critical, ...between];
  if (waits.length === 0) return;
  const which = draft.matcher.length > 0 ? "every matching" : "every";
  const message = `${which} ${waits.join(", ")} waits for this ${kind} hook: ${typicalCost(kind)}`;
  const inTheWay = gate
    ? "say with timeout: how long it may take, or check with a command here"
    : "check with a command here, or use async: true on PostToolUse";
  const hint = critical.length > 0 ? inTheWay : "add async: true, or check with a command";
  report.say("warning", line, "slow-in-critical-path", message, hint);
}

/** Settings of other kinds of handler, on one that does not read them. */
function adviseExtras({ kind, extra, line }: Draft, report: Report): void {
  const deaf = deafTo(kind, extra);
  if (deaf.length === 0) return;
  const by = REMOTE.includes(kind) && extra["provider"] ? ` by ${String(extra["provider"])}` : "";
  const message = `${deaf.join(", ")}: a ${kind} hook${by} does not read this`;
  const hint = deaf.includes("env") ? "write VAR=value in front of the command" : "remove it";
  report.say("warning", line, "no-effect", message, hint);
}

/** Whoever is waited for can say it at once. */
function adviseNotify({ notify, async, line }: Draft, report: Report): void {
  if (!notify || async) return;
  const message = "notify: only an async hook is told about later";
  report.say("warning", line, "no-effect", message, "add async: true, or remove notify");
}

/** Headers that carry a secret, by their names. */
const SECRET = /authorization|cookie|token|secret|api-?key|password/i;

/** What is written out is in every clone, and in the store. */
function adviseSecrets({ kind, extra, line }: Draft, report: Report): void {
  if (kind !== "http") return;
  const headers = Object.entries((extra["headers"] ?? {}) as Record<string, string>);
  const bare = headers.filter(([name, value]) => SECRET.test(name) && !value.includes("$"));
  if (bare.length === 0) return;
  const names = bare.map(([name]) => name).join(", ");
  const message = `headers: ${names} is written out, for everybody who reads this file`;
  report.say("warning", line, "secret-in-file", message, "write ${VAR}, and allowed_env: [VAR]");
}

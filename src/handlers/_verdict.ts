import { isObject } from "../dispatch/occurrence.ts";
import { membersOf } from "../dispatch/raw.ts";
import { nearMiss } from "./_near-miss.ts";
import { slipIn, textOf } from "./_slip.ts";
import {
  VERDICTS,
  type Hook,
  type OutcomeStatus,
  type Verdict,
  type VerdictKind,
} from "../model.ts";

export const PASS: Verdict = {
  kind: "pass",
  reason: "",
  context: "",
  input: "",
  inputMode: "",
  notice: "",
};

/** Of a hook that its caller has ended. */
export const ABORTED = "the call was aborted";

/** How a run ended, before anybody looked at what it said. */
export interface Run {
  readonly status: OutcomeStatus;
  readonly exit: number | null;
  readonly detail: string;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly ms: number;
  /** What it did on the way, for the ledger: one short line each. */
  readonly trace?: readonly string[];
}

export interface Judged {
  readonly status: OutcomeStatus;
  readonly detail: string;
  readonly verdict: Verdict;
}

export const rank = (kind: VerdictKind): number => VERDICTS.indexOf(kind);

/** One run → its verdict. shell/verdict.awk says the same in awk. */
export function judgeRun(hook: Hook, run: Run): Judged {
  const out = trim(run.stdout);
  const err = trim(run.stderr);
  let judged: Judged = { status: run.status, detail: run.detail, verdict: PASS };
  if (run.status === "ok" && run.stdout.length >= 1_048_576 && out.startsWith("{"))
    judged = { ...judged, status: "failed", detail: "printed more than 1 MB of JSON" };
  else if (run.status === "ok") judged = readOutput(out, run.exit, err, hook.event);
  if (judged.status === "failed" || judged.status === "timeout")
    judged = { ...judged, verdict: failureVerdict(hook, judged.detail, err || plain(out)) };
  return { ...judged, verdict: withReason(hook, judged.verdict) };
}

/** At most 1 MB is read; what is not UTF-8 becomes U+FFFD, and a NUL, which no awk keeps, nothing. */
export const said = (bytes: Buffer): string =>
  bytes.subarray(0, 1_048_576).toString("utf8").replaceAll("\0", "");

export const trim = (bytes: Buffer): string => trimText(said(bytes));

/** Only the four spaces that JSON knows, as in the shell lane. */
export const trimText = (text: string): string =>
  text.replace(/^[ \t\r\n]+/, "").replace(/[ \t\r\n]+$/, "");

/** What was printed for people; JSON was meant for us. */
const plain = (out: string): string => (out.startsWith("{") ? "" : out);

const fine = (verdict: Verdict): Judged => ({ status: "ok", detail: "", verdict });

const failed = (exit: number | null): Judged => ({
  status: "failed",
  detail: `exit ${exit}`,
  verdict: PASS,
});

function readOutput(out: string, exit: number | null, err: string, event: string): Judged {
  const data = out.startsWith("{") ? parse(out) : undefined;
  if (data && speaks(data)) {
    const slip = exit === 2 ? "" : slipIn(data);
    if (slip !== "") return { status: "failed", detail: slip, verdict: PASS };
    return readStructured(data, out, exit, err, event);
  }
  if (data && Object.keys(data).length === 0) return readOutput("", exit, err, event);
  if (exit === 0) return fine({ ...PASS, context: out });
  if (exit === 2) return fine({ ...PASS, kind: "deny", reason: err || out });
  return failed(exit);
}

const MEMBERS: readonly string[] = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "permissionDecision",
  "reason",
  "message",
  "context",
  "rewrite",
  "hookSpecificOutput",
  "terminalSequence",
  "async",
  "asyncTimeout",
];

/** An object without a single member that means something to us is data, and data is text; `{}` is silence. */
const speaks = (data: Readonly<Record<string, unknown>>): boolean =>
  MEMBERS.some((name) => Object.hasOwn(data, name)) || nearMiss(data) !== "";

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const WORDS: Readonly<Record<string, VerdictKind>> = {
  block: "deny",
  deny: "deny",
  ask: "ask",
  allow: "allow",
  approve: "allow",
};

const stricter = (a: VerdictKind, b: VerdictKind): VerdictKind => (rank(a) >= rank(b) ? a : b);

const word = (value: unknown): VerdictKind =>
  Object.hasOwn(WORDS, textOf(value)) ? WORDS[textOf(value)]! : "pass";

function readStructured(
  data: Record<string, unknown>,
  out: string,
  exit: number | null,
  err: string,
  event: string,
): Judged {
  const specific = isObject(data["hookSpecificOutput"]) ? data["hookSpecificOutput"] : {};
  const nested = isObject(specific["decision"]) ? specific["decision"] : {};
  const rewrite = readInput(data, specific, nested, out, event);
  let kind = stricter(word(data["decision"]), word(specific["permissionDecision"]));
  kind = stricter(kind, word(data["permissionDecision"]));
  kind = stricter(kind, word(nested["behavior"]));
  if (data["continue"] === false) kind = "halt";
  if (kind === "pass" && rewrite.inputMode !== "") kind = "rewrite";
  if (exit === 2) kind = stricter(kind, "deny");
  if (exit !== 0 && exit !== 2 && rank(kind) < rank("ask")) return failed(exit);
  const reason = firstText(
    data["reason"],
    specific["permissionDecisionReason"],
    data["permissionDecisionReason"],
    data["message"],
    nested["message"],
    data["stopReason"],
  );
  const contexts = [textOf(data["context"]), textOf(specific["additionalContext"])];
  return fine({
    kind,
    reason: reason || (rank(kind) >= rank("ask") ? err : ""),
    context: contexts.filter((text) => text !== "").join("\n"),
    ...rewrite,
    notice: textOf(data["systemMessage"]),
  });
}

const firstText = (...values: unknown[]): string => values.map(textOf).find((t) => t !== "") ?? "";

function readInput(
  data: Record<string, unknown>,
  specific: Record<string, unknown>,
  nested: Record<string, unknown>,
  out: string,
  event: string,
): Pick<Verdict, "input" | "inputMode"> {
  const raw = (...path: string[]): string =>
    path.reduce((text, key) => membersOf(text).find((m) => m.key === key)?.value ?? "{}", out);
  if (isObject(data["rewrite"])) return { input: raw("rewrite"), inputMode: "merge" };
  if (isObject(specific["updatedInput"]))
    return { input: raw("hookSpecificOutput", "updatedInput"), inputMode: "replace" };
  if (isObject(nested["updatedInput"]))
    return { input: raw("hookSpecificOutput", "decision", "updatedInput"), inputMode: "replace" };
  if (event === "PostToolUse" && Object.hasOwn(specific, "updatedToolOutput"))
    return { input: raw("hookSpecificOutput", "updatedToolOutput"), inputMode: "replace" };
  return { input: "", inputMode: "" };
}

function failureVerdict(hook: Hook, detail: string, err: string): Verdict {
  const said = `Hook ${hook.name} failed (${detail})${err === "" ? "" : `: ${cut(err, 300)}`}`;
  if (hook.onFailure === "block")
    return { ...PASS, kind: "deny", reason: `${said}. It is set to block when it fails.` };
  return hook.onFailure === "warn" ? { ...PASS, notice: `${said}.` } : PASS;
}

/** A block must carry an explanation (S3.26). */
function withReason(hook: Hook, verdict: Verdict): Verdict {
  if (verdict.reason !== "" || rank(verdict.kind) < rank("ask")) return verdict;
  const where = `${hook.name} (${hook.source})`;
  const reason =
    verdict.kind === "ask" ? `Hook ${where} asks for confirmation.` : `Blocked by hook ${where}.`;
  return { ...verdict, reason };
}

/** The first n characters, counted as code points. */
export const cut = (text: string, n: number): string =>
  text.length <= n ? text : [...text].slice(0, n).join("");

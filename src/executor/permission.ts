import type { Decision } from "../model.ts";
import type { HookEvent } from "../library/define.ts";
import { ABORTED } from "../handlers/_verdict.ts";
import { unlessAborted } from "./unless-aborted.ts";
import type { Permission, PermissionAnswer, Permit } from "./options.ts";

const ANSWERS: readonly unknown[] = ["allow", "deny", "ask"] satisfies PermissionAnswer[];

/** What the program's own check says; a check that fails does not let anything through. */
export async function askPermission(
  permit: Permit,
  when: Permission["when"],
  event: HookEvent,
  limits: { readonly budget: number; readonly signal: AbortSignal | undefined },
): Promise<Permission> {
  try {
    const said = await inTime((signal) => permit(event, { signal }), limits);
    const { answer, reason } = isObject(said) ? said : { answer: said, reason: "" };
    if (!ANSWERS.includes(answer))
      return refused(when, `it answered ${JSON.stringify(answer) ?? "nothing"}`);
    const text = typeof reason === "string" ? reason : "";
    return { when, answer: answer as PermissionAnswer, reason: text || REASONS[answer as "ask"] };
  } catch (error) {
    return refused(when, String(error));
  }
}

/** A check may wait for a person, but not for ever. */
async function inTime(
  ask: (signal: AbortSignal) => unknown,
  { budget, signal }: { readonly budget: number; readonly signal: AbortSignal | undefined },
): Promise<unknown> {
  const control = new AbortController();
  const late = new Error(`no answer within ${budget} ms`);
  const timer = setTimeout(() => control.abort(late), budget);
  const abort = (): void => control.abort(new Error(ABORTED));
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    const asked = (async () => ask(control.signal))();
    return await unlessAborted(asked, control.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

const REASONS = {
  allow: "",
  deny: "Permission was denied.",
  ask: "This needs permission.",
} as const satisfies Record<PermissionAnswer, string>;

const isObject = (value: unknown): value is { answer?: unknown; reason?: unknown } =>
  typeof value === "object" && value !== null;

const refused = (when: Permission["when"], why: string): Permission => ({
  when,
  answer: "deny",
  reason: `The permission check failed: ${why}.`,
});

/**
 * Both have a say. A deny of either holds. An ask of a hook holds; an ask of the check is answered
 * by a hook's allow and by nothing else. An allow of the check lifts nothing.
 */
export function withPermission(decision: Decision, { answer, reason }: Permission): Decision {
  const { verdict } = decision;
  if (verdict === "deny" || verdict === "halt" || answer === "allow") return decision;
  if (answer === "deny") return { ...decision, verdict: "deny", reason, input: "" };
  if (verdict === "allow") return decision;
  const reasons = verdict === "ask" ? `${decision.reason}\n${reason}` : reason;
  return { ...decision, verdict: "ask", reason: reasons };
}

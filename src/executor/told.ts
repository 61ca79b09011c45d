import type { HookOutcome, HookWarning } from "./options.ts";

/** What a callback of the program throws is the program's, and no reason to lose what hooks decided. */
export function told<T>(name: string, callback: (value: T) => void): (value: T) => void {
  return (value) => {
    try {
      callback(value);
    } catch (error) {
      warn(`${name} threw: ${String(error)}`);
    }
  };
}

const warn = (message: string): void => process.emitWarning(message, "AnyhookWarning");

export const warnProcess = ({ message }: HookWarning): void => warn(message);

/** As the ledger has it. */
export const asAsync = (outcome: HookOutcome): HookOutcome =>
  outcome.status === "ok" && outcome.verdict !== "pass"
    ? { ...outcome, note: "an async hook cannot decide" }
    : outcome;

/** Somebody must hear of it. */
export function warnOfFailure({ name, status, note }: HookOutcome): void {
  if (status === "failed" || status === "timeout") warn(`async hook ${name} failed: ${note}`);
}

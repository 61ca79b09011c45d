import type { Outcome } from "../install/install.ts";
import type { Call } from "./_call.ts";
import { changeText, changesOf, isChanged, refusalText } from "./_changes.ts";
import type { Limit } from "./_limits.ts";
import { count, listed } from "./_words.ts";

/** What is to be known about one harness, beside the change itself. */
export interface About {
  readonly outcome: Outcome;
  readonly notes: readonly string[];
  readonly limits: readonly Limit[];
}

/** Each harness in a line, and what a person has to know: short enough to stand above a question. */
export const installText = (call: Call, about: readonly About[], isDone: boolean): string =>
  about
    .map(({ outcome, notes, limits }) =>
      [
        headOf(call, outcome, isDone),
        ...notes.map((note) => `  ${call.paint.odd("note")}: ${note}`),
        ...limitLines(call, limits),
      ].join("\n"),
    )
    .join("\n\n");

/** Every change, line by line; of trust alone, if that is all that is asked about. */
export const diffsText = ({ paint }: Call, outcomes: readonly Outcome[]): string =>
  outcomes
    .filter(isChanged)
    .map((outcome) =>
      [
        paint.strong(outcome.adapter.title),
        ...changesOf(outcome).map((change) => changeText(change, paint)),
      ].join("\n"),
    )
    .join("\n\n");

/** Only the harness's own record of trust. */
export const trustOnly = (outcome: Outcome): Outcome => ({
  ...outcome,
  plan: outcome.plan && {
    ...outcome.plan,
    files: outcome.plan.files.filter(({ part }) => part === "trust"),
  },
});

function headOf(call: Call, outcome: Outcome, isDone: boolean): string {
  const { paint } = call;
  const head = paint.strong(outcome.adapter.title);
  if (outcome.refusal) return `${head}\n  ${refusalText(outcome, call)}`;
  if (!isChanged(outcome)) return `${head}: ${paint.good("connected")}, nothing to change`;
  const trust = changesOf(trustOnly(outcome)).map(({ file }) => file);
  const files = changesOf(outcome)
    .map(({ file }) => file)
    .filter((file) => !trust.includes(file));
  const trusted = isDone ? paint.good("trusted") : "to be trusted";
  if (files.length === 0) return `${head}: ${trusted} in ${listed(trust)}`;
  const events = count(outcome.plan?.calls.length ?? 0, "event");
  const also = trust.length === 0 ? "" : `; ${trusted} in ${listed(trust)}`;
  const connected = isDone ? paint.good("connected") : "to be connected";
  return `${head}: ${connected}, ${events} in ${listed(files)}${also}`;
}

const limitLines = ({ paint }: Call, limits: readonly Limit[]): string[] =>
  limits.map((one) => `  ${paint.name(one.hook)}: ${paint.odd("warning")}: ${one.message}`);

import { createTwoFilesPatch } from "diff";
import type { Outcome } from "../install/install.ts";
import type { Change } from "../install/replace-file.ts";
import { same } from "../install/replace-file.ts";
import type { Call } from "./_call.ts";
import { harmless, type Paint } from "./_paint.ts";
import { indented } from "./_table.ts";

/** Files that a plan changes. */
export const changesOf = ({ plan }: Outcome): readonly Change[] =>
  (plan?.files ?? [])
    .map(({ change }) => change)
    .filter(({ before, after }) => !same(before, after));

export const isChanged = (outcome: Outcome): boolean => changesOf(outcome).length > 0;

const NOTHING = "/dev/null";

/** A unified diff; a file that is new or goes is compared with nothing. */
export function diffOf({ file, before, after }: Change): string {
  const [from, to] = [before ? file : NOTHING, after ? file : NOTHING];
  const text = (bytes: Buffer | undefined): string => bytes?.toString("utf8") ?? "";
  const patch = createTwoFilesPatch(from, to, text(before), text(after), "", "", { context: 3 });
  return patch.slice(patch.indexOf("--- ")).trimEnd();
}

export function changeText(change: Change, paint: Paint): string {
  const lines = diffOf(change)
    .split("\n")
    .map((line) => {
      if (line.startsWith("+")) return paint.good(harmless(line));
      return line.startsWith("-") ? paint.bad(harmless(line)) : harmless(line);
    });
  return indented(lines.join("\n"), 2);
}

export const refusalText = ({ refusal }: Outcome, { paint }: Call): string => {
  if (!refusal) return "";
  const { file, line, column, message, hint } = refusal;
  const place = line > 0 ? `${file}:${line}:${column}` : file;
  const head = `${paint.strong(place)}: ${paint.bad("left alone")}: ${harmless(message)}`;
  return hint === "" ? head : `${head}\n    ${hint}`;
};

export const ACTIONS = { made: "created", changed: "changed", removed: "removed" } as const;

const actionOf = ({ before, after }: Change): string =>
  before === undefined ? ACTIONS.made : after === undefined ? ACTIONS.removed : ACTIONS.changed;

export const outcomeJson = (outcome: Outcome, scope: string): Record<string, unknown> => ({
  ...{ harness: outcome.adapter.id, scope },
  state: outcome.refusal ? "refused" : isChanged(outcome) ? "changed" : "unchanged",
  files: changesOf(outcome).map((change) => ({
    ...{ file: change.file, action: actionOf(change), diff: diffOf(change) },
  })),
  ...(outcome.refusal ? { refusal: refusalJson(outcome.refusal) } : {}),
});

const refusalJson = ({ file, line, column, message, hint }: NonNullable<Outcome["refusal"]>) => ({
  ...{ file, line, column, message, hint },
});

import type { DraftCondition } from "../compile/_definition.ts";
import type { Condition } from "../model.ts";
import { listed } from "./_words.ts";

type Written = Condition | DraftCondition;

/** As the header form writes it: `tool_name = Bash and tool_input.command ~ push.*--force`. */
export const matcherText = (matcher: readonly Written[]): string =>
  matcher.map(conditionText).join(" and ");

export function conditionText(condition: Written): string {
  if (condition.op === "eq") return `${condition.path} = ${condition.values.join("|")}`;
  const sign = condition.text.startsWith("glob:") ? "=" : "~";
  return `${condition.path} ${sign} ${patternText(condition)}`;
}

/** Rows that were read back from a manifest know their pattern by its address only. */
const patternText = ({ text }: { readonly text: string }): string =>
  text || "(its last good pattern)";

/** For a narrow column: `Bash, command ~ push.*--force`. */
export const matcherShort = (matcher: readonly Written[]): string =>
  matcher
    .map((one) =>
      conditionText(one)
        .replace(/^tool_name = /, "")
        .replace(/^tool_input\./, ""),
    )
    .join(", ");

/** In words: `the tool is Bash and tool_input.command matches push.*--force`. */
export const matcherWords = (matcher: readonly Written[]): string =>
  listed(matcher.map(conditionWords));

function conditionWords(condition: Written): string {
  const subject = SUBJECTS[condition.path] ?? condition.path;
  if (condition.op === "eq") return `${subject} is ${listed(condition.values, "or")}`;
  return `${subject} matches ${patternText(condition)}`;
}

const SUBJECTS: Readonly<Record<string, string>> = {
  tool_name: "the tool",
  paths: "a path",
  "tool_input.command": "the command",
  prompt: "the prompt",
  cwd: "the folder",
};

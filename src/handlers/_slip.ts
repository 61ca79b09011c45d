import { isObject, scalarText } from "../dispatch/occurrence.ts";
import { at, nearMiss } from "./_near-miss.ts";

type Json = Readonly<Record<string, unknown>>;

const IS = {
  "a text": (value) => typeof value === "string",
  "an object": isObject,
  "true or false": (value) => typeof value === "boolean",
} as const satisfies Record<string, (value: unknown) => boolean>;

type Kinds = readonly (readonly [string, keyof typeof IS])[];

/** The words that decide. */
const WORDS = [
  ["decision", "a text"],
  ["permissionDecision", "a text"],
  ["hookSpecificOutput.permissionDecision", "a text"],
  ["hookSpecificOutput.decision.behavior", "a text"],
] as const satisfies Kinds;

/** What is read, and what it must be where it is there at all. */
const KINDS = [
  ["continue", "true or false"],
  ["hookSpecificOutput", "an object"],
  ["hookSpecificOutput.decision", "an object"],
  ...WORDS,
  ["rewrite", "an object"],
  ["hookSpecificOutput.updatedInput", "an object"],
  ["hookSpecificOutput.decision.updatedInput", "an object"],
  ["context", "a text"],
  ["hookSpecificOutput.additionalContext", "a text"],
  ["reason", "a text"],
  ["message", "a text"],
  ["stopReason", "a text"],
  ["systemMessage", "a text"],
  ["permissionDecisionReason", "a text"],
  ["hookSpecificOutput.permissionDecisionReason", "a text"],
  ["hookSpecificOutput.decision.message", "a text"],
] as const satisfies Kinds;

const KNOWN: readonly string[] = ["", "block", "deny", "ask", "allow", "approve", "defer"];

const DECIDES: readonly string[] = [
  ...["decision", "permissionDecision", "continue", "context"],
  ...["rewrite", "hookSpecificOutput", "stopReason"],
];

/** A slip in what counts must not read as "go on". verdict_slip in awk is the same. */
export function slipIn(data: Json): string {
  const odd = KINDS.find(([path, kind]) => {
    const value = at(data, path);
    return value !== undefined && value !== null && !IS[kind](value);
  });
  if (odd !== undefined) return `${odd[0]} must be ${odd[1]}`;
  const unknown = WORDS.map(([path]) => textOf(at(data, path))).find(
    (word) => !KNOWN.includes(word),
  );
  if (unknown !== undefined) return `unknown decision ${JSON.stringify(unknown)}`;
  const near = nearMiss(data);
  if (near !== "") return near;
  if ((textOf(data["reason"]) || textOf(data["message"])) === "") return "";
  return DECIDES.some((name) => says(data, name)) ? "" : "a reason without a decision";
}

/** A text as it is meant; without NULs, which no variable and no awk can hold. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? scalarText(value).replaceAll("\0", "") : "";

const says = (data: Json, name: string): boolean =>
  Object.hasOwn(data, name) && data[name] !== null && data[name] !== "";

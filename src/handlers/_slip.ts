import { isObject, scalarText } from "../dispatch/occurrence.ts";

type Json = Readonly<Record<string, unknown>>;

const IS = {
  "a text": (value) => typeof value === "string",
  "an object": isObject,
  "true or false": (value) => typeof value === "boolean",
} as const satisfies Record<string, (value: unknown) => boolean>;

/** What decides, and what it must be where it is there at all. */
const KINDS = [
  ["decision", "a text"],
  ["permissionDecision", "a text"],
  ["continue", "true or false"],
  ["hookSpecificOutput", "an object"],
  ["hookSpecificOutput.permissionDecision", "a text"],
  ["hookSpecificOutput.decision", "an object"],
  ["hookSpecificOutput.decision.behavior", "a text"],
] as const satisfies readonly (readonly [string, keyof typeof IS])[];

const KNOWN: readonly string[] = ["", "block", "deny", "ask", "allow", "approve", "defer"];

const DECIDES: readonly string[] = [
  ...["decision", "permissionDecision", "continue", "context"],
  ...["rewrite", "hookSpecificOutput", "stopReason"],
];

/** A slip in the one word that counts must not read as "go on". verdict_slip in awk is the same. */
export function slipIn(data: Json): string {
  const odd = KINDS.find(([path, kind]) => {
    const value = at(data, path);
    return value !== undefined && value !== null && !IS[kind](value);
  });
  if (odd !== undefined) return `${odd[0]} must be ${odd[1]}`;
  const words = KINDS.filter(([, kind]) => kind === "a text").map(([path]) => at(data, path));
  const unknown = words.map(textOf).find((word) => !KNOWN.includes(word));
  if (unknown !== undefined) return `unknown decision ${JSON.stringify(unknown)}`;
  if ((textOf(data["reason"]) || textOf(data["message"])) === "") return "";
  return DECIDES.some((name) => says(data, name)) ? "" : "a reason without a decision";
}

const at = (data: Json, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      data,
    );

/** A text as it is meant; without NULs, which no variable and no awk can hold. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? scalarText(value).replaceAll("\0", "") : "";

const says = (data: Json, name: string): boolean =>
  Object.hasOwn(data, name) && data[name] !== null && data[name] !== "";

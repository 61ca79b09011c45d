import { type EventName, factsOf } from "../events.ts";
import type { DraftCondition, Form } from "./_definition.ts";
import type { Report } from "./fields.ts";
import type { Located } from "./located.ts";
import { type MatcherReading, parseConditions, parseExpression, parseSubject } from "./matcher.ts";

/** What people write for "always". */
const ALWAYS: readonly string[] = ["", "*", ".*", "none", "(none)"];

/** The conditions of a `matcher:` in any form: an object, an expression, or Claude's bare pattern. */
export function matcherOf(
  node: Located | undefined,
  events: readonly EventName[],
  form: Form,
  report: Report,
): DraftCondition[] {
  if (!node || (typeof node.value === "string" && ALWAYS.includes(node.value.trim()))) return [];
  const { conditions, problems } = parse(node, events, form);
  for (const { severity, message, hint } of problems) {
    report.say(severity, lineOf(node, message), "bad-matcher", `matcher: ${message}`, hint);
  }
  return [...(conditions ?? [])];
}

function parse(node: Located, events: readonly EventName[], form: Form): MatcherReading {
  const { value, entries } = node;
  if (entries) return parseConditions(value as Record<string, unknown>);
  if (typeof value !== "string")
    return problem("neither a text nor a map", 'write { tool_name: "Bash" }');
  if (form === "claude") return parseSubject(events[0]!, value);
  return /[=~]/.test(value) ? parseExpression(value) : parseBare(value, events);
}

/** `Bash` alone is compared with what the harnesses themselves match at that event. */
function parseBare(value: string, events: readonly EventName[]): MatcherReading {
  const [first] = events;
  const subjects = new Set(events.map((event) => factsOf(event).subject));
  if (first && subjects.size === 1) {
    const isOurs = /^(?:\/|glob:)/.test(value) && factsOf(first).subject !== "";
    return isOurs
      ? parseConditions({ [factsOf(first).subject]: value })
      : parseSubject(first, value);
  }
  if (!first) return { conditions: [], problems: [] };
  const named = [...subjects].filter(Boolean).join(" or ");
  return problem(
    `"${value}" alone would mean another field at each of its events`,
    `name the field: ${named} = "${value}"`,
  );
}

const problem = (message: string, hint: string): MatcherReading => ({
  conditions: undefined,
  problems: [{ severity: "error", message, hint }],
});

/** The line of the key that a message quotes, else that of the matcher. */
function lineOf(node: Located, message: string): number {
  for (const [key, entry] of node.entries ?? []) {
    if (message.includes(key)) return entry.keyLine;
  }
  return node.line;
}

import { BRACED, fieldsAt, isPlaceholder, PLACEHOLDERS } from "../dispatch/placeholders.ts";
import { EVENT_NAMES, type EventName, suggest } from "../events.ts";
import type { Report } from "./fields.ts";
import type { Handler } from "./handler.ts";
import { isNear } from "./misspelt.ts";

/** Which field of the payload a short name stands for. */
const SHORT: Readonly<Record<string, string>> = {
  file: "tool_input",
  args: "tool_input",
  result: "tool_response",
};

/** Where they are filled in, by kind. */
const FILLED: Readonly<Partial<Record<Handler["kind"], string>>> = {
  shell: "command",
  exec: "command",
  prompt: "prompt",
  agent: "prompt",
};

/** Placeholders that nothing will ever fill: allowed, and still not what the person wants. */
export function advisePlaceholders(
  { kind, run }: Handler,
  events: readonly EventName[],
  line: number,
  report: Report,
): void {
  const where = FILLED[kind];
  if (where === undefined) return;
  const names = new Set([...run.matchAll(BRACED)].map(([, name]) => name!));
  for (const name of names) {
    const [message, hint] = isPlaceholder(name) ? emptyAt(name, events) : slip(name);
    if (message)
      report.say("warning", line, "empty-placeholder", `${where}: ${message}`, hint ?? "");
  }
}

type Said = readonly [message?: string, hint?: string];

function emptyAt(name: string, events: readonly EventName[]): Said {
  const [first = ""] = name.split(".");
  const field = SHORT[name] ?? first;
  const lists = events.map(fieldsAt);
  if (lists.length === 0 || lists.some((fields) => !fields || fields.includes(field))) return [];
  const where = EVENT_NAMES.filter((event) => fieldsAt(event)?.includes(field));
  const message = `{${name}} is empty: no payload of ${events.join(", ")} has ${field}`;
  return [message, where.length > 0 ? `it is there at ${where.join(", ")}` : near(field)];
}

/** `{promt}` stays as it is, which nobody meant; `{print}` is awk's. */
function slip(name: string): Said {
  const meant =
    name.length >= 5
      ? suggest(name, PLACEHOLDERS)
      : PLACEHOLDERS.find((known) => isNear(name, known));
  return meant === undefined
    ? []
    : [`{${name}} is no placeholder and stays as it is`, `did you mean {${meant}}?`];
}

function near(field: string): string {
  const meant = suggest(field, PLACEHOLDERS);
  return meant === undefined
    ? "see the payloads in anyhook log, with record: payload"
    : `did you mean "${meant}"?`;
}

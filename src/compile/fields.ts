import { suggest } from "../events.ts";
import { CHAINS, type Diagnostic, FAILURE_POLICIES, type Severity } from "../model.ts";
import { PROVIDERS } from "./llm-settings.ts";
import type { LocatedEntry } from "./located.ts";
import { isStricter, misspelt } from "./misspelt.ts";
import {
  type Complain,
  type ValueType,
  count,
  didYouMean,
  duration,
  events,
  flag,
  harnesses,
  integer,
  oneOf,
  raw,
  table,
  text,
  textOrTexts,
  texts,
} from "./values.ts";
import { webAddress } from "./web-address.ts";

interface Field<T> extends ValueType<T> {
  readonly about: string;
  readonly role: Role;
}

/** limits = says when the hook runs; handler = what it runs; extra = handed to the handler as it is. */
type Role = "plain" | "limits" | "handler" | "extra";

const field = <T>(role: Role, type: ValueType<T>, about: string): Field<T> => ({
  ...type,
  role,
  about,
});

const TYPES = ["command", "module", "http", "prompt", "agent"] as const;
export type TypeName = (typeof TYPES)[number];

const type = {
  ...oneOf(TYPES),
  schema: { enum: [...TYPES, ...TYPES.map((t) => t.toUpperCase())] },
};
const matcher = { ...raw, schema: { type: ["string", "object"] } };

/** Every field of a hook, in every form. */
export const FIELDS = {
  name: field("plain", text, "Name of the hook; the same name in a stronger layer replaces it"),
  description: field("plain", text, "What it is for"),
  events: field("limits", events, "The event or events at which it runs"),
  type: field("plain", type, "What kind of handler runs; command when omitted"),
  order: field("plain", integer, "Lower runs earlier; 0 when omitted"),
  block: field("plain", flag, "Whether it may block, where the event can be blocked"),
  matcher: field("limits", matcher, "Conditions that must all hold"),
  timeout: field("plain", duration, 'Milliseconds, or a text such as "5s"'),
  on_failure: field(
    "plain",
    oneOf(FAILURE_POLICIES),
    "What a crash, a timeout or an odd exit means",
  ),
  chain: field("plain", oneOf(CHAINS), "Whether later hooks run after this one blocked"),
  async: field("plain", flag, "Runs detached and cannot decide"),
  harness: field("limits", harnesses, "Only on these harnesses"),
  reentrant: field("plain", flag, "Also runs for what happens inside another hook"),
  payload: field("plain", oneOf(["canonical", "native"]), "Which form of the payload it gets"),
  notify: field(
    "plain",
    oneOf(["context"]),
    "Async only: what it said is context at the next event of the session that takes context",
  ),
  once: field("limits", flag, "At most once per session"),
  enabled: field("limits", flag, "false switches it off"),
  status: field("limits", oneOf(["pending", "active"]), "pending: listed, never run"),
  command: field("handler", textOrTexts, "A command line for sh, or a list: program and arguments"),
  args: field("handler", texts, "Arguments of the command, which then runs without a shell"),
  module: field("handler", text, "A TypeScript or JavaScript module, relative to this file"),
  url: field("handler", text, "Where the payload is posted"),
  prompt: field("handler", text, "What a model is asked"),
  path: field("handler", text, "An executable file"),
  script: field("handler", text, "An executable file, relative to this file"),
  headers: field("extra", table, "HTTP headers"),
  model: field("extra", text, "Which model answers"),
  max_tokens: field("extra", count, "Longest answer"),
  base_url: field("extra", webAddress, "Where the model is"),
  provider: field("extra", oneOf(PROVIDERS), "Who is asked; auto when omitted"),
  env: field("extra", table, "No hook reads it: write VAR=value in front of a command"),
  allowed_env: field("extra", texts, "Variables that may be used in headers"),
  cache_ttl: field("extra", duration, "How long an answer is reused"),
  max_turns: field("extra", count, "Longest run of an agent"),
  token_budget: field("extra", count, "Most tokens that an agent may use, in and out"),
  key_env: field("extra", text, "The environment variable that holds the key"),
  stream: field("extra", flag, "Ask for the answer as a stream"),
  agent: field(
    "extra",
    text,
    "No hook reads it: type: agent is our own, and provider says who answers",
  ),
} satisfies Record<string, Field<unknown>>;

export type FieldName = keyof typeof FIELDS;

export type Fields = {
  -readonly [K in FieldName]?: NonNullable<ReturnType<(typeof FIELDS)[K]["read"]>>;
};

export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** Those that belong to one kind of handler; `notify` belongs to all. */
export const extraNames: readonly string[] = FIELD_NAMES.filter(
  (name) => FIELDS[name].role === "extra" && name !== "notify",
);

const ALIASES: Readonly<Record<string, FieldName>> = { event: "events" };

/** `onFailure`, `On-Failure` and `on_failure` are one field. */
const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

const BY_FOLDED: ReadonlyMap<string, FieldName> = new Map([
  ...FIELD_NAMES.map((name) => [fold(name), name] as const),
  ...Object.entries(ALIASES),
]);

export const fieldNamed = (written: string): FieldName | undefined => BY_FOLDED.get(fold(written));

/** Collects the mistakes in one hook, or in one file when `hook` is empty. */
export interface Report {
  readonly file: string;
  readonly hook: string;
  readonly diagnostics: Diagnostic[];
  readonly say: (
    severity: Severity,
    line: number,
    code: string,
    message: string,
    hint: string,
  ) => void;
}

/** No name has control characters, and what is none must not look like lines of ours. */
export function reportOn(file: string, named: string): Report {
  const diagnostics: Diagnostic[] = [];
  const hook = named.replace(/[\u0000-\u001f\u007f-\u009f]/g, "\ufffd");
  return {
    file,
    hook,
    diagnostics,
    say: (severity, line, code, message, hint) =>
      diagnostics.push({ file, line, severity, code, message, hint, hook }),
  };
}

/** An error that does not keep the hook from running, because without it nothing would be guarded. */
const MISSPELT = "misspelt-field";

export const isFatal = ({ severity, code }: Diagnostic): boolean =>
  severity === "error" && code !== MISSPELT;

type Entries = Iterable<readonly [string, LocatedEntry]>;

type Unknown = (key: string, at: LocatedEntry, report: Report, into: Fields) => void;

/** `ignored` are keys that belong to the form and not to the hook. */
export function readFields(
  entries: Entries,
  report: Report,
  ignored: readonly string[] = [],
  unknown: Unknown = reportUnknown,
): Fields {
  const fields: Fields = {};
  const unknowns: (readonly [string, LocatedEntry])[] = [];
  for (const [key, at] of entries) {
    if (ignored.includes(key)) continue;
    const name = fieldNamed(key);
    if (name === undefined) unknowns.push([key, at]);
    // `key:` with nothing after it is how people leave a field open.
    else if (at.node.value !== null) readField(name, at, fields, report);
  }
  // Last, because what is written correctly counts.
  for (const [key, at] of unknowns) unknown(key, at, report, fields);
  return fields;
}

function readField(name: FieldName, at: LocatedEntry, into: Fields, report: Report): void {
  const complain: Complain = (code, message, hint, line = at.keyLine) =>
    report.say("error", line, code, `${name}: ${message}`, hint);
  const value = (FIELDS[name] as Field<unknown>).read(at.node, complain);
  if (value !== undefined) (into as Record<string, unknown>)[name] = value;
}

/**
 * A slip in a field that limits the hook would widen it, so that one is not let through. In `prose`, a
 * comment or a front matter that is not ours alone, a value that does not fit is somebody else's.
 */
export const unknownAmong =
  (known: readonly string[], prose = true): Unknown =>
  (key, at, report, into) => {
    if (reportMisspelt(key, at, report, into)) return;
    const near = fieldNamed(suggest(key, known) ?? "");
    const limits = near !== undefined && FIELDS[near].role === "limits";
    const strong = !prose && misspelt(key, known) !== undefined;
    const hint = didYouMean(key, known);
    const message = `unknown field "${key}"`;
    report.say(limits || strong ? "error" : "warning", at.keyLine, "unknown-field", message, hint);
  };

const reportUnknown = unknownAmong(FIELD_NAMES, false);

/** A slip in a field that makes the hook stronger: said as an error, and the hook runs as was meant. */
function reportMisspelt(...[key, at, report, into]: Parameters<Unknown>): boolean {
  const name = misspelt(key, FIELD_NAMES);
  const value = name && (FIELDS[name] as Field<unknown>).read(at.node, () => {});
  if (name === undefined || value === undefined) return false;
  const taken = isStricter(name, value) && !(name in into);
  if (taken) (into as Record<string, unknown>)[name] = value;
  const message = `unknown field "${key}"${taken ? `, taken for ${name}: ${String(value)}` : ""}`;
  report.say("error", at.keyLine, MISSPELT, message, `did you mean "${name}"?`);
  return true;
}

/** The handler's own settings, apart from the fields everybody has. */
export function extraOf(fields: Fields): Record<string, unknown> {
  const names = FIELD_NAMES.filter((name) => FIELDS[name].role === "extra" && name in fields);
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** JSON Schema of hooks.yaml, from the same table that reads it. */
export function jsonSchema(): Record<string, unknown> {
  const describe = (name: FieldName): object => ({
    description: FIELDS[name].about,
    ...FIELDS[name].schema,
  });
  const properties = Object.fromEntries([
    ...FIELD_NAMES.map((name) => [name, describe(name)] as const),
    ...Object.entries(ALIASES).map(([alias, name]) => [alias, describe(name)] as const),
  ]);
  const hook = { type: "object", additionalProperties: false, properties };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "anyhook hooks file",
    type: "object",
    properties: { $schema: { type: "string" }, hooks: { type: "array", items: hook } },
    required: ["hooks"],
  };
}

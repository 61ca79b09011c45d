import { adapterOf, ADAPTERS } from "../adapters/_all.ts";
import { EVENT_NAMES, type EventName, resolveEvent, suggest } from "../events.ts";
import type { Located } from "./located.ts";

/** Says what is wrong with a value; the caller knows the file, the field and the hook. */
export type Complain = (code: string, message: string, hint: string, line?: number) => void;

export interface ValueType<T> {
  readonly schema: Readonly<Record<string, unknown>>;
  /** undefined after a complaint. */
  readonly read: (node: Located, complain: Complain) => T | undefined;
}

const HARNESSES = ADAPTERS.map(({ id }) => id);
const HARNESS_NAMES = ADAPTERS.flatMap(({ id, aliases }) => [id, ...aliases]);

/** `did you mean …?`, or else the whole choice. */
export function didYouMean(written: string, known: readonly string[]): string {
  const near = suggest(written, known);
  return near === undefined ? `one of: ${known.join(", ")}` : `did you mean "${near}"?`;
}

export const text: ValueType<string> = {
  schema: { type: "string" },
  read: (node, complain) => {
    if (typeof node.value === "string" && node.value.trim() !== "") return node.value;
    if (typeof node.value === "number") return String(node.value);
    return wrong(node, "some text", complain);
  },
};

/** Headers have nothing but text, and people write yes and on in YAML. */
const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

export const flag: ValueType<boolean> = {
  schema: { type: "boolean" },
  read: (node, complain) =>
    BOOLEANS[String(node.value).toLowerCase()] ?? wrong(node, "true or false", complain),
};

export const integer: ValueType<number> = {
  schema: { type: "integer" },
  read: (node, complain) => {
    const value = typeof node.value === "string" ? numberIn(node.value) : node.value;
    return Number.isSafeInteger(value)
      ? (value as number)
      : wrong(node, "a whole number", complain);
  },
};

export const count: ValueType<number> = {
  schema: { type: "integer", minimum: 1 },
  read: (node, complain) => {
    const value = integer.read(node, complain);
    if (value === undefined || value > 0) return value;
    return wrong(node, "a whole number above 0", complain);
  },
};

const UNITS: Readonly<Record<string, number>> = { "": 1, ms: 1, s: 1000, m: 60_000 };

/** Milliseconds. */
export const duration: ValueType<number> = {
  schema: {
    oneOf: [
      { type: "integer", minimum: 1 },
      { type: "string", pattern: "^[0-9.]+ ?(ms|s|m)?$" },
    ],
  },
  read: (node, complain) => {
    const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|)$/.exec(String(node.value).trim().toLowerCase());
    const ms = match ? Math.round(Number(match[1]) * UNITS[match[2]!]!) : 0;
    return ms > 0 ? ms : wrong(node, "a duration", complain, 'write 5000 (milliseconds) or "5s"');
  },
};

export const texts: ValueType<string[]> = {
  schema: { type: "array", items: { type: "string" } },
  read: (node, complain) => {
    const value = node.value;
    if (Array.isArray(value) && value.every(isPlain)) return value.map(String);
    return wrong(node, "a list of texts", complain);
  },
};

export const textOrTexts: ValueType<string | string[]> = {
  schema: { oneOf: [text.schema, texts.schema] },
  read: (node, complain) => {
    if (!Array.isArray(node.value)) return text.read(node, complain);
    if (node.value.length > 0) return texts.read(node, complain);
    return wrong(node, "a command line, or a list with at least the program", complain);
  },
};

export const table: ValueType<Record<string, string>> = {
  schema: { type: "object", additionalProperties: { type: "string" } },
  read: (node, complain) => {
    const pairs = [...(node.entries ?? [])].map(([key, entry]) => [key, entry.node.value] as const);
    if (!node.entries || !pairs.every(([, value]) => isPlain(value))) {
      return wrong(node, "a map of texts", complain);
    }
    return Object.fromEntries(pairs.map(([key, value]) => [key, String(value)]));
  },
};

/** Left as it is: what it means depends on other fields. */
export const raw: ValueType<Located> = { schema: {}, read: (node) => node };

export function oneOf<const T extends string>(values: readonly T[]): ValueType<T> {
  return {
    schema: { enum: values },
    read: (node, complain) => {
      const written = String(node.value);
      const found = values.find((value) => value === written.toLowerCase().replace(/_/g, "-"));
      if (found !== undefined) return found;
      complain("unknown-value", `"${written}" is not a choice here`, didYouMean(written, values));
      return undefined;
    },
  };
}

/** Native events that some harness offers beyond the canonical table: hooks may look on. */
const OBSERVED = [...new Set(ADAPTERS.flatMap(({ observes }) => observes))];

const observedEvent = (name: string): EventName | undefined =>
  OBSERVED.find((native) => native.toLowerCase() === name.toLowerCase()) as EventName | undefined;

const EVENT_SCHEMA = { type: "string", examples: EVENT_NAMES };

export const events: ValueType<EventName[]> = {
  schema: { oneOf: [EVENT_SCHEMA, { type: "array", items: EVENT_SCHEMA, minItems: 1 }] },
  read: (node, complain) =>
    each(node, "an event name or a list of them", complain, (name, line) => {
      const event = resolveEvent(name) ?? observedEvent(name);
      if (event) return event;
      const hint = didYouMean(name, [...EVENT_NAMES, ...OBSERVED]);
      complain("unknown-event", `there is no event "${name}"`, hint, line);
      return undefined;
    }),
};

export const harnesses: ValueType<string[]> = {
  schema: {
    oneOf: [{ type: "string" }, { type: "array", items: { enum: HARNESS_NAMES } }],
  },
  read: (node, complain) =>
    each(node, "a harness id or a list of them", complain, (name, line) => {
      const adapter = adapterOf(name.toLowerCase());
      if (adapter) return adapter.id;
      const hint = didYouMean(name, suggest(name, HARNESS_NAMES) ? HARNESS_NAMES : HARNESSES);
      complain("unknown-harness", `there is no harness "${name}"`, hint, line);
      return undefined;
    }),
};

/** `a`, `a, b` and `[a, b]`; undefined when one of them is wrong or there is none. */
function each<T>(
  node: Located,
  expected: string,
  complain: Complain,
  read: (name: string, line: number) => T | undefined,
): T[] | undefined {
  const items = node.items ?? [node];
  if (!items.every((item) => typeof item.value === "string"))
    return wrong(node, expected, complain);
  const names = items.flatMap(({ value, line }) =>
    (value as string)
      .split(/[,\s]+/)
      .filter(Boolean)
      .map((name) => ({ name, line })),
  );
  if (names.length === 0) return wrong(node, expected, complain);
  const found = names.map(({ name, line }) => read(name, line));
  const good = found.filter((value) => value !== undefined);
  return good.length === found.length ? [...new Set(good)] : undefined;
}

function wrong(
  node: Located,
  expected: string,
  complain: Complain,
  hint = `write ${expected}`,
): undefined {
  const written = JSON.stringify(node.value) ?? "nothing";
  complain("bad-value", `${written.slice(0, 80)} is not ${expected}`, hint, node.line);
  return undefined;
}

const isPlain = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

const numberIn = (written: string): number =>
  /^\s*[+-]?\d+\s*$/.test(written) ? Number(written) : NaN;

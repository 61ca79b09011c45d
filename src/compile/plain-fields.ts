import type { Report } from "./fields.ts";

/**
 * An object of a program as a file could have said it. What no file can say (a function, undefined
 * inside a matcher, NaN) is a mistake: left out without a word, a condition would hold always.
 */
export function plainFields(
  object: Readonly<Record<string, unknown>>,
  line: number,
  report: Report,
): Record<string, unknown> {
  const refuse = (path: string, what: string): undefined => {
    const hint =
      what === "null" ? "leave it out" : "write text, a number, a list or a plain object";
    report.say("error", line, "bad-value", `${path}: ${what} is no value of a hook`, hint);
    return undefined;
  };
  if (object["matcher"] === null) refuse("matcher", "null");
  return plainObject(object, "", MOST_LEVELS, refuse);
}

type Refuse = (path: string, what: string) => undefined;

/** Deeper than any hook; an object that contains itself ends here. */
const MOST_LEVELS = 20;

function plainObject(
  object: object,
  path: string,
  levels: number,
  refuse: Refuse,
): Record<string, unknown> {
  // A field that is undefined is a field that was left out; a condition is not.
  const members = Object.entries(object).filter(([, value]) => path !== "" || value !== undefined);
  return Object.fromEntries(
    members.map(([key, value]) => {
      const at = path === "" ? key : `${path}.${key}`;
      return [key, plainValue(value, at, levels - 1, refuse)];
    }),
  );
}

function plainValue(value: unknown, path: string, levels: number, refuse: Refuse): unknown {
  if (value instanceof RegExp) return `/${value.source}/${value.flags}`;
  if (typeof value === "number" && !Number.isFinite(value)) return refuse(path, String(value));
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  if (typeof value !== "object") return refuse(path, nameOf(value));
  if (levels === 0) return refuse(path, "so deep an object");
  if (Array.isArray(value))
    return value.map((one, index) => plainValue(one, `${path}.${index}`, levels - 1, refuse));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return refuse(path, `a ${value.constructor?.name ?? "class"}`);
  return plainObject(value, path, levels, refuse);
}

const nameOf = (value: unknown): string =>
  value === undefined ? "undefined" : `a ${typeof value}`;

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { ADAPTERS, adapterOf } from "../adapters/_all.ts";
import { didYouMean } from "../compile/values.ts";
import { distance } from "../events.ts";
import { CHAINS } from "../model.ts";
import { canonicalEvent } from "./event-name.ts";
import type { ExecuteOptions, HookExecutorOptions } from "./options.ts";

/** A mistake in the program is an error of the program, at once and not at the first event. */
export function checkOptions(options: unknown): void {
  if (!isObject(options)) throw new TypeError("HookExecutor needs options: { hooks: [ … ] }");
  checkAll("HookExecutor", OPTIONS, options);
}

export function checkCall(payload: unknown, options: unknown): void {
  if (!isObject(payload))
    throw new TypeError(`the payload must be an object, not ${show(payload)}`);
  if (!isObject(options)) throw new TypeError(`options must be an object, not ${show(options)}`);
  checkAll("execute", CALL_OPTIONS, options);
}

/** What is wrong with a value; "" when nothing is. */
type Check = (value: unknown) => string;

function checkAll(
  what: string,
  checks: Readonly<Record<string, Check>>,
  given: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(given)) {
    const known = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (known === undefined)
      throw new TypeError(
        `${what} has no option "${name}": ${didYouMean(name, Object.keys(checks))}`,
      );
    const wrong = value === undefined ? "" : known(value);
    if (wrong !== "") throw new TypeError(`${name}: ${wrong}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function show(value: unknown): string {
  if (typeof value === "function") return "a function";
  return typeof value === "number"
    ? String(value)
    : (JSON.stringify(value) ?? "nothing").slice(0, 80);
}

const must = (is: (value: unknown) => boolean, expected: string): Check => {
  return (value) => (is(value) ? "" : `${show(value)} is not ${expected}`);
};

const choice = (values: readonly string[]): Check => {
  return (value) =>
    values.includes(value as string)
      ? ""
      : `${show(value)} is not a choice here: ${didYouMean(String(value), values)}`;
};

/** A timer cannot run longer. */
const LONGEST = 2_147_483_647;

const milliseconds = must(
  (value) => typeof value === "number" && value >= 1 && value <= LONGEST,
  `a number of milliseconds from 1 to ${LONGEST}`,
);

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const aFunction = must((value) => typeof value === "function", "a function");
const aFile = must(isText, "the path of a file");
const anObject = must(isObject, "an object");

const folder: Check = (value) => {
  if (!isText(value)) return `${show(value)} is not the path of a folder`;
  const there = statSync(resolve(value), { throwIfNoEntry: false })?.isDirectory();
  return there ? "" : `there is no folder ${value}`;
};

const chain: Check = (value) => {
  if (!isObject(value)) return choice(CHAINS)(value);
  const wrong = Object.entries(value).map(([event, one]) => [
    canonicalEvent(event),
    choice(CHAINS)(one),
  ]);
  return wrong.find(([, why]) => why !== "")?.join(": ") ?? "";
};

const blocking: Check = (value) => {
  if (!Array.isArray(value)) return `${show(value)} is not a list of events`;
  value.forEach((name) => canonicalEvent(name as string));
  return "";
};

/** Any program may give itself a name; one that is nearly a harness's is a slip. */
const harness: Check = (value) => {
  if (!isText(value)) return `${show(value)} is not a name`;
  if (adapterOf(value)) return "";
  const ids = ADAPTERS.map(({ id }) => id).filter((id) => id.length > 5);
  const near = ids.find((id) => distance(value.toLowerCase(), id) <= 2);
  return near === undefined ? "" : `there is no harness "${value}": did you mean "${near}"?`;
};

const tools: Check = (value) => {
  const isTool = (one: unknown): boolean =>
    isText(one) || (isObject(one) && isText(one["name"]) && isPaths(one["paths"]));
  if (!isObject(value)) return `${show(value)} is not an object`;
  const wrong = Object.entries(value).find(([, one]) => !isTool(one));
  return wrong ? `${wrong[0]}: write "Bash" or { name: "Write", paths: ["target"] }` : "";
};

const isPaths = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isText));

const env: Check = (value) => {
  if (!isObject(value)) return `${show(value)} is not an object`;
  const odd = Object.entries(value).find(([, one]) => one !== undefined && typeof one !== "string");
  return odd ? `${odd[0]}: ${show(odd[1])} is not a text` : "";
};

/** By what it can do: a test runner may have an AbortSignal of its own. */
const isSignal = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["aborted"] === "boolean" &&
  typeof value["addEventListener"] === "function";

const OPTIONS = {
  hooksFile: aFile,
  hooks: must(Array.isArray, "a list of hooks"),
  project: folder,
  chain,
  blocking,
  permission: choice(["before", "after"]),
  permit: aFunction,
  cwd: folder,
  harness,
  tools,
  env,
  timeout: milliseconds,
  budget: milliseconds,
  contextLimit: must(
    (value) => Number.isSafeInteger(value) && (value as number) > 0,
    "a whole number above 0",
  ),
  settings: anObject,
  onWarning: aFunction,
  onAsync: aFunction,
} satisfies Record<keyof HookExecutorOptions, Check>;

const CALL_OPTIONS = {
  chain: choice(CHAINS),
  signal: must(isSignal, "an AbortSignal"),
} satisfies Record<keyof ExecuteOptions, Check>;

import type { Adapter } from "../adapters/_contract.ts";
import type { NativeHook } from "./native-hooks.ts";

/**
 * One matcher for equal hooks of several harnesses: it matches what each of theirs matches there.
 * Tool names are those that everybody knows, so that Bash and run_shell_command are found to be equal.
 */
export function matcherHere(hooks: readonly NativeHook[], adapters: readonly Adapter[]): string {
  const [first] = hooks as [NativeHook, ...NativeHook[]];
  const listed = wordsHere(first, adapters);
  const found = hooks.filter((hook) => wayOf(hook, adapters) === "search" && hook.matcher !== "");
  if (listed === "" || found.length === 0) return listed;
  // Found anywhere in a name, which a list of words here is not.
  const loose = [...new Set(found.map(({ matcher }) => matcher.replaceAll(/\s*,\s*/g, ",")))];
  return isWords(first.matcher) ? `^(?:${listed})$|${loose.join("|")}` : listed;
}

/** What makes two matchers the same. */
export function wordsHere(hook: NativeHook, adapters: readonly Adapter[]): string {
  const way = wayOf(hook, adapters);
  const matcher = way === "none" ? only(hook, adapters) : hook.matcher;
  if (matcher === "" || matcher === "*") return "";
  if (!isWords(matcher)) return way === "whole" ? `^(?:${matcher})$` : matcher;
  const tools = adapters.find(({ id }) => id === hook.harness)?.tools ?? {};
  const names = matcher
    .split(way === "words" ? /[|,]/ : "|")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => (Object.hasOwn(tools, name) ? tools[name]!.names[0]! : name));
  return [...new Set(names)].join("|");
}

export const isWords = (matcher: string): boolean => /^[\w|, -]*$/.test(matcher);

const wayOf = ({ harness }: NativeHook, adapters: readonly Adapter[]): string =>
  adapters.find(({ id }) => id === harness)?.settings.natives?.matcher ?? "words";

/** A harness with one event per kind of tool has no need of a matcher; here it is the tool. */
function only({ harness, event, native }: NativeHook, adapters: readonly Adapter[]): string {
  const surfaces = adapters.find(({ id }) => id === harness)?.surfaces ?? {};
  const surface = Object.entries(surfaces).find(([name]) => name === event)?.[1];
  return surface?.also ? native : "";
}

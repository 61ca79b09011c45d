import type { Adapter } from "../adapters/_contract.ts";
import type { Json, Scope } from "../adapters/_settings.ts";
import { parseSubject } from "../compile/matcher.ts";
import { factsOf, resolveEvent } from "../events.ts";
import type { NativeHook } from "./native-hooks.ts";

/**
 * Why a native hook stays where it is; empty when it can move. Only what runs here exactly as it
 * ran there may move: a guard that lost its meaning on the way would be worse than no import.
 */
export function obstacle(hook: NativeHook, adapter: Adapter, scope: Scope): string {
  const { command, event, rest } = hook;
  const type = rest["type"];
  if (type !== undefined && type !== "command") return `its type is ${JSON.stringify(type)}`;
  if (command === "") return "it has no command";
  const odd = oddKey({ ...aroundIt(hook), ...rest });
  if (odd !== undefined) return `its "${odd}" cannot be said here`;
  // With a wire its payload is another one, and so are the answers that it understands.
  if (adapter.wire) return `it speaks the dialect of ${adapter.title}, which hooks here do not`;
  if (adapter.observes.includes(event)) return `${event} is only observed here`;
  const mismatch = matcherTrouble(hook);
  if (mismatch !== "") return mismatch;
  if (scope === "user" && isRelative(command))
    return "its path is relative: from here it would run a file of whatever project is open";
  return "";
}

/** Harnesses compare no matcher with a prompt; here one would be. */
function matcherTrouble({ event, matcher }: NativeHook): string {
  const name = resolveEvent(event)!;
  const { problems } = parseSubject(name, matcher);
  const [bad] = problems.filter(({ severity }) => severity === "error");
  if (bad) return `its matcher cannot be said here: ${bad.message}`;
  const isCompared = factsOf(name).subject === "prompt" && matcher !== "" && matcher !== "*";
  return isCompared ? `its matcher "${matcher}" has no effect there, and would have one here` : "";
}

const text = (value: Json): boolean => typeof value === "string";

/** Members that change nothing about when and how it runs, and with which value. */
const HARMLESS: Readonly<Record<string, (value: Json) => boolean>> = {
  type: (value) => value === "command",
  name: text,
  description: text,
  statusMessage: text,
  version: () => true,
  enabled: (value) => value === true,
  disabled: (value) => value === false,
  async: (value) => typeof value === "boolean",
};

const oddKey = (members: Readonly<Record<string, Json>>): string | undefined =>
  Object.entries(members).find(
    ([key, value]) => !(Object.hasOwn(HARMLESS, key) && HARMLESS[key]!(value)),
  )?.[0];

/** What the entry says beside its commands, where it is a group of them. */
function aroundIt({ value }: NativeHook): Readonly<Record<string, Json>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const entry = value as Readonly<Record<string, Json>>;
  if (!Array.isArray(entry["hooks"])) return {};
  const { matcher: _matcher, hooks: _hooks, ...more } = entry;
  return more;
}

const INTERPRETER =
  /^(?:env|exec|command|time|nice|(?:ba|da|z|k|fi|a)?sh|node|deno|bun|tsx|npx|ruby|perl|php|pwsh|source|\.|python[\d.]*)$/;

/** A file named from the current folder: as the program, or as what an interpreter is to read. */
function isRelative(command: string): boolean {
  const words = command.replaceAll(/["']/g, "").split(/[\s;&|()]+/);
  if (words.some((word) => /^\.\.?\//.test(word))) return true;
  const named = words.filter((word) => word !== "" && !/^\w+=/.test(word) && !word.startsWith("-"));
  const until = named.findIndex((word) => !INTERPRETER.test(baseOf(word)));
  const program = until < 0 ? "" : named[until]!;
  if (until > 0 && /\.\w+$/.test(program) && !isAnchored(program)) return true;
  return program.includes("/") && !isAnchored(program);
}

const baseOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1);

const isAnchored = (path: string): boolean => /^[/~$`]/.test(path);

import type { Adapter } from "../adapters/_contract.ts";
import type { Json, Scope } from "../adapters/_settings.ts";
import { parseSubject } from "../compile/matcher.ts";
import { BRACED, isPlaceholder } from "../dispatch/placeholders.ts";
import { factsOf, resolveEvent } from "../events.ts";
import { isWords, matcherHere } from "./matcher-here.ts";
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
  if (adapter.observes.includes(event)) return `${event} is only observed here`;
  const alien = dialectTrouble(hook, adapter);
  if (alien !== "") return alien;
  const [name] = placeholdersIn(command);
  if (name !== undefined) return `its {${name}} is text there, and a placeholder here`;
  const mismatch = matcherTrouble(hook, adapter);
  if (mismatch !== "") return mismatch;
  if (scope === "user" && isRelative(command))
    return "its path is relative: from here it would run a file of whatever project is open";
  return "";
}

/** With a wire its payload is another one, and so are the answers that it gives. */
function dialectTrouble(
  { command, event }: NativeHook,
  { title, wire, settings }: Adapter,
): string {
  const { natives } = settings;
  if (!natives) return wire ? `it speaks the dialect of ${title}, which hooks here do not` : "";
  const stays = natives.stays?.[resolveEvent(event)!];
  if (stays) return stays;
  const [variable] = (natives.variables ?? []).filter((name) => command.includes(name));
  if (variable) return `its ${variable} is set there only`;
  return natives.variables && isRelative(command) ? "its path is relative to the plugin" : "";
}

const placeholdersIn = (command: string): string[] =>
  [...command.matchAll(BRACED)].flatMap(([, name]) => (isPlaceholder(name!) ? [name!] : []));

/** Harnesses compare no matcher with a prompt; here one would be. */
function matcherTrouble(hook: NativeHook, adapter: Adapter): string {
  const { event, matcher } = hook;
  const { natives } = adapter.settings;
  const name = resolveEvent(event)!;
  if (natives?.dead !== undefined && natives.dead === matcher)
    return `with the matcher "${matcher}" it never runs there`;
  const isOther = natives && factsOf(name).subject !== "tool_name" && natives.matcher !== "none";
  if (isOther && matcher !== "" && matcher !== "*")
    return `what its matcher "${matcher}" is compared with there is not known here`;
  if (natives?.matcher === "names" && !isWords(matcher) && matcher !== "*")
    return `only ${adapter.title} understands its matcher "${matcher}"`;
  const { problems } = parseSubject(name, matcherHere([hook], [adapter]));
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
  // Where one list holds all events.
  event: text,
  trigger: text,
  // What people see of it.
  show_output: (value) => typeof value === "boolean",
  sequential: (value) => value === false,
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

import type { Adapter, Surface } from "../adapters/_contract.ts";
import type { Json, Scope } from "../adapters/_settings.ts";
import { nameOfCommand } from "../compile/names.ts";
import { matcherHere, wordsHere } from "./matcher-here.ts";
import { obstacle } from "./movable.ts";
import type { NativeHook } from "./native-hooks.ts";

/** What becomes of native hooks: moved in, or left where they are with the reason. */
export interface Imported {
  readonly moved: readonly Moved[];
  readonly left: readonly { readonly hook: NativeHook; readonly why: string }[];
}

/** One hook of ours for one or more equal commands of theirs. */
export interface Moved {
  readonly name: string;
  readonly event: string;
  readonly matcher: string;
  readonly command: string;
  readonly timeout: number;
  readonly async: boolean;
  /** Where it ran before: of the harnesses whose files it came from, and of those that read them too. */
  readonly harness: readonly string[];
  /** The event that a delivery may turn out to be; empty when there is none. */
  readonly turns: string;
  /** It gets the payload of the harness that calls, and answers in that one's words. */
  readonly native: boolean;
  readonly origins: readonly NativeHook[];
}

/** Harnesses that take hooks from a file of another one. */
export type ReadersOf = (file: string) => readonly string[];

/** Equal commands at the same event become one hook, whichever harness they came from. */
export function imported(
  hooks: readonly NativeHook[],
  adapters: readonly Adapter[],
  scope: Scope,
  readersOf: ReadersOf,
): Imported {
  const left = hooks.flatMap((hook) => {
    const why = obstacle(
      hook,
      adapters.find(({ id }) => id === hook.harness)!,
      scope,
    );
    return why === "" ? [] : [{ hook, why }];
  });
  const stays = new Set(left.map(({ hook }) => hook));
  const groups = new Map<string, NativeHook[]>();
  for (const hook of hooks.filter((one) => !stays.has(one))) {
    const key = JSON.stringify([
      ...[hook.event, wordsHere(hook, adapters), hook.command, isAsync(hook)],
    ]);
    groups.set(key, [...(groups.get(key) ?? []), hook]);
  }
  const taken = new Set<string>();
  const moved = [...groups.values()].map((group) => movedOf(group, adapters, taken, readersOf));
  return { moved, left };
}

function movedOf(
  group: readonly NativeHook[],
  adapters: readonly Adapter[],
  taken: Set<string>,
  readersOf: ReadersOf,
): Moved {
  const [first] = group as [NativeHook, ...NativeHook[]];
  const times = group.map((hook) => hook.timeout ?? defaultTimeout(hook, adapters));
  return {
    name: freeName(`imported/${nameOfCommand(first.command)}`, taken),
    event: first.event,
    matcher: matcherHere(group, adapters),
    command: first.command,
    timeout: Math.max(...times),
    async: isAsync(first),
    harness: [...new Set(group.flatMap(({ harness, file }) => [harness, ...readersOf(file)]))],
    turns: group.map((hook) => surfaceOf(hook, adapters)?.turns?.into ?? "").find(Boolean) ?? "",
    native: group.some(
      ({ harness }) => adapters.find(({ id }) => id === harness)?.settings.natives !== undefined,
    ),
    origins: group,
  };
}

const isAsync = ({ rest }: NativeHook): boolean => rest["async"] === true;

/** Natively it had as long as the harness waits. */
const defaultTimeout = (hook: NativeHook, adapters: readonly Adapter[]): number =>
  surfaceOf(hook, adapters)?.timeout ?? 60_000;

function surfaceOf(
  { harness, event }: NativeHook,
  adapters: readonly Adapter[],
): Surface | undefined {
  const surfaces = adapters.find(({ id }) => id === harness)?.surfaces as
    | Readonly<Record<string, Surface>>
    | undefined;
  return surfaces?.[event];
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
  taken.add(name);
  return name;
}

/** imported.json: Claude's map form with our fields in it. */
export function importedFile(moved: readonly Moved[]): string {
  const hooks: Record<string, Json[]> = {};
  for (const one of moved) {
    const { event, turns, matcher } = one;
    for (const at of turns === "" ? [event] : [event, turns])
      (hooks[at] ??= []).push({
        ...(matcher === "" ? {} : { matcher }),
        hooks: [hookOf(one, at === event ? one.name : `${one.name}-${at}`)],
      });
  }
  return `${JSON.stringify({ hooks }, undefined, 2)}\n`;
}

function hookOf({ command, timeout, harness, origins, ...more }: Moved, name: string): Json {
  const from = origins.map(({ file, native, entry }) => `${file} (${native}, entry ${entry + 1})`);
  return {
    ...{ type: "command", name, command: more.native ? inItsOwnWords(command) : command },
    ...{ timeout: timeout / 1000, harness },
    ...(more.native ? { payload: "native" } : {}),
    ...(more.async ? { async: true } : {}),
    description: `Came from ${from.join(" and ")}`,
  };
}

/** shell/native.sh runs the last word, and says in our words what it said in the harness's. */
export const inItsOwnWords = (command: string): string[] => [
  ...["sh", "-c", '. "${ANYHOOK_LIB%/*}/native.sh"', "native", command],
];

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
  /** Those of them that read another harness's file, where the others speak words of their own. */
  readonly guests: readonly string[];
  /** The event that a delivery may turn out to be; empty when there is none. */
  readonly turns: string;
  /** It gets the payload of the harness that calls, and answers in that one's words. */
  readonly native: boolean;
  readonly origins: readonly NativeHook[];
}

/** Harnesses that read a file beside the one whose it is, in their own form or as guests. */
export interface Readers {
  readonly own: readonly string[];
  readonly guests: readonly string[];
}
export type ReadersOf = (file: string) => Readers;

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
  const from = group.map(({ harness, file }) => ({ harness, ...readersOf(file) }));
  const own = new Set(from.flatMap(({ harness, own }) => [harness, ...own]));
  const guests = new Set(from.flatMap((one) => one.guests).filter((id) => !own.has(id)));
  const times = group.map((hook) => hook.timeout ?? defaultTimeout(hook, adapters));
  return {
    name: freeName(`imported/${nameOfCommand(first.command)}`, taken),
    event: first.event,
    matcher: matcherHere(group, adapters),
    command: first.command,
    timeout: Math.max(...times),
    async: isAsync(first),
    harness: [...own, ...guests],
    guests: [...guests],
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
  for (const one of moved.flatMap(forms))
    (hooks[one.event] ??= []).push({
      ...(one.matcher === "" ? {} : { matcher: one.matcher }),
      hooks: [hookOf(one)],
    });
  return `${JSON.stringify({ hooks }, undefined, 2)}\n`;
}

/** Once for each event, and once more for guests, who never spoke the words of those they read. */
function forms(one: Moved): Moved[] {
  const { event, turns, name, native, guests, harness } = one;
  const events = turns ? [event, turns] : [event];
  return events.flatMap((at) => {
    const here = { ...one, event: at, name: at === event ? name : `${name}-${at}` };
    if (!native || guests.length === 0) return [here];
    return [
      { ...here, harness: harness.filter((id) => !guests.includes(id)) },
      { ...here, harness: guests, native: false, name: `${here.name}-as-guest` },
    ];
  });
}

function hookOf({ name, command, timeout, harness, origins, ...more }: Moved): Json {
  const from = origins.map(({ file, native, entry }) => `${file} (${native}, entry ${entry + 1})`);
  return {
    ...{ type: "command", name, command: more.native ? inItsOwnWords(command) : command },
    ...{ timeout: timeout / 1000, harness },
    ...(more.native ? { payload: "native" } : {}),
    ...(more.async ? { async: true } : {}),
    description: `Came from ${from.join(" and ")}`,
  };
}

const NATIVE = "${ANYHOOK_LIB%/*}/native.sh";

/** shell/native.sh runs the last word, and says in our words what it said in the harness's. */
export const inItsOwnWords = (command: string): string[] => [
  // An older version does not have it: that is a failure, not the exit 2 of a shell.
  ...["sh", "-c", `[ -r "${NATIVE}" ] || exit 70; . "${NATIVE}"`, "native", command],
];

import type { Adapter, Surface } from "../adapters/_contract.ts";
import type { Json, Scope } from "../adapters/_settings.ts";
import { nameOfCommand } from "../compile/names.ts";
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
  readonly harness: readonly string[];
  readonly origins: readonly NativeHook[];
}

/** Equal commands at the same event become one hook, whichever harness they came from. */
export function imported(
  hooks: readonly NativeHook[],
  adapters: readonly Adapter[],
  scope: Scope,
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
      ...[hook.event, canonicalMatcher(hook, adapters), hook.command, isAsync(hook)],
    ]);
    groups.set(key, [...(groups.get(key) ?? []), hook]);
  }
  const taken = new Set<string>();
  const moved = [...groups.values()].map((group) => movedOf(group, adapters, taken));
  return { moved, left };
}

/** Tool names as everybody knows them, so that Bash and run_shell_command are found to be equal. */
function canonicalMatcher({ harness, matcher }: NativeHook, adapters: readonly Adapter[]): string {
  const tools = adapters.find(({ id }) => id === harness)?.tools ?? {};
  if (matcher === "*" || !/^[\w|, -]*$/.test(matcher)) return matcher === "*" ? "" : matcher;
  const names = matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => (Object.hasOwn(tools, name) ? tools[name]!.names[0]! : name));
  return [...new Set(names)].join("|");
}

function movedOf(
  group: readonly NativeHook[],
  adapters: readonly Adapter[],
  taken: Set<string>,
): Moved {
  const [first] = group as [NativeHook, ...NativeHook[]];
  const times = group.map((hook) => hook.timeout ?? defaultTimeout(hook, adapters));
  return {
    name: freeName(`imported/${nameOfCommand(first.command)}`, taken),
    event: first.event,
    matcher: canonicalMatcher(first, adapters),
    command: first.command,
    timeout: Math.max(...times),
    async: isAsync(first),
    harness: [...new Set(group.map(({ harness }) => harness))],
    origins: group,
  };
}

const isAsync = ({ rest }: NativeHook): boolean => rest["async"] === true;

/** Natively it had as long as the harness waits. */
function defaultTimeout({ harness, event }: NativeHook, adapters: readonly Adapter[]): number {
  const surfaces = adapters.find(({ id }) => id === harness)?.surfaces as
    | Readonly<Record<string, Surface>>
    | undefined;
  return surfaces?.[event]?.timeout ?? 60_000;
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
  for (const { name, event, matcher, command, timeout, harness, origins, ...more } of moved) {
    const from = origins.map(
      ({ file, native, entry }) => `${file} (${native}, entry ${entry + 1})`,
    );
    const hook = {
      ...{ type: "command", name, command, timeout: timeout / 1000, harness },
      ...(more.async ? { async: true } : {}),
      description: `Came from ${from.join(" and ")}`,
    };
    (hooks[event] ??= []).push({ ...(matcher === "" ? {} : { matcher }), hooks: [hook] });
  }
  return `${JSON.stringify({ hooks }, undefined, 2)}\n`;
}

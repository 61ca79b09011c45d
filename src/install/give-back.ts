import { dirname } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import type { Json, Scope } from "../adapters/_settings.ts";
import { carriedTrust, noteCarried } from "./carried-trust.ts";
import { editorOf } from "./editors.ts";
import { layerFile } from "./import.ts";
import { holding, importRecord, removeImport, type SourceRecord } from "./import-record.ts";
import { locked } from "./locked.ts";
import { asNative } from "./native-files.ts";
import { NOTHING_CAME, unchanged } from "./plan.ts";
import { backedUp, backUp, hashOf } from "./record.ts";
import { type Change, replaceFile, same } from "./replace-file.ts";
import { removeEmpty } from "./shim.ts";
import type { Site } from "./site.ts";
import { type Target, targetAt, textOf } from "./target.ts";

/** Every hook back into the settings it came from; our file goes. */
export function planGiveBack(site: Site, scope: Scope, adapters: readonly Adapter[]): Change[] {
  const back = backInto(site, scope, adapters);
  if (importRecord(site, scope).sources.length === 0) return [];
  const own = targetAt(layerFile(site, scope), scope === "user" ? "" : site.root);
  return [
    ...back.flatMap(({ settings, trust }) => (trust ? [trust, settings] : [settings])),
    { ...unchanged(own), after: undefined },
  ];
}

interface Back {
  readonly adapter: Adapter;
  readonly settings: Change;
  readonly trust: Change | undefined;
}

function backInto(site: Site, scope: Scope, adapters: readonly Adapter[]): Back[] {
  const { sources } = holding(importRecord(site, scope));
  const within = scope === "user" ? "" : site.root;
  const files = [...new Set(sources.filter(({ hooks }) => hooks.length > 0).map((s) => s.file))];
  return files.map((file) => {
    const own = sources.filter((source) => source.file === file);
    const adapter = asNative(adapters.find(({ id }) => id === own[0]!.harness)!);
    const target = targetAt(file, within);
    const whole = asItWas(target, own);
    const settings = whole ?? withEntries(target, own, adapter);
    const remembers = sources.filter(
      ({ harness, hooks }) => harness === adapter.id && hooks.length === 0,
    );
    const exact =
      whole && remembers.length > 0 ? asItWas(targetAt(remembers[0]!.file), remembers) : undefined;
    const trusted = own.flatMap((source) => source.trusted ?? []);
    return {
      ...{ adapter, settings },
      trust: exact ?? carriedTrust(adapter, site, settings, trusted)?.change,
    };
  });
}

/** To the byte when nobody changed the file since. */
function asItWas(target: Target, own: readonly SourceRecord[]): Change | undefined {
  const [first, last] = [own[0]!, own.at(-1)!];
  const isWhole = own.every(({ before }, at) => at === 0 || before === own[at - 1]!.after);
  const original = backedUp({ ...first, part: "settings", folders: [], came: NOTHING_CAME });
  return isWhole && original && hashOf(target.bytes) === last.after
    ? { ...unchanged(target), after: original }
    : undefined;
}

/** Otherwise the entries are added to it. */
function withEntries(target: Target, own: readonly SourceRecord[], adapter: Adapter): Change {
  const { mark, text } = textOf(target);
  const entries = own.flatMap(({ hooks }) => entriesOf(hooks));
  const { text: grown } = editorOf(adapter, target.file).add(text, entries);
  return { ...unchanged(target), after: Buffer.from(mark + grown) };
}

/** One entry for all commands that came from the same one, without those that stayed. */
function entriesOf(hooks: SourceRecord["hooks"]): { at: readonly string[]; value: Json }[] {
  const groups = new Map<string, SourceRecord["hooks"][number][]>();
  for (const hook of hooks) {
    const key = JSON.stringify([hook.list, hook.entry]);
    groups.set(key, [...(groups.get(key) ?? []), hook]);
  }
  return [...groups.values()].map((group) => {
    const { list, value } = group[0]!;
    return {
      at: list,
      value: onlyCommands(
        value,
        group.map(({ command }) => command),
      ),
    };
  });
}

/** In the list that holds the commands only those stay that are asked for. */
function onlyCommands(value: Json, commands: readonly string[]): Json {
  const has = (item: Json): boolean =>
    isMap(item) && Object.values(item).some((one) => commands.includes(one as string));
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.some(has) ? items.filter(has) : items.map((item) => onlyCommands(item, commands));
  }
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, onlyCommands(one, commands)]),
  );
}

const isMap = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Theirs is written first: between the two a hook runs twice rather than not at all. */
export const giveBack = (
  site: Site,
  scope: Scope,
  adapters: readonly Adapter[],
): Promise<Change[]> =>
  locked(site, () => {
    const back = backInto(site, scope, adapters);
    const changes = planGiveBack(site, scope, adapters).filter(
      ({ before, after }) => !same(before, after),
    );
    for (const change of changes) {
      if (change.before) backUp(site, change.file, change.before);
      replaceFile(change);
    }
    for (const { adapter, settings } of back) noteCarried(adapter, site, scope, settings);
    removeImport(site, scope);
    // In a project an empty folder of ours still says where the project begins.
    if (scope !== "project") removeEmpty(dirname(layerFile(site, scope)));
    return changes;
  });

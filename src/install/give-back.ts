import type { Adapter } from "../adapters/_contract.ts";
import type { Json, Scope } from "../adapters/_settings.ts";
import { editorOf } from "./editors.ts";
import { layerFile } from "./import.ts";
import { importRecord, removeImport, type SourceRecord } from "./import-record.ts";
import { locked } from "./locked.ts";
import { NOTHING_CAME, unchanged } from "./plan.ts";
import { backedUp, backUp, hashOf } from "./record.ts";
import { type Change, replaceFile, same } from "./replace-file.ts";
import type { Site } from "./site.ts";
import { targetAt, textOf } from "./target.ts";

/** Every hook back into the settings it came from; our file goes. */
export function planGiveBack(site: Site, scope: Scope, adapters: readonly Adapter[]): Change[] {
  const { sources } = importRecord(site, scope);
  if (sources.length === 0) return [];
  const within = scope === "user" ? "" : site.root;
  const own = targetAt(layerFile(site, scope), within);
  const files = [...new Set(sources.map(({ file }) => file))];
  return [
    ...files.map((file) => restored(file, within, sources, adapters)),
    { ...unchanged(own), after: undefined },
  ];
}

/** To the byte when nobody changed the file since; otherwise the entries are added to it. */
function restored(
  file: string,
  within: string,
  sources: readonly SourceRecord[],
  adapters: readonly Adapter[],
): Change {
  const target = targetAt(file, within);
  const own = sources.filter((source) => source.file === file);
  const [first, last] = [own[0]!, own.at(-1)!];
  const isWhole = own.every(({ before }, at) => at === 0 || before === own[at - 1]!.after);
  const original = backedUp({ ...first, part: "settings", folders: [], came: NOTHING_CAME });
  if (isWhole && original && hashOf(target.bytes) === last.after)
    return { ...unchanged(target), after: original };
  const adapter = adapters.find(({ id }) => id === first.harness)!;
  const { mark, text } = textOf(target);
  const entries = own.flatMap(({ hooks }) => entriesOf(hooks));
  const { text: grown } = editorOf(adapter, file).add(text, entries);
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
    const changes = planGiveBack(site, scope, adapters).filter(
      ({ before, after }) => !same(before, after),
    );
    for (const change of changes) {
      if (change.before) backUp(site, change.file, change.before);
      replaceFile(change);
    }
    removeImport(site, scope);
    return changes;
  });

import { join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { type Json, type Scope, SCOPES } from "../adapters/_settings.ts";
import { userRoot } from "../dispatch/layout.ts";
import { type Carried, carriedTrust, noteCarried } from "./carried-trust.ts";
import { editorOf } from "./editors.ts";
import { imported, importedFile, type Imported, type Moved, type ReadersOf } from "./imported.ts";
import {
  holding,
  type ImportRecord,
  importRecord,
  type SourceRecord,
  writeImport,
} from "./import-record.ts";
import { locked } from "./locked.ts";
import { fixedHooks, nativeFiles, type NativeFile } from "./native-files.ts";
import { type NativeHook, nativeHooks } from "./native-hooks.ts";
import { oursIn } from "./ours.ts";
import { unreached } from "./unreached.ts";
import { NOTHING_CAME, unchanged } from "./plan.ts";
import { backUp, hashOf, readRecord } from "./record.ts";
import { Refusal } from "./refusal.ts";
import { type Change, replaceFile, same } from "./replace-file.ts";
import { pathAt, type Site } from "./site.ts";
import { targetAt, textOf } from "./target.ts";

/** One scope: what moves, out of which files, into which. */
export interface ImportPlan extends Imported {
  readonly scope: Scope;
  /** The settings of harnesses without the hooks that move. */
  readonly sources: readonly ImportSource[];
  /** Our file that holds them from then on. */
  readonly into: Change;
  readonly refusals: readonly Refusal[];
  readonly record: ImportRecord;
}

export interface ImportSource {
  readonly adapter: Adapter;
  readonly change: Change;
  readonly hooks: readonly NativeHook[];
  /** Where the harness remembers whom it trusts, with the new places of what stays. */
  readonly trust: Carried | undefined;
}

/** Looks only; every file that cannot be read is a refusal, and the others still count. */
export function planImport(
  site: Site,
  adapters: readonly Adapter[],
  scope: Scope,
  all: readonly Adapter[],
  isDry = false,
): ImportPlan {
  const refusals: Refusal[] = [];
  const readers = readersAt(site, all);
  const look = ({ adapter, file }: NativeFile): Found[] => {
    try {
      const foreign = foreignIn(adapter, site, scope, file);
      const { moved } = imported(foreign.hooks, all, scope, readers);
      const refusal =
        isDry || moved.length === 0 ? undefined : unreached(adapter, site, scope, foreign.file);
      if (refusal) throw refusal;
      return [foreign];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The same file, when two harnesses keep theirs there.
      if (!refusals.some(({ file: known }) => known === error.file)) refusals.push(error);
      return [];
    }
  };
  const found = adapters.flatMap((adapter) => nativeFiles(adapter, site, scope)).flatMap(look);
  const { moved, left } = imported(
    found.flatMap(({ hooks }) => hooks),
    all,
    scope,
    readers,
  );
  const fixed = adapters.flatMap((adapter) => fixedHooks(adapter, site, scope));
  const going = new Set(moved.flatMap(({ origins }) => origins));
  const sources = found.flatMap(({ adapter, hooks, ...file }): ImportSource[] => {
    const mine = hooks.filter((hook) => going.has(hook));
    if (mine.length === 0) return [];
    const change = without(adapter, file, mine);
    return [{ adapter, hooks: mine, change, trust: carriedTrust(adapter, site, change) }];
  });
  const record = holding(importRecord(site, scope));
  const into = target(site, scope, [...record.moved, ...renamed(moved, record.moved)]);
  const stays = [...left, ...fixed];
  return {
    scope,
    moved: renamed(moved, record.moved),
    left: stays,
    sources,
    into,
    refusals,
    record,
  };
}

interface Found {
  readonly adapter: Adapter;
  readonly hooks: readonly NativeHook[];
  readonly file: string;
  readonly real: string;
  readonly bytes: Buffer | undefined;
}

/** Who reads a file, beside the harness whose it is. */
function readersAt(site: Site, all: readonly Adapter[]): ReadersOf {
  const read = all.map((adapter) => ({
    id: adapter.id,
    guest: (adapter.settings.alsoReads ?? []).map((one) => pathAt(one, site)),
    own: SCOPES.flatMap((scope) => nativeFiles(adapter, site, scope)).map(({ file }) => file),
  }));
  return (file) => ({
    own: read.filter(({ own }) => own.includes(file)).map(({ id }) => id),
    guests: read.filter(({ guest }) => guest.includes(file)).map(({ id }) => id),
  });
}

/** Everything in one settings file that is not ours. */
function foreignIn(adapter: Adapter, site: Site, scope: Scope, file: string): Found {
  const at = targetAt(file, scope === "user" ? "" : site.root);
  const hooks = nativeHooks(adapter, file, textOf(at).text);
  const ours = oursIn(adapter, site, readRecord(site, adapter.id, scope)?.commands ?? []);
  const foreign = hooks.filter(({ list, value, command }) => {
    const found = ours(list, value);
    return found !== "all" && !found.includes(command);
  });
  return { adapter, hooks: foreign, file, real: at.real, bytes: at.bytes };
}

function without(
  adapter: Adapter,
  file: Pick<Found, "file" | "real" | "bytes">,
  hooks: readonly NativeHook[],
): Change {
  const { mark, text } = textOf({ ...file, stat: undefined });
  const places = [...new Map(hooks.map(({ list }) => [list.join("\0"), list])).values()];
  const going = (at: readonly string[], entry: Json): "all" | readonly string[] => {
    const mine = hooks.filter(
      ({ list, value }) =>
        list.join("\0") === at.join("\0") && JSON.stringify(value) === JSON.stringify(entry),
    );
    const commands = adapter.settings.commands?.(entry) ?? [];
    if (mine.length > 0 && mine.length >= commands.length) return "all";
    return mine.map(({ command }) => command);
  };
  const left = editorOf(adapter, file.file).remove(text, places, going, NOTHING_CAME);
  return { ...unchanged({ ...file, stat: undefined }), after: Buffer.from(mark + left) };
}

/** Names that an earlier import has taken stay taken. */
function renamed(moved: readonly Moved[], earlier: readonly Moved[]): Moved[] {
  const taken = new Set(earlier.map(({ name }) => name));
  return moved.map((one) => {
    let { name } = one;
    for (let n = 2; taken.has(name); n++) name = `${one.name}-${n}`;
    taken.add(name);
    return { ...one, name };
  });
}

export function layerFile(site: Site, scope: Scope): string {
  const folder = {
    user: userRoot(site.env),
    project: join(site.root, ".anyhook"),
    local: join(site.root, ".anyhook/local"),
  };
  return join(folder[scope], "imported.json");
}

function target(site: Site, scope: Scope, moved: readonly Moved[]): Change {
  const at = targetAt(layerFile(site, scope), scope === "user" ? "" : site.root);
  return {
    ...unchanged(at),
    after: moved.length === 0 ? undefined : Buffer.from(importedFile(moved)),
  };
}

/** Ours is written first: between the two a hook runs twice rather than not at all. */
export const applyImport = (site: Site, plan: () => ImportPlan): Promise<ImportPlan> =>
  locked(site, () => {
    const now = plan();
    if (now.moved.length === 0) return now;
    replaceFile(now.into);
    const sources = now.sources.flatMap((one) => sourceRecords(site, one));
    writeImport(site, now.scope, {
      moved: [...now.record.moved, ...now.moved],
      sources: [...now.record.sources, ...sources],
      into: hashOf(now.into.after),
    });
    for (const { adapter, change, trust } of now.sources) {
      for (const one of trust ? [trust.change, change] : [change])
        if (!same(one.before, one.after)) replaceFile(one);
      noteCarried(adapter, site, now.scope, change);
    }
    return now;
  });

function sourceRecords(site: Site, { change, hooks, trust }: ImportSource): SourceRecord[] {
  const recordOf = ({ file, before, after }: Change): Omit<SourceRecord, "hooks"> => ({
    ...{ file, harness: hooks[0]!.harness, backup: backUp(site, file, before!) },
    ...{ before: hashOf(before), after: hashOf(after) },
  });
  const settings = { ...recordOf(change), hooks };
  if (!trust || same(trust.change.before, trust.change.after)) return [settings];
  return [
    { ...settings, trusted: trust.gone },
    { ...recordOf(trust.change), hooks: [] },
  ];
}

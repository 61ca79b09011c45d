import { existsSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { EVENT_NAMES, type EventName } from "../events.ts";
import { type Diagnostic, type EventSettings, type Hook, LAYERS } from "../model.ts";
import type { LayerRoot } from "./_definition.ts";
import { byBytes } from "./discover.ts";
import type { Draft, Place } from "./draft.ts";
import { type LayerSettings, eventSettings } from "./event-settings.ts";
import { keepPlaces } from "./keep-places.ts";
import { type LastGood, type Previous, claimsOf, lastGood } from "./last-good.ts";
import { type Placed, layers } from "./layers.ts";
import { type Readings, readAll } from "./read-all.ts";
import { registrations, strays } from "./registrations.ts";
import type { Stored } from "./rows.ts";
import { byRank, runnable } from "./runnable.ts";
import { unloaded } from "./unloaded.ts";
import type { SystemNode } from "./source-node.ts";

export interface CompileInput {
  readonly roots: readonly LayerRoot[];
  /** Absolute, or "" when there is no project. */
  readonly projectRoot: string;
  /** What `import … from "anyhook"` means in a module. */
  readonly libraryFile: string;
  readonly nodePath: string;
  /** Where the built-in packs are. */
  readonly packsFolder?: string;
  /** Rows of the last compile: a hook that is bad now goes on as it was. */
  readonly previous?: Previous;
  readonly inspect?: Place["inspect"];
  readonly inMemory?: Place["inMemory"];
  /** Milliseconds for hooks that name none. */
  readonly timeout?: number | undefined;
}

export interface Compiled {
  readonly hooks: readonly Hook[];
  readonly automata: ReadonlyMap<string, string>;
  readonly bundles: ReadonlyMap<string, string>;
  readonly settings: Readonly<Record<EventName, EventSettings>>;
  readonly layerSettings: readonly LayerSettings[];
  readonly system: readonly SystemNode[];
  readonly systemFiles: readonly string[];
  /** All of them, also those that do not run. */
  readonly definitions: readonly Placed[];
  /** Names of hooks whose rows are those of the previous compile. */
  readonly kept: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Files outside the roots that the result depends on. */
  readonly inputs: readonly string[];
  /** The roots that were asked for and those that `roots:` added. */
  readonly roots: readonly LayerRoot[];
  /** Directories in which a new folder may become a root. */
  readonly globBases: readonly string[];
}

/** Everything that the roots say, as one manifest: a function of their content and nothing else. */
export async function compile(input: CompileInput): Promise<Compiled> {
  const read = await readAll(input);
  const good = lastGood(input.previous ?? [], input.projectRoot);
  const placed = place(read, good, input.projectRoot);
  const stored: Stored = { automata: new Map(), bundles: new Map() };
  const ran = await runnable(placed.drafts, { ...input, ...read, stored, good });
  const fresh = ran.ranked.toSorted(byRank).map(({ hook }) => hook);
  const hooks = keepPlaces(fresh, placed.orphaned, input.previous ?? [], (a, b) =>
    byRank({ hook: a, index: 0 }, { hook: b, index: 0 }),
  );
  const used = new Set([...read.modules.values()].flatMap(({ bundle }) => bundle?.inputs ?? []));
  const found = [read, placed, ran].flatMap(({ diagnostics }) => diagnostics);
  return {
    ...stored,
    hooks,
    definitions: [...placed.drafts, ...unloaded(read.failed, read.candidates, good)],
    kept: [...new Set([...ran.kept, ...placed.orphaned.map(({ name }) => name)])].toSorted(),
    settings: withBlocks(eventSettings(read.settings), hooks),
    layerSettings: read.settings,
    system: read.system.toSorted((a, b) => a.order - b.order || byBytes(a.file, b.file)),
    systemFiles: systemFiles(read.settings),
    diagnostics: tidy([...found, ...strays(read, read.drafts, used)]),
    inputs: outside([...used, ...scriptsOf(placed.drafts)], read.roots),
    roots: read.roots,
    globBases: read.bases,
  };
}

/** Which draft counts, and which rows of files that cannot be read now go on without one. */
function place(read: Readings, good: LastGood, projectRoot: string) {
  const old = read.failed.flatMap(({ file, layer }) => good.ofFile(file, layer));
  const registered = registrations(read.drafts, projectRoot);
  const disabled = read.settings.map(({ settings, ...at }) => ({
    ...at,
    names: settings.disabled ?? [],
  }));
  const keeps = (draft: Draft): boolean => draft.bad && good.of(draft).length > 0;
  const layered = layers(registered.drafts, disabled, { keeps, claims: claimsOf(old) });
  const owned = new Set(
    layered.drafts.filter(({ state }) => state !== "shadowed").map(({ name }) => name),
  );
  return {
    drafts: layered.drafts,
    orphaned: old.filter(({ name }) => !owned.has(name)),
    diagnostics: [...registered.diagnostics, ...layered.diagnostics],
  };
}

/** `blocking:` of a weaker layer does not bind a stronger one, whose hooks still block. */
function withBlocks(
  settings: Record<EventName, EventSettings>,
  hooks: readonly Hook[],
): Record<EventName, EventSettings> {
  const pairs = EVENT_NAMES.map((event) => {
    const blockable =
      settings[event].blockable || hooks.some((hook) => hook.event === event && hook.block);
    return [event, { ...settings[event], blockable }] as const;
  });
  return Object.fromEntries(pairs) as Record<EventName, EventSettings>;
}

function systemFiles(all: readonly LayerSettings[]): readonly string[] {
  const asking = all.filter(({ settings }) => settings.system_files);
  const [first] = asking.toSorted((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer));
  return first?.settings.system_files ?? [];
}

/** A script's mode and first line are part of its row, so a change there must be noticed. */
const scriptsOf = (drafts: readonly Placed[]): string[] =>
  drafts.filter(({ kind, run }) => kind === "script" && run !== "").map(({ run }) => run);

function outside(files: readonly string[], roots: readonly LayerRoot[]): string[] {
  const real = roots.flatMap(({ root }) =>
    existsSync(root) ? [root, realpathSync(root)] : [root],
  );
  const isInside = (file: string): boolean => real.some((root) => file.startsWith(root + sep));
  return [...new Set(files)].filter((file) => !isInside(file)).toSorted(byBytes);
}

/** In the order of the files, each once. */
function tidy(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const unique = new Map(diagnostics.map((one) => [JSON.stringify(one), one] as const));
  return [...unique.values()].toSorted(
    (a, b) =>
      byBytes(a.file, b.file) ||
      a.line - b.line ||
      byBytes(a.code, b.code) ||
      byBytes(a.message, b.message),
  );
}

import type { EventName } from "../events.ts";
import type { Diagnostic, EventSettings, Hook } from "../model.ts";
import type { Draft, DraftReading, Place } from "./draft.ts";
import { type LayerSettings, eventSettings } from "./event-settings.ts";
import { lastGood, type Previous } from "./last-good.ts";
import { layers } from "./layers.ts";
import { byRank, runnable } from "./runnable.ts";
import type { Stored } from "./rows.ts";
import type { Settings } from "./settings-keys.ts";

export interface ListInput extends Omit<Place, "layer" | "root" | "modules"> {
  readonly settings: Settings;
  /** Milliseconds for hooks that name none. */
  readonly timeout?: number | undefined;
  readonly previous?: Previous;
}

export interface CompiledList extends Stored {
  readonly hooks: readonly Hook[];
  readonly settings: Readonly<Record<EventName, EventSettings>>;
  readonly diagnostics: readonly Diagnostic[];
  /** Files beside the list itself that the result depends on. */
  readonly inputs: readonly string[];
  /** Names of hooks whose rows are those of the previous compile. */
  readonly kept: readonly string[];
  /** Nothing could be understood: what was there before stays in force. */
  readonly failed: boolean;
}

/** One list of hooks, without layers and without a store. */
export async function compileList(
  read: (place: Place) => Promise<DraftReading>,
  input: ListInput,
): Promise<CompiledList> {
  const { projectRoot, settings, previous = [] } = input;
  const place: Place = { ...input, layer: "project", root: projectRoot, modules: new Map() };
  const { definitions, diagnostics, failed = false } = await read(place);
  const good = lastGood(previous, projectRoot);
  const keeps = (draft: Draft): boolean => draft.bad && good.of(draft).length > 0;
  const placed = layers(definitions, [], { keeps, claims: new Map() });
  const stored: Stored = { automata: new Map(), bundles: new Map() };
  const of: LayerSettings[] = [{ layer: "project", root: projectRoot, file: "", settings }];
  const context = { ...place, settings: of, stored, good, timeout: input.timeout, failed: [] };
  const ran = await runnable(placed.drafts, context);
  const found = [...diagnostics, ...placed.diagnostics, ...ran.diagnostics];
  return {
    ...stored,
    failed,
    hooks: ran.ranked.toSorted(byRank).map(({ hook }) => hook),
    settings: eventSettings(of),
    kept: ran.kept,
    diagnostics: unique(found),
    inputs: inputsOf(placed.drafts, place, found),
  };
}

const unique = (diagnostics: readonly Diagnostic[]): Diagnostic[] => [
  ...new Map(diagnostics.map((one) => [JSON.stringify(one), one] as const)).values(),
];

/** What hooks run, what their modules import, and where the mistakes are that keep them from it. */
function inputsOf(drafts: readonly Draft[], place: Place, found: readonly Diagnostic[]): string[] {
  const files = drafts.filter(({ kind }) => kind === "script" || kind === "module");
  const bundled = [...place.modules.values()].flatMap(({ bundle }) => bundle?.inputs ?? []);
  const wrong = found.filter(({ code }) => code === "bundle-failed").map(({ file }) => file);
  return [...new Set([...files.map(({ run }) => run), ...bundled, ...wrong])].filter(
    // A function of the program has a name that no file can have.
    (file) => file.startsWith("/") && !file.includes("\0") && file !== drafts[0]?.file,
  );
}

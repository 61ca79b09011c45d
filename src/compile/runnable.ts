import { basename } from "node:path";
import { EVENT_NAMES, type EventName } from "../events.ts";
import { type Diagnostic, type Hook, LAYERS } from "../model.ts";
import { advice } from "./advice.ts";
import { byBytes } from "./discover.ts";
import type { Place } from "./draft.ts";
import { type LayerSettings, mayBlock } from "./event-settings.ts";
import { reportOn } from "./fields.ts";
import { type Health, health } from "./health.ts";
import type { LastGood } from "./last-good.ts";
import type { Placed } from "./layers.ts";
import { REMOTE, remote } from "./remote.ts";
import { type Stored, rows } from "./rows.ts";

/** A row, and its place within its file (R13). */
export interface Ranked {
  readonly hook: Hook;
  readonly index: number;
}

export interface Runnable {
  readonly ranked: readonly Ranked[];
  /** Names of hooks that go on as they were. */
  readonly kept: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Context extends Pick<Place, "projectRoot" | "nodePath" | "modules"> {
  readonly settings: readonly LayerSettings[];
  readonly failed: readonly { readonly file: string }[];
  readonly stored: Stored;
  readonly good: LastGood;
  readonly timeout?: number | undefined;
}

/** The rows of all hooks that run: those that are fine, those that are broken, and last good ones. */
export async function runnable(drafts: readonly Placed[], context: Context): Promise<Runnable> {
  const results = await Promise.all(drafts.map((draft) => safely(draft, context)));
  return {
    ranked: results.flatMap(({ ranked }) => ranked),
    kept: results.flatMap(({ kept }) => kept),
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** One hook that cannot be compiled must not take the others with it. */
async function safely(draft: Placed, context: Context): Promise<Runnable> {
  try {
    return await resultOf(draft, context);
  } catch (cause) {
    const { name, file, line, index } = draft;
    const old = context.good.of(draft).map((hook) => ({ hook, index }));
    const report = reportOn(file, name);
    const message = `cannot be compiled: ${cause instanceof Error ? cause.message : String(cause)}`;
    report.say("error", line, "not-compiled", message, "simplify the hook");
    const kept = old.length > 0 ? [name] : [];
    return { ranked: old, kept, diagnostics: report.diagnostics };
  }
}

async function resultOf(written: Placed, context: Context): Promise<Runnable> {
  const draft = remote(written, context.settings);
  const { index, name } = draft;
  const old = context.good.of(draft).map((hook) => ({ hook, index }));
  const keeping = { ranked: old, kept: old.length > 0 ? [name] : [], diagnostics: [] };
  if (draft.state === "bad") return keeping;
  if (draft.state !== "active") return { ...keeping, ranked: [], kept: [] };
  // Without its settings nobody knows which hosts it may reach: as it was, or not at all.
  const blind = REMOTE.includes(draft.kind) && lacksSettings(context);
  if (blind && old.length > 0) return keeping;
  const found = blind ? BLIND : await health(draft, context);
  const diagnostics = [...found.diagnostics, ...advice(draft)];
  // A broken script is the same file as before; a bundle is a copy, and the old one still runs.
  const isCopy = draft.kind === "module" || draft.extra["bundle"] === true;
  if (found.broken !== "" && isCopy && old.length > 0) return { ...keeping, diagnostics };
  const made = rows(draft, found, {
    ...context,
    bundleOf: (file) => context.modules.get(file)?.bundle,
    mayBlock: ({ layer }, event) => mayBlock(layer, event, context.settings),
  });
  return { ranked: made.map((hook) => ({ hook, index })), kept: [], diagnostics };
}

const BLIND: Health = {
  broken: "a settings.json cannot be read, so allowed_hosts is not known",
  needs: [],
  diagnostics: [],
};

const lacksSettings = ({ failed }: Context): boolean =>
  failed.some(({ file }) => basename(file) === "settings.json");

/** The table's order; native events after it. */
const eventRank = (event: string): number => {
  const at = EVENT_NAMES.indexOf(event as EventName);
  return at < 0 ? EVENT_NAMES.length : at;
};

/** R13: order, layer, registration, path; within one event. */
export function byRank(a: Ranked, b: Ranked): number {
  return (
    eventRank(a.hook.event) - eventRank(b.hook.event) ||
    byBytes(a.hook.event, b.hook.event) ||
    a.hook.order - b.hook.order ||
    LAYERS.indexOf(a.hook.layer) - LAYERS.indexOf(b.hook.layer) ||
    a.index - b.index ||
    byBytes(a.hook.source, b.hook.source) ||
    byBytes(a.hook.name, b.hook.name)
  );
}

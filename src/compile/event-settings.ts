import { EVENT_NAMES, type EventName, factsOf } from "../events.ts";
import { type EventSettings, LAYERS, type Layer } from "../model.ts";
import type { Settings } from "./settings-keys.ts";

/** One settings.json and the layer it stands in. */
export interface LayerSettings {
  readonly layer: Layer;
  readonly root: string;
  readonly file: string;
  readonly settings: Settings;
}

const CONTEXT_LIMIT = 10_000;
export const FAILURE_BUDGET = 5;
export const ASYNC_LIMIT = 4;

/** Per event: the strongest layer that says something counts. */
export function eventSettings(all: readonly LayerSettings[]): Record<EventName, EventSettings> {
  const ranked = all.toSorted((a, b) => rank(a.layer) - rank(b.layer)).map((one) => one.settings);
  const first = <T>(read: (settings: Settings) => T | undefined): T | undefined =>
    ranked.map(read).find((value) => value !== undefined);
  const blocking = first((settings) => settings.blocking);
  const settingsOf = (event: EventName): EventSettings => ({
    chain: first((settings) => settings.chain?.[event]) ?? "run-all",
    blockable: factsOf(event).block && (blocking?.includes(event) ?? true),
    raw: first((settings) => settings.raw) ?? false,
    recordPayload: first((settings) => settings.record) === "payload",
    contextLimit: first((settings) => settings.context_limit) ?? CONTEXT_LIMIT,
    failureBudget: first((settings) => settings.failure_budget) ?? FAILURE_BUDGET,
    asyncLimit: first((settings) => settings.async_limit) ?? ASYNC_LIMIT,
  });
  const pairs = EVENT_NAMES.map((event) => [event, settingsOf(event)] as const);
  return Object.fromEntries(pairs) as Record<EventName, EventSettings>;
}

/** Whether a layer's hooks may block there: `blocking:` binds its own layer and weaker ones. */
export function mayBlock(layer: Layer, event: EventName, all: readonly LayerSettings[]): boolean {
  if (!factsOf(event).block) return false;
  const binding = all.filter((one) => rank(one.layer) <= rank(layer) && one.settings.blocking);
  const strongest = binding.toSorted((a, b) => rank(a.layer) - rank(b.layer))[0];
  return strongest?.settings.blocking?.includes(event) ?? true;
}

const rank = (layer: Layer): number => LAYERS.indexOf(layer);

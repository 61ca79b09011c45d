import { ADAPTERS, adapterOf } from "../adapters/_all.ts";
import { noticeOnly } from "../adapters/_claude-wire.ts";
import { nativeEvent, type Adapter, type Surface } from "../adapters/_contract.ts";
import { EVENT_NAMES, EVENTS, resolveEvent, suggest } from "../events.ts";
import { listed } from "./_words.ts";
import { Missing, Misuse } from "./_call.ts";

export interface At {
  readonly adapter: Adapter;
  readonly event: string;
  readonly surface: Surface;
}

/** The harness and the event that a person named, in any of their spellings. */
export function surfaceNamed(harness: string, event: string): At {
  const adapter = adapterNamed(harness);
  const name =
    nativeEvent(adapter, event) ??
    resolveEvent(event) ??
    adapter.observes.find((one) => one === event);
  const surface = name === undefined ? undefined : surfaceOf(adapter, name);
  if (name !== undefined && surface) return { adapter, event: name, surface };
  const known = [...Object.keys(adapter.surfaces), ...adapter.observes];
  const near =
    name === undefined ? suggest(event, [...EVENT_NAMES, ...aliases(), ...known]) : undefined;
  const hint = near ? `did you mean ${near}?` : `it has ${known.join(", ")}`;
  const message = `${adapter.title} has no event "${event}"`;
  // A word that nobody knows, or an event that only others have.
  throw name === undefined ? new Misuse(message, hint) : new Missing(message, hint);
}

export function adapterNamed(harness: string): Adapter {
  const adapter = adapterOf(harness);
  if (adapter) return adapter;
  const names = ADAPTERS.flatMap(({ id, aliases: more }) => [id, ...more]);
  const near = suggest(harness, names);
  const hint = near ? `did you mean ${near}?` : `known are ${listed(ADAPTERS.map(({ id }) => id))}`;
  throw new Misuse(`there is no harness "${harness}"`, hint);
}

const aliases = (): string[] => Object.values(EVENTS).flatMap((facts) => facts.aliases);

/** undefined where the harness has no such event. */
export function surfaceOf(adapter: Adapter, event: string): Surface | undefined {
  const surfaces: Readonly<Record<string, Surface>> = adapter.surfaces;
  if (Object.hasOwn(surfaces, event)) return surfaces[event];
  const observed = adapter.observes.includes(event);
  return observed ? { native: event, timeout: 600_000, replies: { pass: noticeOnly } } : undefined;
}

import { ADAPTERS } from "../adapters/_all.ts";
import { didYouMean } from "../compile/values.ts";
import { EVENT_NAMES, type EventName, resolveEvent } from "../events.ts";

/** The canonical name for any spelling; a name that nobody knows is a mistake in the program. */
export function canonicalEvent(name: string): EventName {
  if (typeof name !== "string")
    throw new TypeError(`an event has a name, and ${String(name)} is none`);
  const found = resolveEvent(name) ?? OBSERVED.find((native) => native === name);
  if (found !== undefined) return found as EventName;
  throw new TypeError(`there is no event "${name}": ${didYouMean(name, EVENT_NAMES)}`);
}

/** Events that some harness offers beyond the table: hooks may look on. */
const OBSERVED = ADAPTERS.flatMap(({ observes }) => observes);

import type { Hook, Occurrence } from "../model.ts";
import type { Index } from "./load.ts";
import { matchEvent } from "./match.ts";
import { fileMemory, type Memory } from "./memory.ts";
import { safeName } from "./occurrence.ts";
import { countsFailures } from "./streaks.ts";

/** The switches that decide, beside the matcher, whether a hook runs. */
export interface Switches {
  readonly off: boolean;
  readonly paused: boolean;
  readonly skip: readonly string[];
  readonly depth: number;
  /** Where sessions are remembered; empty when nothing may be written. */
  readonly state: string;
  /** Instead of files in `state`, for whoever lives longer than one event. */
  readonly memory?: Memory;
  /** Hooks that have used up their failure budget in this session, and how it is said. */
  readonly suspended?: ReadonlyMap<string, string>;
}

export const memoryOf = ({ memory, state }: Switches): Memory => memory ?? fileMemory(state);

export interface Planned {
  readonly hook: Hook;
  /** Why it is passed over; empty when it runs. */
  readonly skipped: string;
}

/** Which hooks does this event choose, in manifest order? */
export function planHooks(
  index: Index,
  event: Occurrence,
  switches: Switches,
  after?: Hook,
): Planned[] {
  const from = after === undefined ? 0 : index.hooks.indexOf(after) + 1;
  return index.hooks
    .slice(from)
    .filter((hook) => hook.harness.length === 0 || hook.harness.includes(event.harness))
    .filter((hook) => matchEvent(hook.matcher, event, index.automaton))
    .map((hook) => ({ hook, skipped: excluded(hook, event, switches) }));
}

/** Managed hooks cannot be switched off from below; the depth rule holds for them too. */
function excluded(hook: Hook, event: Occurrence, switches: Switches): string {
  const nested = hook.layer !== "managed" && !hook.reentrant;
  if (switches.depth > 0 && (switches.depth >= 3 || nested)) return "inside another hook";
  if (hook.once && memoryOf(switches).read(onceName(hook, event)) !== undefined)
    return "once per session";
  if (hook.layer === "managed") return "";
  if (switches.off) return "ANYHOOK=0";
  if (switches.paused) return "paused";
  if (switches.skip.includes(hook.name)) return "ANYHOOK_SKIP";
  return (countsFailures(hook) && switches.suspended?.get(hook.name)) || "";
}

export function markOnce(hook: Hook, event: Occurrence, switches: Switches): void {
  if (hook.once) memoryOf(switches).write(onceName(hook, event), "");
}

const onceName = (hook: Hook, event: Occurrence): string =>
  `${safeName(event.session)}.${hook.name.replaceAll("/", "+")}.once`;

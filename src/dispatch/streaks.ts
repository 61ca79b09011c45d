import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ABORTED } from "../handlers/_verdict.ts";
import type { EventSettings, Hook, Outcome } from "../model.ts";
import type { Memory } from "./memory.ts";
import { safeName } from "./occurrence.ts";

/** Failures in a row within one session: the failure budget. */
export interface Streaks {
  /** Hooks that are passed over, and how that is said. */
  readonly suspended: ReadonlyMap<string, string>;
  /** Suspended, and the user has not been told yet. */
  readonly untold: ReadonlySet<string>;
  readonly note: (outcomes: readonly Outcome[]) => void;
}

export const NO_STREAKS: Streaks = { suspended: new Map(), untold: new Set(), note: () => {} };

/** The state folder, whose session it is, and the content hash: an edit lifts every suspension. */
export interface Place {
  readonly state: string;
  readonly session: string;
  readonly hash: string;
  /** Instead of the folder, for whoever lives longer than one event. */
  readonly memory?: Memory;
}

/** shell/streak.awk says the same in awk, and what the lines of the file mean. */
export function streaksAt(place: Place, budget: number): Streaks {
  const { state, session, hash, memory } = place;
  if (budget === 0 || session === "" || (state === "" && !memory)) return NO_STREAKS;
  const name = `${safeName(session)}.fails`;
  const file = join(state, name);
  const { counts, told } = tally(memory ? (memory.read(name) ?? "") : read(file), hash);
  const spent = [...counts].filter(([, count]) => count >= budget).map(([name]) => name);
  const why = `suspended: failed ${budget} times in a row in this session`;
  return {
    suspended: new Map(spent.map((name) => [name, why])),
    untold: new Set(spent.filter((name) => !told.has(name))),
    note(outcomes) {
      const marks = outcomes.flatMap((outcome) => markOf(outcome, counts, told));
      const text = marks.map(([name, mark]) => `${hash}\t${name}\t${mark}\n`).join("");
      if (memory) memory.write(name, (memory.read(name) ?? "") + text);
      else if (text !== "") append(file, text);
    },
  };
}

/** Where a block keeps something from happening. */
const GUARDED: readonly string[] = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];

/**
 * Guards and managed hooks are never suspended: that would open the door, and whoever is behind it
 * may provoke failures. A guard blocks when it fails, or may block what has not happened yet.
 */
export const countsFailures = (hook: Hook): boolean =>
  hook.onFailure !== "block" &&
  hook.layer !== "managed" &&
  !(hook.block && GUARDED.includes(hook.event));

export const isSuspension = ({ status, detail }: Outcome): boolean =>
  status === "skipped" && detail.startsWith("suspended: ");

export const suspensionText = (hook: Hook, { failureBudget }: EventSettings): string =>
  `Hook ${hook.name} failed ${failureBudget} times in a row and is suspended for this session (${hook.source}). Any edit of the hooks lifts that.`;

/** Of a hook that was never started, because those before it took all the time that the event has. */
export const NO_TIME = "no time left for this event";

type Mark = readonly [name: string, mark: "1" | "0" | "s"];

function markOf(
  outcome: Outcome,
  counts: ReadonlyMap<string, number>,
  told: ReadonlySet<string>,
): Mark[] {
  const { hook, status, detail } = outcome;
  // That nobody asked it, or nobody waited for it, is no fault of the hook.
  if (detail === NO_TIME || detail === ABORTED) return [];
  if (isSuspension(outcome)) return told.has(hook.name) ? [] : [[hook.name, "s"]];
  if (status === "skipped" || status === "async" || !countsFailures(hook)) return [];
  if (status !== "ok") return [[hook.name, "1"]];
  return counts.has(hook.name) ? [[hook.name, "0"]] : [];
}

function tally(text: string, hash: string): { counts: Map<string, number>; told: Set<string> } {
  const counts = new Map<string, number>();
  const told = new Set<string>();
  for (const line of text.split("\n")) {
    const [made, name, mark, more] = line.split("\t");
    if (made !== hash || name === undefined || more !== undefined) continue;
    if (mark === "1") counts.set(name, (counts.get(name) ?? 0) + 1);
    else if (mark === "s") told.add(name);
    else if (mark === "0") {
      counts.delete(name);
      told.delete(name);
    }
  }
  return { counts, told };
}

/** A failure that cannot be counted is no reason to lose what the hooks decided. */
function append(file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch {
    // The ledger, on the same disk, is where this becomes visible.
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Layout } from "../dispatch/layout.ts";

/** The queue of async hooks; shell/queue.sh says what the files are. */
export interface Queue {
  readonly waiting: number;
  readonly running: number;
  /** Jobs that took their runner down again and again, or were damaged. */
  readonly givenUp: number;
  /** Said, and not told yet. */
  readonly messages: number;
}

export function queueOf({ slot }: Layout): Queue {
  const names = namesIn(join(slot, "queue"));
  const ending = (end: string): number => names.filter((name) => name.endsWith(end)).length;
  const lost = namesIn(join(slot, "queue/lost")).filter((name) => !name.endsWith(".in"));
  return {
    waiting: ending(".job"),
    running: ending(".run"),
    givenUp: lost.length,
    messages: namesIn(join(slot, "inbox")).length,
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

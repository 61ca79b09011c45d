import { distill, NOTHING, scan, sum, type Distilled, type Work } from "./distill.ts";
import { signalOf } from "./envelope.ts";
import { ALL, drain } from "./queue.ts";
import { scrub } from "./scrub.ts";
import { databasesOf } from "./store.ts";
import type { Reading } from "./transcript.ts";

export interface Loop {
  /** Where signals wait, and where tags do. */
  readonly runtime: string;
  readonly waiting: string;
  /** The transcript, or "". */
  readonly file: string;
  /** On the clock of performance.now(). */
  readonly deadline: number;
  readonly how?: Reading;
}

export interface Closed extends Distilled {
  readonly isDone: boolean;
  readonly damaged: number;
  readonly dropped: number;
}

/** Drains the queue, reads on in the transcript and distils: what stop does, and `flywheel close-loop`. */
export async function closeLoop(
  work: Work,
  { runtime, waiting, file, deadline, how }: Loop,
): Promise<Closed> {
  const { envelopes, damaged, dropped, commit } = drain(runtime);
  const tagged = drain(waiting, ALL);
  const signals = envelopes.map(signalOf);
  const items = tagged.envelopes.flatMap((one) => one.items ?? []);
  const isEmpty = signals.length === 0 && items.length === 0;
  const drained = isEmpty ? NOTHING : await distill(work, { items, signals });
  commit();
  tagged.commit();
  if (damaged > 0) work.say(`memory: ${damaged} damaged lines of the queue were skipped`);
  if (dropped > 0)
    work.say(`memory: the queue was over its cap, the ${dropped} oldest signals were dropped`);
  for (const [, database] of databasesOf(work.store)) scrub(database);
  const read = file === "" ? { ...NOTHING, isDone: true } : await scan(work, file, deadline, how);
  return { ...sum(drained, read), isDone: read.isDone, damaged, dropped };
}

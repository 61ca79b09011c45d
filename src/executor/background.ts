import { setImmediate } from "node:timers/promises";

/** Work that nobody waits for: a few at once, the rest in turn. */
export interface Background {
  start(work: () => Promise<unknown>): void;
  /** When all of it is done. */
  idle(): Promise<void>;
}

const AT_ONCE = 4;

export function background(): Background {
  const waiting: (() => Promise<unknown>)[] = [];
  const running = new Set<Promise<unknown>>();
  return {
    start(work) {
      waiting.push(work);
      next();
    },
    async idle() {
      while (running.size > 0) await Promise.race(running);
    },
  };

  function next(): void {
    if (running.size >= AT_ONCE) return;
    const work = waiting.shift();
    if (work === undefined) return;
    // Not within the call that it came from: that one does not wait for what it does at once.
    const done: Promise<unknown> = setImmediate()
      .then(work)
      .catch(() => {})
      .finally(() => {
        running.delete(done);
        next();
      });
    running.add(done);
  }
}

import type { Work } from "./index.ts";
import { ABORTED, type Run } from "./_verdict.ts";

/** A handler's way to say that it failed; the message is for people and holds no secret. */
export class Failure extends Error {
  readonly timedOut: boolean;

  constructor(message: string, timedOut = false) {
    super(message);
    this.name = "Failure";
    this.timedOut = timedOut;
  }
}

/** How long a handler may take; `signal` ends everything that it has under way. */
export interface Limit {
  readonly signal: AbortSignal;
  /** In the terms of performance.now(). */
  readonly until: number;
}

/** What a process gets, so that it is ended, with all it started, before its handler is. */
const ENDING = 300;

export const leftFor = ({ until }: Pick<Limit, "until">): number =>
  Math.max(1, Math.floor(until - performance.now()) - ENDING);

/** Filled as the handler goes, so that a run that fails has one too. */
export type Trace = string[];

/** Runs a handler inside its timeout. What it says is what a script would have printed. */
export async function settled(
  { timeout, signal }: Pick<Work, "timeout" | "signal">,
  handler: (limit: Limit, trace: Trace) => Promise<string>,
): Promise<Run> {
  const began = performance.now();
  const trace: Trace = [];
  const control = new AbortController();
  const late = new Failure(`no answer within ${timeout} ms`, true);
  const run = (status: Run["status"], detail: string, said: string): Run => ({
    status,
    exit: status === "ok" ? 0 : null,
    detail,
    stdout: Buffer.from(said),
    stderr: Buffer.alloc(0),
    ms: Math.round(performance.now() - began),
    ...(trace.length > 0 ? { trace } : {}),
  });
  let timer: NodeJS.Timeout | undefined;
  let abort = (): void => {};
  const expired = new Promise<never>((_, reject) => {
    const end = (why: Failure) => (): void => {
      reject(why);
      control.abort(why);
    };
    timer = setTimeout(end(late), timeout);
    abort = end(new Failure(ABORTED));
  });
  signal?.addEventListener("abort", abort);
  try {
    const limit = { signal: control.signal, until: began + timeout };
    return run("ok", "", await Promise.race([handler(limit, trace), expired]));
  } catch (error) {
    const timedOut = error instanceof Failure && error.timedOut;
    return run(timedOut ? "timeout" : "failed", describe(error), "");
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    control.abort(late);
  }
}

const describe = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

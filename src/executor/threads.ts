import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import type { Answer } from "../compile/inspect-module.ts";
import { ABORTED } from "../handlers/_verdict.ts";
import { THREAD } from "./thread-source.ts";

/**
 * Threads in which modules run: one call at a time each, so that one that hangs harms nobody else,
 * and one bundle each, so that none can bend what the next one runs on or answer in its place.
 */
export interface Threads {
  run(job: ModuleJob): Promise<Ended>;
  /** What a bundle says about itself; it never reaches the caller's thread. */
  look(code: string): Promise<Answer>;
  /** Threads of other bundles are ended, busy ones when they are done: the others keep their state. */
  keep(codes: ReadonlySet<string>): void;
  close(): Promise<void>;
}

export interface ModuleJob {
  readonly code: string;
  readonly event: Readonly<Record<string, unknown>>;
  /** Variables that are about this call. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Ended {
  readonly status: "ok" | "failed" | "timeout";
  readonly detail: string;
  /** What it returned, as JSON; "" for nothing. */
  readonly json: string;
  /** What it wrote to its standard output and error. */
  readonly said: string;
}

interface Thread {
  readonly worker: Worker;
  /** Its start is our own business: the time of a hook begins after it. */
  readonly ready: Promise<unknown>;
  readonly code: string;
}

/** For one module, however large: at most this, and no more than an event has. */
const LOADING = 10_000;
/** Threads at once; further calls wait for one. */
const MOST = 8;
/** Threads that wait for the next call of their bundle; the one that waited longest makes room. */
const MOST_IDLE = 8;
/** A module that eats memory ends its thread and not the program. */
const MEGABYTES = 512;

export function startThreads(env: NodeJS.ProcessEnv, budget: number): Threads {
  const loading = Math.min(LOADING, budget);
  const idle: Thread[] = [];
  const all = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  let wanted: ReadonlySet<string> = new Set();
  return {
    run: async ({ code, event, env: about, timeout, signal }) =>
      inTurn(() => call(code, { task: "run", event, env: about, timeout }, timeout, signal)),
    async look(code) {
      const { status, detail, json } = await inTurn(() => call(code, { task: "look" }, loading));
      if (status === "ok") return JSON.parse(json) as Answer;
      const slow = status === "timeout";
      return { problem: slow ? `it did not finish loading within ${loading / 1000} s` : detail };
    },
    keep(codes) {
      wanted = codes;
      for (const thread of idle.splice(0))
        if (codes.has(thread.code)) idle.push(thread);
        else void thread.worker.terminate();
    },
    async close() {
      idle.splice(0);
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };

  async function inTurn(job: () => Promise<Ended>): Promise<Ended> {
    if (busy < MOST) busy++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await job();
    } catch (error) {
      return { status: "failed", detail: String(error), json: "", said: "" };
    } finally {
      // Handed on rather than given back: nobody comes in between.
      const next = waiting.shift();
      if (next) next();
      else busy--;
    }
  }

  function start(code: string): Thread {
    // Options of the process are not all options of a thread.
    const { NODE_OPTIONS: _, ...own } = env;
    const worker = new Worker(THREAD, {
      eval: true,
      env: own,
      argv: [],
      execArgv: [],
      stdin: false,
      // Never read, which would keep the program alive: the thread collects what modules print.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    });
    all.add(worker);
    const ready = new Promise((resolve) => worker.once("online", resolve).once("exit", resolve));
    worker.on("error", () => {});
    const thread = { worker, ready, code };
    worker.on("exit", () => {
      all.delete(worker);
      // A timer that a module left behind may end a thread between two calls.
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
    });
    return thread;
  }

  function take(code: string): Thread {
    const at = idle.findIndex((thread) => thread.code === code);
    return at >= 0 ? idle.splice(at, 1)[0]! : start(code);
  }

  function giveBack(thread: Thread): void {
    idle.push(thread);
    if (idle.length > MOST_IDLE) void idle.shift()!.worker.terminate();
  }

  async function call(
    code: string,
    job: { readonly task: "look" } | ({ readonly task: "run" } & Omit<ModuleJob, "code">),
    timeout: number,
    signal?: AbortSignal,
  ): Promise<Ended> {
    if (signal?.aborted) return { status: "failed", detail: ABORTED, json: "", said: "" };
    const thread = take(code);
    const { worker } = thread;
    worker.ref();
    await thread.ready;
    const nonce = randomUUID();
    return new Promise((resolve) => {
      const settle = (ended: Ended, alive: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        worker.removeAllListeners("message").removeAllListeners("error");
        worker.off("exit", gone);
        worker.on("error", () => {});
        worker.unref();
        // What was looked at counts from the end of the compile, which says what is wanted.
        if (alive && (job.task === "look" || wanted.has(code))) giveBack(thread);
        else void worker.terminate();
        resolve(ended);
      };
      const failed = (detail: string): void =>
        settle({ status: "failed", detail, json: "", said: "" }, false);
      const abort = (): void => failed(ABORTED);
      signal?.addEventListener("abort", abort);
      const gone = (code: number): void => failed(`Error: called process.exit(${code})`);
      const late = { status: "timeout", detail: `no answer within ${timeout} ms` } as const;
      const timer = setTimeout(() => settle({ ...late, json: "", said: "" }, false), timeout);
      // What a module posts by itself, or what an earlier call posts late, is no answer to this one.
      worker.on("message", (said: unknown) => {
        const ended = answerTo(nonce, said);
        if (ended) settle(ended, true);
      });
      worker.once("error", (error) => failed(String(error)));
      worker.once("exit", gone);
      worker.postMessage({ ...job, code, nonce });
    });
  }
}

function answerTo(nonce: string, said: unknown): Ended | undefined {
  const answer = said as Partial<Ended & { nonce: string }> | null;
  if (typeof answer !== "object" || answer?.nonce !== nonce) return undefined;
  const { status, detail, json, said: written } = answer;
  const isWhole = [detail, json, written].every((one) => typeof one === "string");
  if ((status !== "ok" && status !== "failed") || !isWhole) return undefined;
  return { status, detail: detail!, json: json!, said: written! };
}

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Hook } from "../model.ts";
import type { Work } from "./index.ts";
import { notStarted } from "./command.ts";
import type { Run } from "./_verdict.ts";

/**
 * Modules run one after the other in one worker thread, so that a busy loop, process.exit or a
 * print to stdout harms nobody but the module; a worker that had to be ended is replaced.
 */
let warm: Worker | undefined;

/** What the worker answers: `value` is JSON text, as if the hook had printed it. */
interface Answer {
  readonly value?: string;
  readonly error?: string;
}

export async function runModule(hook: Hook, work: Work): Promise<Run> {
  if (hook.broken !== "") return notStarted(hook.broken);
  const began = performance.now();
  const worker = (warm ??= start());
  const { status, answer, detail } = await ask(worker, hook, work);
  if (status !== "ok") endModules();
  return {
    status,
    exit: status === "ok" ? 0 : null,
    detail,
    stdout: Buffer.from(answer.value ?? ""),
    stderr: Buffer.alloc(0),
    ms: Math.round(performance.now() - began),
  };
}

export function endModules(): void {
  void warm?.terminate();
  warm = undefined;
}

function start(): Worker {
  const file = fileURLToPath(new URL("./worker.js", import.meta.url));
  const worker = new Worker(file, { stdout: true, stderr: true, env: { ...process.env } });
  worker.stdout.resume();
  worker.stderr.resume();
  worker.unref();
  return worker;
}

interface Asked {
  readonly status: "ok" | "failed" | "timeout";
  readonly answer: Answer;
  readonly detail: string;
}

function ask(worker: Worker, hook: Hook, work: Work): Promise<Asked> {
  return new Promise((done) => {
    const settle = (status: Asked["status"], answer: Answer, detail: string): void => {
      clearTimeout(timer);
      for (const [name, listener] of Object.entries(listeners)) worker.off(name, listener);
      worker.unref();
      done({ status, answer, detail });
    };
    const listeners = {
      message: (answer: Answer) =>
        answer.error === undefined
          ? settle("ok", answer, "")
          : settle("failed", {}, answer.error),
      error: (error: Error) => settle("failed", {}, error.message),
      exit: (code: number) => settle("failed", {}, `called process.exit(${code})`),
    };
    const timer = setTimeout(
      () => settle("timeout", {}, `no answer within ${work.timeout} ms`),
      work.timeout,
    );
    worker.ref();
    for (const [name, listener] of Object.entries(listeners)) worker.on(name, listener);
    const { event, native } = work;
    const { payload, ...facts } = event;
    const file = resolve(work.slot, "bundles", hook.script);
    worker.postMessage({ file, env: envOf(work.env), event: { ...payload, ...named(facts), native } });
  });
}

/** Canonical fields over the payload's own: tool_name is canonical, the native one is in native. */
const named = (facts: Omit<Work["event"], "payload">): Record<string, unknown> => ({
  harness: facts.harness,
  event: facts.event,
  id: facts.id,
  cwd: facts.cwd,
  session_id: facts.session,
  paths: facts.paths,
  ...(facts.tool === "" ? {} : { tool_name: facts.tool }),
});

const envOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[0].startsWith("ANYHOOK_")),
  );

import { FUNCTION } from "../compile/function-mark.ts";
import { notStarted } from "../handlers/command.ts";
import type { Handler, Work } from "../handlers/index.ts";
import { describe, eventOf, printed } from "../handlers/module.ts";
import { ABORTED, type Run } from "../handlers/_verdict.ts";
import { atDepth } from "./depth.ts";
import type { Ended, Threads } from "./threads.ts";

export type HookFunction = (
  event: Record<string, unknown>,
  context: { readonly signal: AbortSignal },
) => unknown;

/** Modules from files run in a thread, functions of the program where the program runs. */
export function moduleHandler(
  bundles: ReadonlyMap<string, string>,
  functions: readonly (HookFunction | undefined)[],
  threads: Threads,
): Handler {
  return async (hook, work) => {
    const code = bundles.get(hook.script);
    if (hook.broken !== "" || code === undefined)
      return notStarted(hook.broken || "the module is not loaded");
    const began = performance.now();
    const { status, detail, json, said } = code.startsWith(FUNCTION)
      ? await callFunction(functions[Number(code.slice(FUNCTION.length))], work)
      : await threads.run({
          code,
          event: eventOf(work),
          env: ownVariables(work.env),
          timeout: work.timeout,
          signal: work.signal,
        });
    return {
      status,
      exit: status === "ok" ? 0 : null,
      detail,
      stdout: Buffer.from(json === "" ? "" : printed(JSON.parse(json))),
      stderr: Buffer.from(said),
      ms: Math.round(performance.now() - began),
    } satisfies Run;
  };
}

const ownVariables = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) =>
      key.startsWith("ANYHOOK_") && value !== undefined ? [[key, value]] : [],
    ),
  );

/** A promise that never settles meets its timer; a busy loop is the program's own. */
function callFunction(run: HookFunction | undefined, work: Work): Promise<Ended> {
  const depth = Number(work.env["ANYHOOK_DEPTH"] ?? 1);
  const ended = (status: Ended["status"], detail: string, json = ""): Ended => ({
    status,
    detail,
    json,
    said: "",
  });
  const control = new AbortController();
  return new Promise((resolve) => {
    const finish = (end: Ended): void => {
      clearTimeout(timer);
      work.signal?.removeEventListener("abort", abort);
      resolve(end);
    };
    const giveUp = (end: Ended): void => {
      finish(end);
      control.abort();
    };
    const late = ended("timeout", `no answer within ${work.timeout} ms`);
    const timer = setTimeout(() => giveUp(late), work.timeout);
    const abort = (): void => giveUp(ended("failed", ABORTED));
    work.signal?.addEventListener("abort", abort);
    const context = { signal: control.signal };
    atDepth(depth, async () => said(await run?.(structuredClone(eventOf(work)), context))).then(
      (json) => finish(ended("ok", "", json)),
      (error: unknown) => finish(ended("failed", describe(error))),
    );
  });
}

function said(value: unknown): string {
  if (typeof value === "function")
    throw new TypeError("returned a function: return an answer, a text or nothing");
  return JSON.stringify(value) ?? "";
}

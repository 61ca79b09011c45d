import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";
import Module from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Hook } from "../model.ts";
import type { Work } from "./index.ts";
import { notStarted } from "./command.ts";
import { endChildren } from "./_children.ts";
import type { Run } from "./_verdict.ts";

/**
 * Modules run in this very thread: a worker would cost as much as Node's own start. A promise that
 * never settles meets its timer here; a busy loop or a crash takes the process down, and whoever
 * started us goes on after that module (node.sh, with the outcomes noted so far).
 */
export async function runModule(hook: Hook, work: Work): Promise<Run> {
  if (hook.broken !== "") return notStarted(hook.broken);
  const began = performance.now();
  const { status, detail, value } = await limited((over) => call(hook, work, over), work.timeout);
  return {
    status,
    exit: status === "ok" ? 0 : null,
    detail,
    stdout: Buffer.from(value),
    stderr: Buffer.alloc(0),
    ms: Math.round(performance.now() - began),
  };
}

interface Called {
  readonly status: "ok" | "failed" | "timeout";
  readonly detail: string;
  /** JSON text, as if the hook had printed it. */
  readonly value: string;
}

async function call(hook: Hook, work: Work, over: () => boolean): Promise<string> {
  const file = resolve(work.slot, "bundles", hook.script);
  for (const [key, value] of Object.entries(work.env))
    if (key.startsWith("ANYHOOK_")) process.env[key] = value;
  const module = await load(file);
  // Loading took all its time: what nobody waits for must not hold up the next one.
  if (over()) return "";
  const run = module.default?.run;
  if (typeof run !== "function") throw new Error("the module has no run function");
  return printed(await run.call(module.default, eventOf(work), runContext(work)));
}

interface Loaded {
  readonly default?: { readonly run?: unknown };
}

/** The loader for modules costs more than most hooks do; the compiler spares them where it can. */
const load = async (file: string): Promise<Loaded> =>
  file.endsWith(".cjs") ? compiled(file) : ((await import(pathToFileURL(file).href)) as Loaded);

/** What `require` does after it has looked for the file in a dozen places: we know where it is. */
function compiled(file: string): Loaded {
  const module = new Module(file) as Module & { _compile(code: string, file: string): void };
  module.filename = file;
  // oxlint-disable-next-line no-underscore-dangle -- it is the name that Node gave it
  module._compile(readFileSync(file, "utf8"), file);
  return module.exports as Loaded;
}

/** Made when it is asked for: hardly a module does. */
const runContext = ({ timeout }: Work): { readonly signal: AbortSignal } => {
  const until = performance.now() + timeout;
  return {
    get signal() {
      return AbortSignal.timeout(Math.max(0, Math.floor(until - performance.now())));
    },
  };
};

/** What a module returned, as a script would have printed it. */
export function printed(result: unknown): string {
  if (result === undefined || result === null) return "";
  // Whoever returns false, or a list, means something; it is not "go on".
  if (typeof result !== "string" && (typeof result !== "object" || Array.isArray(result)))
    throw new TypeError(
      `returned ${Array.isArray(result) ? "a list" : `a ${typeof result}`}: return an answer, a text or nothing`,
    );
  return JSON.stringify(typeof result === "string" ? { context: result } : result) ?? "";
}

/** Whose code it is that throws: a module before this one may have left something running. */
const running = new AsyncLocalStorage<object>();

/** Whichever comes first: the answer, the timer, or an exception that nobody caught. */
function limited(
  start: (over: () => boolean) => Promise<string>,
  timeout: number,
): Promise<Called> {
  const exit = process.exit.bind(process);
  const turn = {};
  const began = performance.now();
  let over = false;
  return new Promise((done) => {
    const settle = (status: Called["status"], detail: string, value = ""): void => {
      over = true;
      clearTimeout(timer);
      process.off("uncaughtException", stray);
      process.off("unhandledRejection", stray);
      process.exit = exit;
      done({ status, detail, value });
    };
    const fail = (error: unknown): void => settle("failed", describe(error));
    const stray = (error: unknown): void => {
      if ((running.getStore() ?? turn) === turn) fail(error);
    };
    const timer = setTimeout(() => {
      settle("timeout", `no answer within ${timeout} ms`);
      endLeftovers(performance.now() - began);
    }, timeout);
    process.on("uncaughtException", stray);
    process.on("unhandledRejection", stray);
    process.exit = (code) => {
      throw new Error(`called process.exit(${code ?? ""})`);
    };
    running.run(turn, start, () => over).then((value) => settle("ok", "", value), fail);
  });
}

/** The module may have bent whatever this needs. */
function endLeftovers(within: number): void {
  try {
    endChildren(within);
  } catch {
    // Then they stay.
  }
}

/** One line for people; the stack only on request, because it names our own files. */
export function describe(error: unknown): string {
  const traced = error instanceof Error && process.env["ANYHOOK_TRACE"] === "1";
  try {
    return (traced && error.stack) || String(error);
  } catch {
    return "threw something that cannot be shown";
  }
}

/** Canonical fields over the payload's own: tool_name is canonical, the native one is in native. */
export function eventOf({
  event,
  native,
}: Pick<Work, "event" | "native">): Record<string, unknown> {
  const tool = event.tool === "" ? {} : { tool_name: event.tool };
  return {
    ...event.payload,
    harness: event.harness,
    event: event.event,
    id: event.id,
    cwd: event.cwd,
    session_id: event.session,
    paths: event.paths,
    ...tool,
    native,
  };
}

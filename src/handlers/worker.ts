import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";

/** The thread in which modules run: one question, one answer, in order. */
interface Question {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly event: Readonly<Record<string, unknown>>;
}

parentPort?.on("message", (question: Question) => {
  answer(question).then(
    (value) => parentPort?.postMessage({ value }),
    (error: unknown) => parentPort?.postMessage({ error: describe(error) }),
  );
});

// A promise that somebody forgot must not end the thread while another hook is being asked.
process.on("unhandledRejection", () => {});

async function answer({ file, env, event }: Question): Promise<string> {
  Object.assign(process.env, env);
  const module = (await import(pathToFileURL(file).href)) as { default?: { run?: unknown } };
  const run = module.default?.run;
  if (typeof run !== "function") throw new Error("the module has no run function");
  const result: unknown = await run.call(module.default, event);
  if (result === undefined || result === null) return "";
  return typeof result === "string" ? JSON.stringify({ context: result }) : JSON.stringify(result);
}

/** One line for people; the stack only on request, because it names our own files. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env["ANYHOOK_TRACE"] === "1" ? (error.stack ?? String(error)) : String(error);
}

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { isObject, scalarText } from "../dispatch/occurrence.ts";
import { BRACED, bounded, isPlaceholder } from "../dispatch/placeholders.ts";
import { membersOf } from "../dispatch/raw.ts";
import type { Hook } from "../model.ts";
import type { Work } from "./index.ts";
import { runProcess } from "./_process.ts";
import type { Run } from "./_verdict.ts";

/** A script, a shell line or an argument list: R4 is checked before the start. */
export async function runCommand(hook: Hook, work: Work): Promise<Run> {
  const missing = missingFor(hook, work);
  if (missing !== "") return notStarted(missing);
  return runProcess({
    argv: argvOf(hook, work),
    cwd: work.cwd,
    env: { ...work.env, ...argumentsOf(hook, work) },
    input: work.input,
    timeout: work.timeout,
    signal: work.signal,
  });
}

export const notStarted = (detail: string): Run => ({
  status: "failed",
  exit: null,
  detail,
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  ms: 0,
});

/** Why it cannot even be started; empty when it can. */
export const missingFor = (hook: Hook, work: Surroundings): string =>
  hook.broken || missingNeed(hook, work);

type Surroundings = Pick<Work, "root" | "cwd" | "env">;

function missingNeed(hook: Hook, work: Surroundings): string {
  for (const need of hook.needs) {
    const path = need
      .replace(/^\{project\}/, work.root)
      .replace(/^\{home\}/, work.env["HOME"] ?? "");
    if (path.includes("/") && !existsSync(resolve(work.cwd, path))) return `${path} does not exist`;
    if (!path.includes("/") && !onPath(path, work.env["PATH"] ?? ""))
      return `${path} is not on PATH`;
  }
  if (hook.kind !== "script") return "";
  const file = resolve(work.cwd, hook.script);
  if (!isFile(file)) return `${hook.script} does not exist`;
  return isExecutable(file) ? "" : `${hook.script} is not executable`;
}

/** What lies in a folder that may not be entered is as good as not there, as for the shell. */
function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const onPath = (program: string, path: string): boolean =>
  path.split(delimiter).some((dir) => isExecutable(join(dir, program)));

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function argvOf(hook: Hook, work: Work): string[] {
  if (hook.kind === "shell") return ["/bin/sh", "-c", hook.script];
  if (hook.kind === "script") return [resolve(work.cwd, hook.script)];
  const words = JSON.parse(hook.script) as string[];
  return words.map((word) =>
    word.startsWith("{bundles}/") ? join(work.slot, "bundles", word.slice(10)) : filled(word, work),
  );
}

const filled = (word: string, work: Work): string =>
  word.replace(BRACED, (whole, name: string) =>
    isPlaceholder(name) ? placeholder(name, work) : whole,
  );

export function argumentsOf(hook: Hook, work: Work): Record<string, string> {
  return Object.fromEntries(
    hook.args.map((name, index) => [`ANYHOOK_ARG_${index + 1}`, placeholder(name, work)]),
  );
}

/** Payload text as data (S1.16); cut to what an environment variable may hold. */
export function placeholder(name: string, work: Work): string {
  const { event } = work;
  const data = event.payload;
  let text: string;
  if (name === "file") text = event.paths[0] ?? "";
  else if (name === "tool_name") text = event.tool;
  else if (name === "args") text = rawAt(work, ["tool_input"]);
  else if (name === "result" && typeof data["tool_response"] === "string")
    text = data["tool_response"];
  else text = rawOrText(work, name === "result" ? ["tool_response"] : name.split("."));
  return bounded(text);
}

function rawOrText(work: Work, path: string[]): string {
  const value = path.reduce<unknown>(
    (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    work.event.payload,
  );
  return typeof value === "object" && value !== null ? rawAt(work, path) : scalarText(value);
}

function rawAt(work: Work, path: string[]): string {
  if (!Object.hasOwn(work.event.payload, path[0]!)) return "";
  const text = work.canonical.toString("utf8");
  return path.reduce(
    (raw, key) =>
      raw.startsWith("{") ? (membersOf(raw).find((m) => m.key === key)?.value ?? "") : "",
    text.slice(text.indexOf("{")),
  );
}

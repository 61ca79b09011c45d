import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Diagnostic } from "../model.ts";
import { type Bundle, bundle } from "./bundle.ts";
import type { Place } from "./draft.ts";
import { fileText } from "./file-text.ts";
import { LOOK } from "./look.ts";

/** What is known about one module after it was bundled and looked into. */
export interface ModuleInfo {
  readonly bundle: Bundle | undefined;
  /** What the default export says, without its functions. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Fills `place.modules` for those files that are not in it yet. */
export async function inspectModules(files: readonly string[], place: Place): Promise<void> {
  const missing = [...new Set(files)].filter((file) => !place.modules.has(file));
  const bundled = await Promise.all(missing.map((file) => bundle(file, place)));
  const good: { file: string; bundle: Bundle }[] = [];
  for (const [i, result] of bundled.entries()) {
    const file = missing[i]!;
    if ("code" in result) good.push({ file, bundle: result });
    else place.modules.set(file, { bundle: undefined, meta: undefined, ...result });
  }
  const look: Inspect = place.inspect ?? ((codes) => readMetas(codes, place.nodePath));
  const answers = await look(good.map((one) => one.bundle.code));
  for (const [i, one] of good.entries()) place.modules.set(one.file, infoOf(one, answers[i]!));
}

/** What a loaded bundle says about its hook, or why it could not be asked. */
export type Answer =
  | { readonly meta: Record<string, unknown> }
  /** `line` of the bundle, where it is known. */
  | { readonly problem: string; readonly line?: number };

/** One answer per bundle, in order. */
export type Inspect = (codes: readonly string[]) => Promise<readonly Answer[]>;

function infoOf({ file, bundle }: { file: string; bundle: Bundle }, answer: Answer): ModuleInfo {
  if ("meta" in answer) return { bundle, meta: answer.meta, diagnostics: [] };
  const hint = HINTS.find(([words]) => words.test(answer.problem))![1];
  const message = answer.problem;
  const problem: Diagnostic = {
    file,
    line: lineIn(file, bundle, answer.line),
    severity: "error",
    code: "bad-module",
    message,
    hint,
    hook: "",
  };
  return { bundle, meta: undefined, diagnostics: [problem] };
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /has been restricted/,
    "reading a definition must have no effects: move file access and child processes into run()",
  ],
  [/when loaded|finish loading/, "what it does belongs into run(event): loading it is no event"],
  [/(?:)/, "export default defineHook({ name, event, run(event) { … } })"],
];

/** The line of the source that reads like this one of the bundle; 1 when none does, or several. */
function lineIn(file: string, { code }: Bundle, at: number | undefined): number {
  const plain = (line: string): string => line.replace(/[\s;"'`]/g, "");
  const wanted = plain(code.split("\n")[(at ?? 0) - 1] ?? "");
  const lines = sourceOf(file).split("\n").map(plain);
  const first = wanted === "" ? -1 : lines.indexOf(wanted);
  return first >= 0 && first === lines.lastIndexOf(wanted) ? first + 1 : 1;
}

/** It may have gone since it was bundled. */
function sourceOf(file: string): string {
  try {
    return fileText(file);
  } catch {
    return "";
  }
}

const CHILD_MS = 10_000;
/** For all of them: an event waits for the compile, and its harness not for ever. */
const ALL_MS = 15_000;

/**
 * The metadata is data inside code, so the code must be loaded: in a child, which may read
 * nothing but the bundles and start nothing, because the project may not be trusted yet.
 */
async function readMetas(codes: readonly string[], nodePath: string): Promise<Answer[]> {
  if (codes.length === 0) return [];
  const dir = await realpath(await mkdtemp(join(tmpdir(), "anyhook-inspect-")));
  try {
    const files = codes.map((_, i) => join(dir, `${i}.mjs`));
    await Promise.all(files.map((file, i) => writeFile(file, codes[i]!)));
    const answers: Answer[] = [];
    // A module that hangs or exits takes the child with it; the next child goes on behind it.
    const until = Date.now() + ALL_MS;
    while (answers.length < files.length) {
      const patience = Math.min(CHILD_MS, until - Date.now());
      if (patience <= 0) return [...answers, ...files.slice(answers.length).map(() => TOO_LATE)];
      const { got, ending } = await runChild(files.slice(answers.length), dir, nodePath, patience);
      answers.push(...got);
      if (answers.length < files.length) answers.push({ problem: ending });
    }
    return answers;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const TOO_LATE: Answer = { problem: "other modules took all the time there is for loading" };

const RUNNER = `
import { pathToFileURL } from "node:url";
const [mark, ...files] = process.argv.slice(1);
${LOOK}
for (const file of files) {
  const answer = await look(pathToFileURL(file).href).catch((error) => ({
    problem: "it throws when loaded: " + (error?.message ?? error),
    line: Number(/\\d+\\.mjs:(\\d+):/.exec(String(error?.stack))?.[1] ?? 0),
  }));
  process.stdout.write("\\n" + mark + JSON.stringify(answer) + "\\n");
}
process.exit(0);
`;

interface ChildAnswer {
  readonly got: readonly Answer[];
  /** Why there is no answer for the file after the last one. */
  readonly ending: string;
}

async function runChild(
  files: readonly string[],
  dir: string,
  nodePath: string,
  patience: number,
): Promise<ChildAnswer> {
  const mark = randomBytes(16).toString("hex");
  const args = [...sandbox(dir), "--input-type=module", "-e", RUNNER, mark, ...files];
  const options = {
    timeout: patience,
    killSignal: "SIGKILL",
    maxBuffer: 64 << 20,
    env: {},
  } as const;
  let stdout: string;
  let ending = "it ends the process when loaded";
  try {
    ({ stdout } = await promisify(execFile)(nodePath, args, options));
  } catch (cause) {
    const failure = cause as { stdout?: string; killed?: boolean; code?: unknown };
    if (failure.code === "ENOENT") throw cause;
    stdout = failure.stdout ?? "";
    if (failure.killed)
      ending = `it did not finish loading within ${Math.round(patience / 1000)} s`;
  }
  const lines = stdout.split("\n").filter((line) => line.startsWith(mark));
  return { got: lines.map((line) => answerIn(line.slice(mark.length))), ending };
}

/** A module can write what it likes, our mark included. */
function answerIn(text: string): Answer {
  try {
    const answer = JSON.parse(text) as Answer;
    if (typeof answer === "object" && answer !== null) return answer;
  } catch {}
  return { problem: "it writes over what is said about it" };
}

/** Node's permission model; its flag lost the prefix in Node 23.5. */
function sandbox(dir: string): string[] {
  const flag = ["--permission", "--experimental-permission"].find((name) =>
    process.allowedNodeEnvironmentFlags.has(name),
  );
  return flag ? [flag, `--allow-fs-read=${dir}/`, "--no-warnings"] : [];
}

import type { ChildProcess } from "node:child_process";
import { ABORTED, type Run } from "./_verdict.ts";

/** Bytes of an output; what comes after is dropped. */
export const KEPT = 1_048_576;
const FLOOD = 64 * 1_048_576;
const GRACE = 200;
/** How long a finished hook's pipes may stay open in somebody else's hands. */
const DRAIN = 50;

export interface Job {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: Buffer;
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs one program in its own process group, bounded in time and output. Never throws. */
export function runProcess(job: Job): Promise<Run> {
  return start(job).catch((error: unknown) => ({
    ...endOf(null, null, String(error), ""),
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    ms: 0,
  }));
}

function start(job: Job): Promise<Run> {
  const began = performance.now();
  const [file, ...args] = job.argv;
  // Loaded when needed: an event with modules only does not pay for it.
  const { spawn } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    const child = spawn(file!, args, { cwd: job.cwd, env: job.env, detached: true, stdio: "pipe" });
    const out = collect(child.stdout, () => end("printed more than 64 MB"));
    const err = collect(child.stderr, () => end("printed more than 64 MB"));
    let late = "";
    let settled = false;
    const timer = setTimeout(() => end(`no answer within ${job.timeout} ms`), job.timeout);
    const abort = (): void => end(ABORTED);
    job.signal?.addEventListener("abort", abort);
    // A hook that does not read its input is no failure.
    child.stdin.on("error", () => {});
    child.stdin.end(job.input);
    child.on("error", (error) => finish(null, null, error.message));
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      const drained = setTimeout(() => finish(code, signal, ""), DRAIN);
      child.on("close", () => {
        clearTimeout(drained);
        finish(code, signal, "");
      });
    });

    function end(why: string): void {
      if (late !== "") return;
      late = why;
      signalGroup(child, "SIGTERM");
      setTimeout(() => signalGroup(child, "SIGKILL"), GRACE);
    }

    function finish(code: number | null, signal: NodeJS.Signals | null, error: string): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      job.signal?.removeEventListener("abort", abort);
      child.stdout.destroy();
      child.stderr.destroy();
      if (late !== "") signalGroup(child, "SIGKILL");
      resolve({
        ...endOf(code, signal, error, late),
        stdout: Buffer.concat(out),
        stderr: Buffer.concat(err),
        ms: Math.round(performance.now() - began),
      });
    }
  });
}

function endOf(
  code: number | null,
  signal: NodeJS.Signals | null,
  error: string,
  late: string,
): Pick<Run, "status" | "exit" | "detail"> {
  if (late !== "") return { status: "timeout", exit: null, detail: late };
  if (error !== "") return { status: "failed", exit: null, detail: error };
  if (signal !== null || code === null)
    return { status: "failed", exit: null, detail: `killed by signal ${signalNumber(signal)}` };
  if (code > 128) return { status: "failed", exit: null, detail: `killed by signal ${code - 128}` };
  if (code === 126)
    return { status: "failed", exit: code, detail: "exit 126: something in it is not executable" };
  if (code === 127)
    return { status: "failed", exit: code, detail: "exit 127: a command in it was not found" };
  return { status: "ok", exit: code, detail: "" };
}

const NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

const signalNumber = (signal: NodeJS.Signals | null): string =>
  String((signal && NUMBERS[signal]) ?? signal);

function collect(stream: NodeJS.ReadableStream, flooded: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let seen = 0;
  stream.on("error", () => {});
  stream.on("data", (chunk: Buffer) => {
    if (seen < KEPT) chunks.push(chunk.subarray(0, KEPT - seen));
    seen += chunk.length;
    if (seen > FLOOD) flooded();
  });
  return chunks;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone: nothing to end.
  }
}

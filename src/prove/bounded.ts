import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { leaving } from "./leaving.ts";

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** null: it had to be ended. */
  readonly status: number | null;
  readonly ms: number;
}

export interface Bounds {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds after which the whole process group is ended. */
  readonly limit: number;
}

/** A program that is gone, with all that it started in its group, when this returns. */
export async function bounded(
  [program, ...args]: readonly string[],
  { cwd, env, limit }: Bounds,
): Promise<Ended> {
  const began = performance.now();
  const child = spawn(program!, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const group = (): void => end(-(child.pid ?? 0));
  const stay = leaving(group, child.pid === undefined ? "" : `group ${child.pid}`);
  const [stdout, stderr] = [heard(child.stdout), heard(child.stderr)];
  const timer = setTimeout(group, limit);
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      group();
      resolve(code);
    });
  });
  const status = await exit.finally(() => {
    clearTimeout(timer);
    stay();
  });
  const ms = Math.round(performance.now() - began);
  return { stdout: await stdout(), stderr: await stderr(), status, ms };
}

/** More than any session says; what comes after it is read and thrown away. */
const KEPT = 8_000_000;
/** Whoever left the group may hold the pipe open for ever. */
const LAST_WORDS = 1000;

function heard(stream: Readable): () => Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    if (size < KEPT) chunks.push(chunk);
    size += chunk.length;
  });
  const closed = new Promise<void>((resolve) => void stream.once("close", resolve));
  return async () => {
    const patience = new AbortController();
    const { signal } = patience;
    await Promise.race([closed, sleep(LAST_WORDS, undefined, { signal }).catch(() => undefined)]);
    patience.abort();
    stream.destroy();
    return Buffer.concat(chunks).toString("utf8").slice(0, KEPT);
  };
}

function end(pid: number): void {
  if (pid === 0) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/**
 * Ends what left the group but still has `home` as its HOME, and says what that was. A moment is
 * allowed: the dispatcher's watchdog looks up ten times a second. Known only where there is /proc.
 */
export async function endLeftovers(home: string): Promise<string[]> {
  for (let tries = 0; tries < 40 && leftoversOf(home).length > 0; tries++) await sleep(50);
  return leftoversOf(home).map(({ pid, command }) => {
    end(pid);
    return command;
  });
}

function leftoversOf(home: string): { pid: number; command: string }[] {
  return attempt(() => readdirSync("/proc"), [])
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => about(pid, "environ").includes(`HOME=${home}`))
    .map((pid) => ({ pid: Number(pid), command: about(pid, "cmdline").join(" ") }))
    .filter(({ command }) => command !== "");
}

const about = (pid: string, file: string): string[] =>
  attempt(() => readFileSync(`/proc/${pid}/${file}`, "utf8"), "").split("\0");

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
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
  const stay = leaving(group);
  const timer = setTimeout(group, limit);
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      group();
      resolve(code);
    });
  });
  const all = Promise.all([exit, text(child.stdout), text(child.stderr)]);
  const [status, stdout, stderr] = await all.finally(() => {
    clearTimeout(timer);
    stay();
  });
  return { stdout, stderr, status, ms: Math.round(performance.now() - began) };
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

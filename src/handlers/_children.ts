import { readdirSync, readFileSync } from "node:fs";

interface Child {
  readonly pid: number;
  readonly parent: number;
  /** Seconds after the machine's start. */
  readonly start: number;
}

/**
 * Ends what this process has started in the last so many milliseconds, with all below it: a module
 * past its timeout leaves no program behind. Only Linux tells; elsewhere they stay.
 */
export function endChildren(within: number): void {
  // Asked first: on a busy machine it takes a while to look at all processes.
  const young = uptime() - within / 1000 - TICK;
  // Stopped, they start nothing more that would be missed.
  for (const signal of ["SIGSTOP", "SIGKILL"] as const)
    for (const pid of startedSince(young)) send(pid, signal);
}

function startedSince(young: number): number[] {
  const all = processes();
  const own = all.filter(({ parent, start }) => parent === process.pid && start >= young);
  return own.flatMap((child) => withAllBelow(child, all)).map(({ pid }) => pid);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Linux counts a process's start in hundredths, whatever its own clock does (proc(5)). */
const TICK = 0.01;

function processes(): Child[] {
  const names = listed().filter((name) => /^\d+$/.test(name));
  return names.flatMap((name) => {
    // A program's name may hold anything, brackets included: what counts stands behind it.
    const fields = read(`/proc/${name}/stat`).split(") ").pop()!.split(" ");
    const [parent, start] = [Number(fields[1]), Number(fields[19]) * TICK];
    return Number.isNaN(start) ? [] : [{ pid: Number(name), parent, start }];
  });
}

const withAllBelow = (child: Child, all: readonly Child[]): Child[] => [
  child,
  ...all.filter(({ parent }) => parent === child.pid).flatMap((one) => withAllBelow(one, all)),
];

const uptime = (): number => Number(read("/proc/uptime").split(" ")[0] || Infinity);

function listed(): string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

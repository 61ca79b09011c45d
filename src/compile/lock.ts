import {
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/**
 * The same lock as in shell/gate.sh: numbered links that name their holder, the highest counts,
 * taking over from a dead holder is making the next number. A live holder is never robbed.
 */
export interface Lock {
  release(): void;
}

/** undefined while somebody else, alive, holds it; throws where nothing can be written. */
export function tryLock(slot: string): Lock | undefined {
  const top = highest(slot);
  if (top > 0 && !isDone(slot, top) && isAlive(holder(slot, top))) return undefined;
  const mine = top + 1;
  try {
    symlinkSync(`${process.pid}-${startOf(process.pid)}`, join(slot, `lock.${mine}`));
  } catch (error) {
    // A lock that cannot be made at all is not somebody else's: waiting would not help.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      throw Object.assign(error as Error, { path: slot });
    return undefined;
  }
  if (highest(slot) !== mine) {
    rmSync(join(slot, `lock.${mine}`), { force: true });
    return undefined;
  }
  sweep(slot, mine);
  return { release: () => writeFileSync(join(slot, `lock.${mine}.done`), "") };
}

export async function takeLock(slot: string, patience = 30_000): Promise<Lock | undefined> {
  for (const until = Date.now() + patience; Date.now() < until;) {
    const lock = tryLock(slot);
    if (lock) return lock;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return undefined;
}

const numbers = (slot: string): number[] =>
  readdirSync(slot).flatMap((name) => (/^lock\.\d+$/.test(name) ? [Number(name.slice(5))] : []));

const highest = (slot: string): number => Math.max(0, ...numbers(slot));

const isDone = (slot: string, n: number): boolean => readdirSync(slot).includes(`lock.${n}.done`);

function holder(slot: string, n: number): string {
  try {
    return readlinkSync(join(slot, `lock.${n}`));
  } catch {
    return "";
  }
}

function isAlive(name: string): boolean {
  const [pid, started] = name.split("-");
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startOf(Number(pid));
  return now !== DEAD && (!started || now === started);
}

/** A zombie still answers to its pid. */
const DEAD = "dead";

/** When the process started, where the system tells: a reused pid is not the holder. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? DEAD : (fields[19] ?? "");
  } catch {
    return "";
  }
}

function sweep(slot: string, mine: number): void {
  for (const name of readdirSync(slot)) {
    const n = /^lock\.(\d+)(\.done)?$/.exec(name)?.[1];
    if (n !== undefined && Number(n) < mine) rmSync(join(slot, name), { force: true });
  }
}

import {
  chownSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Refusal } from "./refusal.ts";
import { removeEmpty } from "./shim.ts";
import { siblingOf } from "./target.ts";

/** One file before and after. `undefined` = it is not there. */
export interface Change {
  readonly file: string;
  readonly real: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  /** Of a file that is new; otherwise the file's own stays. */
  readonly mode?: number;
}

/** All or nothing: a sibling is written, flushed and renamed. */
export function replaceFile(change: Change): void {
  const { real, after, mode = 0o666 } = change;
  refuseChanged(change);
  sweepSiblings(real);
  if (after === undefined) return rmSync(real, { force: true });
  mkdirSync(dirname(real), { recursive: true });
  const stat = statSync(real, { throwIfNoEntry: false });
  // A second name for the same file would be left behind by a rename.
  if (stat && stat.nlink > 1) writeFileSync(real, after);
  else renamed(change, after, stat, mode);
}

function refuseChanged({ file, real, before }: Change): void {
  const now = existsSync(real) ? readFileSync(real) : undefined;
  if (same(now, before)) return;
  throw new Refusal(file, "it was changed by somebody else at this very moment", {
    hint: "nothing was written; try again",
  });
}

/** Of installers that were killed. */
function sweepSiblings(real: string): void {
  const [head = "", tail = ""] = basename(siblingOf(real, "\0")).split("\0");
  for (const name of existsSync(dirname(real)) ? readdirSync(dirname(real)) : []) {
    const pid = Number(name.slice(head.length, -tail.length));
    if (name.startsWith(head) && name.endsWith(tail) && pid > 0 && !isAlive(pid))
      rmSync(join(dirname(real), name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export const same = (a: Buffer | undefined, b: Buffer | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.equals(b);

function renamed(
  change: Change,
  bytes: Buffer,
  stat: { mode: number; uid: number; gid: number } | undefined,
  mode: number,
): void {
  const fresh = siblingOf(change.real, process.pid);
  try {
    const handle = openSync(fresh, "wx", mode);
    try {
      writeFileSync(handle, bytes);
      if (stat) fchmodSync(handle, stat.mode & 0o7777);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (stat && process.getuid?.() === 0) chownSync(fresh, stat.uid, stat.gid);
    // To write and to flush takes a while.
    refuseChanged(change);
    renameSync(fresh, change.real);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Outermost first. */
export function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

/** Folders that we had made, innermost first, as far as they are empty. */
export function removeFolders(made: readonly string[]): void {
  for (const folder of made.toSorted((a, b) => b.length - a.length)) removeEmpty(folder);
}

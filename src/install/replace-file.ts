import {
  chownSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
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

/** All or nothing: a sibling is written, flushed and renamed. Returns the folders it had to make. */
export function replaceFile({ file, real, before, after, mode = 0o666 }: Change): string[] {
  const now = existsSync(real) ? readFileSync(real) : undefined;
  if (!same(now, before))
    throw new Refusal(file, "it was changed by somebody else at this very moment", {
      hint: "nothing was written; try again",
    });
  if (after === undefined) {
    rmSync(real, { force: true });
    return [];
  }
  const made = missingFolders(dirname(real));
  mkdirSync(dirname(real), { recursive: true });
  const stat = statSync(real, { throwIfNoEntry: false });
  // A second name for the same file would be left behind by a rename.
  if (stat && stat.nlink > 1) writeFileSync(real, after);
  else renamed(real, after, stat, mode);
  return made;
}

export const same = (a: Buffer | undefined, b: Buffer | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.equals(b);

function renamed(
  real: string,
  bytes: Buffer,
  stat: { mode: number; uid: number; gid: number } | undefined,
  mode: number,
): void {
  const fresh = siblingOf(real, process.pid);
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
    renameSync(fresh, real);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Outermost first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

/** Folders that we had made, innermost first, as far as they are empty. */
export function removeFolders(made: readonly string[]): void {
  for (const folder of made.toSorted((a, b) => b.length - a.length)) removeEmpty(folder);
}

import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileTextLater } from "../compile/file-text.ts";

/** What one look at a file told. */
export interface Seen {
  /** Device, inode, size, modification and change time; "" when there is no file. */
  readonly key: string;
  readonly inode: string;
  /** Milliseconds since the kernel last noted a change. */
  readonly age: number;
  readonly text: string;
  /** Why it could not be read; "" when it could. */
  readonly problem: string;
  /** What to do about it, where that is known. */
  readonly hint?: string | undefined;
}

export const ABSENT: Seen = { key: "", inode: "", age: Infinity, text: "", problem: "" };

/**
 * A change sets the change time (ctime), and no program can set it back; a replaced file has
 * another inode. So an equal key means equal content, unless two changes fell into one tick of the
 * clock. A file that was changed this recently is therefore compared by content until its last
 * change is older than any clock's tick: FAT counts in two seconds.
 */
const TICK = 2100;

/** A file that is being written in place is given this long to become whole. */
const WRITING = 25;
const TRIES = 8;

/** The file as it is now; `before` itself when one stat shows that nothing can have changed. */
export async function lookAt(file: string, before: Seen = ABSENT): Promise<Seen> {
  const now = await statOf(file);
  if (now === undefined) return ABSENT;
  if (now.key === before.key && before.age > TICK) return before;
  try {
    return { ...now, text: await fileTextLater(file), problem: "" };
  } catch (error) {
    const { code, message, hint } = error as NodeJS.ErrnoException & { hint?: string };
    // What is too large to be read is known by its times alone.
    return code === "ENOENT" ? ABSENT : { ...now, text: now.key, problem: message, hint };
  }
}

/** The same for a file that counts only when it is whole: undefined while somebody writes it. */
export async function lookAtWhole(file: string, before: Seen): Promise<Seen | undefined> {
  let seen = await lookAt(file, before);
  for (let tries = 1; ; tries++) {
    // Unchanged, gone, or put in place by a rename: nobody writes into it.
    const replaced = before !== ABSENT && seen.inode !== before.inode;
    if (seen === before || seen === ABSENT || seen.text === before.text) return seen;
    if (seen.age > WRITING) return seen;
    if (replaced && (await statOf(file))?.key === seen.key) return seen;
    if (tries === TRIES) return before === ABSENT ? seen : undefined;
    await sleep(WRITING);
    const again = await lookAt(file, before);
    if (again.key === seen.key && again.text === seen.text) return again;
    seen = again;
  }
}

async function statOf(file: string): Promise<Pick<Seen, "key" | "inode" | "age"> | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, mode } = await stat(file, { bigint: true });
    const key = [dev, ino, mode, size, mtimeNs, ctimeNs].join(":");
    return { key, inode: `${dev}:${ino}`, age: Date.now() - Number(ctimeNs / 1_000_000n) };
  } catch {
    return undefined;
  }
}

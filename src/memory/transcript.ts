import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { Fault } from "../fault.ts";
import type { Database } from "./database.ts";
import { nameOf } from "./name-of.ts";

/** How far a transcript was read: it counts only for the file it was made for. */
export interface Cursor {
  readonly inode: string;
  readonly head: string;
  readonly at: number;
}

export interface Chunk {
  readonly lines: readonly string[];
  /** What the reader began with, and where the next one begins. */
  readonly before: Cursor;
  readonly after: Cursor;
  readonly isLast: boolean;
}

export interface Reading {
  readonly chunkBytes?: number;
  /** Nobody will go on writing: the last line counts also without its newline. */
  readonly isFinal?: boolean;
}

const HEAD_BYTES = 256;
const CHUNK_BYTES = 4 * 1_048_576;
const LONGEST_LINE = 64 * 1_048_576;
const NEWLINE = 0x0a;

/** The next part of a file, whole lines only. A file that was rotated or cut is read from its start. */
export function nextChunk(file: string, known: Cursor | undefined, how: Reading = {}): Chunk {
  const fd = openPlain(file);
  try {
    const { size, ino } = fstatSync(fd, { bigint: true });
    const end = Number(size);
    const before = begin(fd, String(ino), end, known);
    const { bytes, used } = wholeLines(fd, before.at, end, how);
    const at = before.at + used;
    return {
      lines: bytes
        .toString("utf8")
        .split("\n")
        .filter((line) => line.trim() !== ""),
      before,
      after: { ...before, at, head: headOf(fd, at) },
      isLast: at >= end || used === 0,
    };
  } finally {
    closeSync(fd);
  }
}

/** A pipe would keep us waiting for somebody who writes into it. */
export function openPlain(file: string): number {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Fault("no-transcript", `${file} is no file`, {
    hint: "the transcript of a session is a file of JSON lines",
  });
}

function begin(fd: number, inode: string, size: number, known: Cursor | undefined): Cursor {
  const isSame =
    known !== undefined &&
    known.inode === inode &&
    known.at <= size &&
    known.head === headOf(fd, known.at);
  return isSame ? known : { inode, head: "", at: 0 };
}

/**
 * Of the two ends of what has been read: what is appended later does not change them, and a file that
 * was written anew has another end even where it begins in the same way.
 */
function headOf(fd: number, read: number): string {
  const bytes = Buffer.alloc(Math.min(HEAD_BYTES, read));
  const hashAt = (from: number): string => {
    readSync(fd, bytes, 0, bytes.length, from);
    return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  };
  return `${hashAt(0)}.${hashAt(read - bytes.length)}`;
}

function wholeLines(fd: number, from: number, end: number, how: Reading) {
  let room = how.chunkBytes ?? CHUNK_BYTES;
  for (;;) {
    const bytes = Buffer.alloc(Math.min(room, end - from));
    const got = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
    const isEnd = from + got.length >= end;
    const last = got.lastIndexOf(NEWLINE) + 1;
    if (isEnd && how.isFinal) return { bytes: got, used: got.length };
    if (last > 0) return { bytes: got.subarray(0, last), used: last };
    // The last line is still being written; or it is longer than anything worth reading.
    if (isEnd) return { bytes: Buffer.alloc(0), used: 0 };
    if (room >= LONGEST_LINE) return { bytes: Buffer.alloc(0), used: got.length };
    room *= 4;
  }
}

export function cursorOf(database: Database, file: string): Cursor | undefined {
  const row = database.get("SELECT inode, head, at FROM cursors WHERE file = ?", nameOf(file));
  return row && { inode: String(row["inode"]), head: String(row["head"]), at: Number(row["at"]) };
}

const sameStart = (a: Cursor, b: Cursor): boolean => a.head.split(".")[0] === b.head.split(".")[0];

/** Inside a write: false when somebody else has read this part in the meantime. */
export function moveCursor(database: Database, file: string, { before, after }: Chunk): boolean {
  const now = cursorOf(database, file);
  const isFresh = before.at === 0 && before.head === "";
  if (!isFresh && (now?.at !== before.at || now.inode !== before.inode)) return false;
  if (isFresh && now?.inode === after.inode && now.at >= after.at && sameStart(now, after))
    return false;
  database.run(
    "INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?)",
    ...[nameOf(file), after.inode, after.head, after.at],
  );
  return true;
}

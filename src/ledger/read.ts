import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { type LedgerEntry, parseEntry } from "./entry.ts";

/** Lines that could not be read: skipped, never fatal. */
export interface Tally {
  damaged: number;
}

/** Where each file ends for this reader: what is appended later is not seen. */
export type Ends = ReadonlyMap<string, number>;

/** All entries, newest first, one block in memory at a time. */
export function* readLedger(
  folder: string,
  tally: Tally = { damaged: 0 },
  ends?: Ends,
): Generator<LedgerEntry> {
  for (const file of segments(folder).toReversed()) {
    for (const line of linesBackward(join(folder, file), ends ? (ends.get(file) ?? 0) : Infinity)) {
      const entry = parseEntry(line);
      if (entry) yield entry;
      else tally.damaged++;
    }
  }
}

/** The ledger's files, oldest first; a folder that is not there has none. */
export function segments(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name))
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

const BLOCK = 65_536;
const NEWLINE = 0x0a;

/** A newline byte is never part of another character in UTF-8, so blocks may be cut there. */
function* linesBackward(file: string, end: number): Generator<string> {
  const fd = open(file);
  if (fd === undefined) return;
  try {
    let at = Math.min(end, fstatSync(fd).size);
    let rest: Buffer = Buffer.alloc(0);
    while (at > 0) {
      const size = Math.min(BLOCK, at);
      at -= size;
      const block = Buffer.alloc(size);
      readSync(fd, block, 0, size, at);
      const bytes = Buffer.concat([block, rest]);
      const first = at === 0 ? -1 : bytes.indexOf(NEWLINE);
      if (first < 0 && at > 0) {
        rest = bytes;
        continue;
      }
      yield* linesOf(bytes.subarray(first + 1));
      rest = bytes.subarray(0, Math.max(first, 0));
    }
  } finally {
    closeSync(fd);
  }
}

const linesOf = (bytes: Buffer): string[] =>
  bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .toReversed();

/** A file may be rotated away between the listing and the reading. */
function open(file: string): number | undefined {
  try {
    return openSync(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

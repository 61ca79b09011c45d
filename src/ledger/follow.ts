import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { type LedgerEntry, parseEntry } from "./entry.ts";
import { segments, type Ends, type Tally } from "./read.ts";

export interface Following {
  /** Where the files ended when the following began. */
  readonly ends: Ends;
  /** What was appended since the last call, in the order of writing. */
  readonly poll: () => LedgerEntry[];
}

interface Place {
  offset: number;
  rest: Buffer;
}

/** Follows the ledger over midnight: yesterday's file may still grow while today's begins. */
export function follow(folder: string, tally: Tally = { damaged: 0 }): Following {
  const places = new Map<string, Place>();
  for (const file of segments(folder))
    places.set(file, { offset: sizeOf(join(folder, file)), rest: Buffer.alloc(0) });
  const ends = new Map([...places].map(([file, { offset }]) => [file, offset] as const));
  const poll = (): LedgerEntry[] =>
    segments(folder)
      .slice(-2)
      .flatMap((file) => {
        const place = places.get(file) ?? { offset: 0, rest: Buffer.alloc(0) };
        places.set(file, place);
        return grown(join(folder, file), place, tally);
      });
  return { ends, poll };
}

function grown(file: string, place: Place, tally: Tally): LedgerEntry[] {
  const size = sizeOf(file);
  // Shorter than before: somebody replaced it, so it is read from its beginning.
  if (size < place.offset) Object.assign(place, { offset: 0, rest: Buffer.alloc(0) });
  if (size === place.offset) return [];
  const bytes = Buffer.concat([place.rest, readFrom(file, place.offset, size)]);
  const last = bytes.lastIndexOf(0x0a);
  Object.assign(place, { offset: size, rest: bytes.subarray(last + 1) });
  const lines = bytes
    .subarray(0, last + 1)
    .toString("utf8")
    .split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .flatMap((line) => {
      const entry = parseEntry(line);
      if (!entry) tally.damaged++;
      return entry ? [entry] : [];
    });
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function readFrom(file: string, from: number, to: number): Buffer {
  const fd = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
  } finally {
    closeSync(fd);
  }
}

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { parseObject } from "../dispatch/occurrence.ts";
import type { Item } from "./_memory.ts";
import type { Database } from "./database.ts";

/**
 * Everything that was accepted, once more as lines of text beside the database: should the database
 * be damaged, emptied or set back, nothing that a person wanted kept is lost. Written inside the
 * database's write transaction, so that writers never meet.
 */
export const journalOf = (database: string): string => database.replace(/\.db$/, ".accepted.jsonl");

export function noteAccepted(database: Database, items: readonly Item[]): void {
  if (items.length === 0) return;
  writeThrough(journalOf(database.file), "a+", linesFor(items));
  noteStep(database);
}

/** What was accepted, in order; a line that was torn by a full disk is skipped. */
export function readAccepted(database: string): Item[] {
  const file = journalOf(database);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .map((line) => parseObject(line))
    .filter((one) => one["v"] === 1 && typeof one["text"] === "string")
    .map(({ v: _, ...item }) => item as unknown as Item);
}

/** The journal again without some of its lines. */
export function dropAccepted(database: Database, isGone: (item: Item) => boolean): void {
  if (!existsSync(journalOf(database.file))) return;
  writeAccepted(
    database,
    readAccepted(database.file).filter((item) => !isGone(item)),
  );
}

/** The whole journal anew: published by rename. */
export function writeAccepted(database: Database, items: readonly Item[]): void {
  const file = journalOf(database.file);
  const fresh = `${file}.${process.pid}`;
  writeThrough(fresh, "w", linesFor(items));
  renameSync(fresh, file);
  noteStep(database);
}

/** The database says how long the journal is: when it is not, one of the two has lost something. */
export function isInStep(database: Database): boolean {
  const noted = database.get("SELECT value FROM facts WHERE name = 'journal'")?.["value"];
  return Number(noted ?? 0) === sizeOf(database);
}

function noteStep(database: Database): void {
  const size = String(sizeOf(database));
  database.run("INSERT OR REPLACE INTO facts VALUES ('journal', ?)", size);
}

const sizeOf = ({ file }: Database): number =>
  statSync(journalOf(file), { throwIfNoEntry: false })?.size ?? 0;

const linesFor = (items: readonly Item[]): string =>
  items.map((item) => `${JSON.stringify({ v: 1, ...item })}\n`).join("");

function writeThrough(file: string, flags: "a+" | "w", text: string): void {
  const fd = openSync(file, flags, 0o600);
  try {
    // A line that was torn before must not take this one with it.
    writeSync(fd, flags === "a+" && isTorn(fd) ? `\n${text}` : text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function isTorn(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs";
import { parseObject } from "../dispatch/occurrence.ts";
import type { Item } from "./_memory.ts";

/**
 * Everything that was accepted, once more as lines of text beside the database: should the database
 * be damaged, nothing that a person wanted kept is lost. Written inside the database's write
 * transaction, so that writers never meet.
 */
const fileOf = (database: string): string => database.replace(/\.db$/, ".accepted.jsonl");

export function noteAccepted(database: string, items: readonly Item[]): void {
  if (items.length === 0) return;
  const lines = items.map((item) => `${JSON.stringify({ v: 1, ...item })}\n`).join("");
  writeThrough(fileOf(database), "a+", lines);
}

/** What was accepted, in order; a line that was torn by a full disk is skipped. */
export function readAccepted(database: string): Item[] {
  const file = fileOf(database);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .map((line) => parseObject(line))
    .filter((one) => one["v"] === 1 && typeof one["text"] === "string")
    .map(({ v: _, ...item }) => item as unknown as Item);
}

/** The journal again without some of its lines: published by rename. */
export function dropAccepted(database: string, isGone: (item: Item) => boolean): void {
  const file = fileOf(database);
  if (!existsSync(file)) return;
  const kept = readAccepted(database).filter((item) => !isGone(item));
  const fresh = `${file}.${process.pid}`;
  writeThrough(fresh, "w", kept.map((item) => `${JSON.stringify({ v: 1, ...item })}\n`).join(""));
  renameSync(fresh, file);
}

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

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Scope } from "../adapters/_settings.ts";
import type { Came } from "./editor.ts";
import { recordOf, type Site } from "./site.ts";

/** What an install did, so that it can be undone. */
export interface InstallRecord {
  readonly harness: string;
  readonly scope: Scope;
  /** The project, for the scopes that belong to one. */
  readonly root: string;
  readonly version: string;
  readonly package: string;
  readonly node: string;
  /** Native events beyond the canonical ones that were wired because a hook names them. */
  readonly observed: readonly string[];
  readonly commands: readonly string[];
  readonly files: readonly FileRecord[];
}

export interface FileRecord {
  readonly file: string;
  readonly part: "settings" | "trust" | "own";
  /** SHA-256 of the file as it was; empty when it was not there, UNKNOWN when nobody saw it. */
  readonly before: string;
  readonly after: string;
  /** A copy of what it was, in the store. */
  readonly backup: string;
  /** Folders that had to be made, outermost first. */
  readonly folders: readonly string[];
  /** Containers that came with us; of trust, the keys of what we wrote. */
  readonly came: Came;
}

/** Entries that were there when a record was lost. */
export const UNKNOWN = "unknown";

/** undefined when nobody knows what came with our entries. */
export const cameWith = (known: FileRecord | undefined): Came | undefined =>
  known && known.before !== UNKNOWN ? known.came : undefined;

export function readRecord(site: Site, harness: string, scope: Scope): InstallRecord | undefined {
  return readRecordAt(recordOf(site, harness, scope));
}

/** A record that cannot be read is a lost one: our entries are still known by their form. */
export function readRecordAt(path: string): InstallRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as InstallRecord;
    return Array.isArray(record.files) && Array.isArray(record.commands) ? record : undefined;
  } catch {
    return undefined;
  }
}

export function writeRecord(site: Site, record: InstallRecord): void {
  const path = recordOf(site, record.harness, record.scope);
  const text = `${JSON.stringify(record, undefined, 2)}\n`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.${process.pid}`, text, { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
  // dispatch.sh leaves its marks there, and makes no folders for that.
  mkdirSync(join(site.store, "liveness"), { recursive: true, mode: 0o700 });
}

export function removeRecord(site: Site, harness: string, scope: Scope): void {
  rmSync(recordOf(site, harness, scope), { force: true });
}

export const hashOf = (bytes: Buffer | undefined): string =>
  bytes === undefined ? "" : createHash("sha256").update(bytes).digest("hex");

const KEPT = 20;

/** Copies are kept by content; the oldest beyond a number go, unless a record still names them. */
export function backUp(site: Site, file: string, bytes: Buffer): string {
  const folder = join(site.store, "backups");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `${new Date().toISOString().replaceAll(":", "")}-${hashOf(bytes).slice(0, 12)}-${basename(file)}`;
  const path = join(folder, name);
  writeFileSync(path, bytes, { mode: 0o600 });
  const named = new Set(allRecords(site).flatMap(({ files }) => files.map(({ backup }) => backup)));
  const names = readdirSync(folder).toSorted();
  for (const old of names.slice(0, Math.max(0, names.length - KEPT)))
    if (!named.has(join(folder, old))) rmSync(join(folder, old), { force: true });
  return path;
}

export function backedUp({ backup, before }: FileRecord): Buffer | undefined {
  try {
    const bytes = readFileSync(backup);
    return hashOf(bytes) === before ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Of every scope and project. */
export function allRecords(site: Site): InstallRecord[] {
  try {
    return readdirSync(join(site.store, "installed"), {
      recursive: true,
      encoding: "utf8",
    }).flatMap((name) => readRecordAt(join(site.store, "installed", name)) ?? []);
  } catch {
    return [];
  }
}

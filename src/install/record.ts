import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
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

export const readRecord = (site: Site, harness: string, scope: Scope): InstallRecord | undefined =>
  inForce(recordOf(site, harness, scope));

/**
 * What somebody was about to write, or to take out, when he was killed. It counts as long as one of
 * its files is as it was to become; the dispatcher does not look at it, so that an entry of a project
 * never steps aside for one that may not be there.
 */
const meantAt = (path: string): string => `${path}.meant`;

function inForce(path: string): InstallRecord | undefined {
  const meant = readRecordAt(meantAt(path));
  const isDone = meant?.files.some(({ file, after }) => hashOf(bytesAt(file)) === after) ?? false;
  return isDone ? meant : readRecordAt(path);
}

export function bytesAt(file: string): Buffer | undefined {
  try {
    return statSync(file).isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
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
  write(path, record);
  rmSync(meantAt(path), { force: true });
  // dispatch.sh leaves its marks there, and makes no folders for that.
  mkdirSync(join(site.store, "liveness"), { recursive: true, mode: 0o700 });
}

/** Whether the record is where the dispatcher looks for it, and nothing is pending. */
export const isSettled = (site: Site, harness: string, scope: Scope): boolean => {
  const path = recordOf(site, harness, scope);
  return existsSync(path) && !existsSync(meantAt(path));
};

/** Before the files of an install are written. */
export const meanTo = (site: Site, record: InstallRecord): void =>
  write(meantAt(recordOf(site, record.harness, record.scope)), record);

/** Nothing of it was done. */
export const meanNothing = (site: Site, harness: string, scope: Scope): void =>
  rmSync(meantAt(recordOf(site, harness, scope)), { force: true });

/** Before the files of an uninstall are written: from here on nobody counts on the entries. */
export function withdraw(site: Site, record: InstallRecord): void {
  meanTo(site, record);
  rmSync(recordOf(site, record.harness, record.scope), { force: true });
}

export function removeRecord(site: Site, harness: string, scope: Scope): void {
  rmSync(recordOf(site, harness, scope), { force: true });
  meanNothing(site, harness, scope);
}

function write(path: string, record: InstallRecord): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A name that nobody takes for a record.
  const draft = join(dirname(path), `.${process.pid}`);
  writeFileSync(draft, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
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
  const named = new Set([
    ...allRecords(site).flatMap(({ files }) => files.map((one) => one.backup)),
    ...importBackups(site),
  ]);
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
  const folder = join(site.store, "installed");
  const names = namesIn(folder).filter((name) => !basename(name).startsWith("."));
  const paths = new Set(names.map((name) => join(folder, name.replace(/\.meant$/, ""))));
  return [...paths].flatMap((path) => inForce(path) ?? []);
}

/** What imports took hooks out of; imports have records of their own. */
function importBackups(site: Site): string[] {
  const folder = join(site.store, "imported");
  return namesIn(folder).flatMap((name) => {
    const text = bytesAt(join(folder, name))?.toString("utf8") ?? "";
    return [...text.matchAll(/^ *"backup": (".*"),?$/gm)].map(
      ([, path]) => JSON.parse(path!) as string,
    );
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

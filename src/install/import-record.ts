import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Scope } from "../adapters/_settings.ts";
import { encodePath } from "../dispatch/layout.ts";
import { Fault } from "../fault.ts";
import type { Moved } from "./imported.ts";
import type { NativeHook } from "./native-hooks.ts";
import { bytesAt, hashOf } from "./record.ts";
import type { Site } from "./site.ts";

/** What was taken out of whose settings, so that it can be given back. */
export interface ImportRecord {
  readonly moved: readonly Moved[];
  readonly sources: readonly SourceRecord[];
  /** SHA-256 of our file as we wrote it. */
  readonly into: string;
}

export interface SourceRecord {
  readonly file: string;
  readonly harness: string;
  readonly before: string;
  readonly after: string;
  readonly backup: string;
  /** None: the file in which the harness remembers whom it trusts. */
  readonly hooks: readonly NativeHook[];
  /** Hashes of those that it trusted. */
  readonly trusted?: readonly string[];
}

const NOTHING: ImportRecord = { moved: [], sources: [], into: "" };

const pathOf = ({ store, root }: Site, scope: Scope): string =>
  join(store, "imported", scope === "user" ? "user" : `${encodePath(root)}.${scope}`);

/** Without it nobody could give anything back: a record that cannot be read stops us. */
export function importRecord(site: Site, scope: Scope): ImportRecord {
  const path = pathOf(site, scope);
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as ImportRecord;
    if (Array.isArray(record.moved) && Array.isArray(record.sources)) return record;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return NOTHING;
    if (!(error instanceof SyntaxError) && code !== "EISDIR") throw error;
  }
  throw new Fault("damaged-record", `${path} is damaged: nobody knows what was imported`, {
    hint: `the hooks are in imported.json and copies of the settings in ${join(site.store, "backups")}; move ${path} away to go on`,
  });
}

/**
 * What of it still holds. Where a file is as it was before its hooks moved (a kill in between, or
 * somebody put it back), they have not moved.
 */
export function holding(record: ImportRecord): ImportRecord {
  const sources = record.sources.filter(
    ({ file, before, after }) => before === after || hashOf(bytesAt(file)) !== before,
  );
  if (sources.length === record.sources.length) return record;
  const held = new Set(sources.flatMap(({ hooks }) => hooks.map(placeOf)));
  const moved = record.moved
    .map((one) => ({ ...one, origins: one.origins.filter((hook) => held.has(placeOf(hook))) }))
    .filter(({ origins }) => origins.length > 0);
  return { ...record, moved, sources };
}

const placeOf = ({ file, list, entry, index, command }: NativeHook): string =>
  JSON.stringify([file, list, entry, index, command]);

export function writeImport(site: Site, scope: Scope, record: ImportRecord): void {
  const path = pathOf(site, scope);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(record, undefined, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(`${path}.${process.pid}`, path);
}

export const removeImport = (site: Site, scope: Scope): void =>
  rmSync(pathOf(site, scope), { force: true });

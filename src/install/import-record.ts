import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Scope } from "../adapters/_settings.ts";
import { encodePath } from "../dispatch/layout.ts";
import type { Moved } from "./imported.ts";
import type { NativeHook } from "./native-hooks.ts";
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

export function importRecord(site: Site, scope: Scope): ImportRecord {
  try {
    const record = JSON.parse(readFileSync(pathOf(site, scope), "utf8")) as ImportRecord;
    return Array.isArray(record.moved) && Array.isArray(record.sources) ? record : NOTHING;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return NOTHING;
    throw error;
  }
}

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

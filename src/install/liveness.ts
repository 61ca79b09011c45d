import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { readLedger } from "../ledger/read.ts";
import { pathAt, recordOf, type Site } from "./site.ts";

/** A harness that we are connected to had a session and called nothing. */
export interface Silent {
  readonly harness: string;
  readonly title: string;
  /** When that session was last written to. */
  readonly at: Date;
  /** Where the harness keeps it. */
  readonly file: string;
}

/** A session that has just begun may still call us. */
const GRACE = 10_000;

/** What sessions left behind, against what the ledger says: who should have called, and did not? */
export const liveness = (adapters: readonly Adapter[], site: Site, now = Date.now()): Silent[] =>
  adapters.flatMap((adapter) => {
    const since = statSync(recordOf(site, adapter.id, "user"), { throwIfNoEntry: false })?.mtimeMs;
    if (since === undefined) return [];
    const last = newest(adapter, site, since);
    if (!last || now - last.at < GRACE || hasCalled(adapter.id, site, last.born)) return [];
    return [{ harness: adapter.id, title: adapter.title, at: new Date(last.at), file: last.file }];
  });

interface Session {
  readonly file: string;
  readonly born: number;
  readonly at: number;
}

/** The last session that was begun after we were connected: older ones may not know us yet. */
function newest({ presence }: Adapter, site: Site, since: number): Session | undefined {
  const files = (presence.sessions ?? []).flatMap((pattern) => matching(pathAt(pattern, site)));
  return files
    .map((file) => ({ file, stat: statSync(file, { throwIfNoEntry: false }) }))
    .flatMap(({ file, stat }) =>
      stat && stat.birthtimeMs > since ? [{ file, born: stat.birthtimeMs, at: stat.mtimeMs }] : [],
    )
    .toSorted((a, b) => b.at - a.at)[0];
}

/** Files that a path with `*` for whole or parts of names leads to. */
function matching(pattern: string): string[] {
  return pattern
    .split("/")
    .filter((part) => part !== "")
    .reduce(
      (folders, part) => folders.flatMap((folder) => below(folder, part)),
      [pattern.startsWith("/") ? "/" : "."],
    );
}

function below(folder: string, part: string): string[] {
  if (!part.includes("*")) return [join(folder, part)];
  const [before = "", after = ""] = part.split("*");
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(before) && name.endsWith(after))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** In any project: whoever called at all is alive. */
function hasCalled(harness: string, site: Site, since: number): boolean {
  return matching(join(site.store, "projects", "*", "ledger")).some((folder) => {
    for (const entry of readLedger(folder)) {
      if (Date.parse(entry.time) < since - GRACE) return false;
      if (entry.harness === harness) return true;
    }
    return false;
  });
}

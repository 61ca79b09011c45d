import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { pathAt, type Site } from "./site.ts";

/** What one session of a harness left on the machine, whether it called us or not. */
export interface Trace {
  readonly file: string;
  /** Its id, or a text in which the id occurs. */
  readonly id: string;
  readonly born: number;
  /** When it was last written to. */
  readonly at: number;
}

/** Sessions that were begun after `since`, the last one first. */
export async function sessionsOf(
  { presence }: Adapter,
  site: Site,
  since: number,
): Promise<Trace[]> {
  const files = (presence.sessions ?? []).flatMap((pattern) => matching(pathAt(pattern, site)));
  const { sessionTable: table } = presence;
  const rows = table ? await rowsIn(pathAt(table.file, site), table.query, since) : [];
  return [...files.flatMap(traceOf), ...rows]
    .filter(({ born }) => born > since)
    .toSorted((a, b) => b.at - a.at);
}

function traceOf(file: string): Trace[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? [{ file, id: file, born: stat.birthtimeMs, at: stat.mtimeMs }] : [];
}

/** Files that a path with `*` for whole or parts of names leads to. */
export function matching(pattern: string): string[] {
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

/** Only looked at. A harness that keeps its sessions otherwise by now has none that we know of. */
async function rowsIn(file: string, query: string, since: number): Promise<Trace[]> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return [];
  try {
    const { default: Driver } = await import("libsql");
    const database = new Driver(file, { readonly: true, timeout: 1000 });
    try {
      const rows = database.prepare(query).all(since) as Readonly<Record<string, unknown>>[];
      return rows.map(({ id, born, at }) => ({
        ...{ file, id: String(id), born: Number(born), at: Number(at) },
      }));
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}

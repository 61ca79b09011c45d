import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sameAs } from "./browse.ts";
import type { Database, Row } from "./database.ts";
import { dropAccepted, journalOf } from "./journal.ts";
import { COLUMNS, erase, memoryOf } from "./memories.ts";
import { noteScrub, scrub } from "./scrub.ts";

export interface Forgotten {
  /** False while another session reads an older state of the file; its next stop ends it. */
  readonly isScrubbed: boolean;
}

/**
 * Really gone: row, index, evidence, pages made of it, journal, write-ahead log, and buffers that
 * hold its text. What stays is a salted hash, so that reading the same transcript again does not
 * bring it back. Files that were set aside because they were damaged are removed too: nobody can
 * take one line out of them.
 */
export function forget(
  database: Database,
  id: number,
  buffers: readonly string[],
): Forgotten | undefined {
  const row = rowOf(database, id);
  if (!row) return undefined;
  const text = String(row["text"]);
  // First, so that whoever is killed in between still sees it listed, and forgets it again.
  for (const folder of buffers) forgetBuffers(folder, text);
  database.write(() => {
    const pages = database.all("SELECT page FROM members WHERE memory = ?", id);
    const rows = [row, ...pages.map(({ page }) => rowOf(database, Number(page)) ?? row)];
    const gone = rows.map((one) => ({ ...memoryOf(one, ""), uid: String(one["uid"]) }));
    dropAccepted(database, sameAs(database, gone));
    for (const one of gone) erase(database, one.id);
    database.run(
      "INSERT OR REPLACE INTO forgotten VALUES (?, ?)",
      ...[String(row["uid"]), new Date().toISOString()],
    );
    database.run(
      "DELETE FROM signals WHERE (subject <> '' AND instr(?, subject) > 0) OR instr(detail, ?) > 0",
      text,
      text,
    );
    database.run("INSERT INTO words(words) VALUES ('optimize')");
    noteScrub(database);
  });
  const isScrubbed = scrub(database);
  forgetCopies(database.file);
  return { isScrubbed };
}

const rowOf = (database: Database, id: number): Row | undefined =>
  database.get(`SELECT ${COLUMNS}, m.uid FROM memories m WHERE id = ?`, id);

/** Buffers hold JSON, in which a text may be escaped. */
function forgetBuffers(runtime: string, text: string): void {
  const escaped = JSON.stringify(text).slice(1, -1);
  const twice = JSON.stringify(escaped).slice(1, -1);
  for (const file of filesBelow(runtime)) {
    const lines = readFileSync(file, "utf8").split("\n");
    const kept = lines.filter((line) => ![text, escaped, twice].some((one) => line.includes(one)));
    if (kept.length === lines.length) continue;
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, kept.join("\n"), { mode: 0o600 });
    renameSync(fresh, file);
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Damaged ones, and a journal that somebody was killed over before it had its name. */
function forgetCopies(file: string): void {
  const names = [`${basename(file)}.damaged-`, `${basename(journalOf(file))}.`];
  for (const name of readdirSync(dirname(file)))
    if (names.some((one) => name.startsWith(one)))
      rmSync(join(dirname(file), name), { force: true });
}

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Database } from "./database.ts";
import { dropAccepted } from "./journal.ts";
import { erase } from "./memories.ts";

/**
 * Really gone: row, index, evidence, pages made of it, journal, write-ahead log, and buffers that
 * hold its text. What stays is a salted hash, so that reading the same transcript again does not
 * bring it back. Files that were set aside because they were damaged are removed too: nobody can
 * take one line out of them.
 */
export function forget(database: Database, id: number, runtime: string): boolean {
  const row = database.get("SELECT uid, text FROM memories WHERE id = ?", id);
  if (!row) return false;
  const text = String(row["text"]);
  database.write(() => {
    const pages = database.all("SELECT page FROM members WHERE memory = ?", id);
    for (const one of [id, ...pages.map(({ page }) => Number(page))]) erase(database, one);
    database.run(
      "INSERT OR REPLACE INTO forgotten VALUES (?, ?)",
      ...[String(row["uid"]), new Date().toISOString()],
    );
    database.run(
      "DELETE FROM signals WHERE (subject <> '' AND instr(?, subject) > 0) OR instr(detail, ?) > 0",
      text,
      text,
    );
    dropAccepted(database.file, (item) => item.text === text);
    database.run("INSERT INTO words(words) VALUES ('optimize')");
  });
  scrub(database);
  forgetBuffers(runtime, text);
  forgetDamaged(database.file);
  return true;
}

/** VACUUM writes every page anew; the checkpoint empties the log, which still has the old ones. */
function scrub(database: Database): void {
  database.exec("VACUUM");
  database.all("PRAGMA wal_checkpoint(TRUNCATE)");
}

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

function forgetDamaged(file: string): void {
  const mine = `${basename(file)}.damaged-`;
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(mine)) rmSync(join(dirname(file), name), { force: true });
}

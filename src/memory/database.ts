import { closeSync, existsSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import type Libsql from "libsql";
import { Fault } from "../fault.ts";
import { MIGRATIONS } from "./schema.ts";

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** The little of SQLite that we use. */
export interface Database {
  readonly file: string;
  run(sql: string, ...values: Value[]): { changes: number; id: number };
  all(sql: string, ...values: Value[]): Row[];
  get(sql: string, ...values: Value[]): Row | undefined;
  exec(sql: string): void;
  /** Everything or nothing, and only one writer at a time in all processes. */
  write<T>(body: () => T): T;
  close(): void;
}

/** How long somebody else's write is waited for; a process that nobody waits for has more time. */
export const patience = (): number => (process.env["ANYHOOK_DETACHED"] === "1" ? 60_000 : 1500);

export class Corrupt extends Error {}

/** Opens and migrates. A database of a newer version is refused; a damaged one is `Corrupt`. */
export async function openDatabase(file: string): Promise<Database> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Nobody else's business: the driver would make it readable for all.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  const { default: Driver } = await import("libsql");
  try {
    const database = wrap(new Driver(file, { timeout: patience() }), file);
    // FULL: what was accepted survives a power cut as well.
    database.exec("PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;");
    migrate(database);
    return database;
  } catch (error) {
    if (isCorrupt(error)) throw new Corrupt(`${file}: ${(error as Error).message}`);
    throw error;
  }
}

export const isCorrupt = (error: unknown): boolean =>
  /^SQLITE_(?:CORRUPT|NOTADB)/.test(String((error as { code?: unknown } | null)?.code));

export const isBusy = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith("SQLITE_BUSY");

function migrate(database: Database): void {
  const version = (): number => Number(database.get("PRAGMA user_version")?.["user_version"] ?? 0);
  const had = version();
  if (had === MIGRATIONS.length) return;
  refuseNewer(database.file, had);
  if (had === 0) database.all("PRAGMA journal_mode=WAL");
  database.write(() => {
    // Another process may have been faster.
    const from = version();
    refuseNewer(database.file, from);
    for (const sql of MIGRATIONS.slice(from)) database.exec(sql);
    database.exec(`PRAGMA user_version=${MIGRATIONS.length}`);
  });
}

function refuseNewer(file: string, version: number): void {
  if (version <= MIGRATIONS.length) return;
  throw new Fault(
    "newer-store",
    `${file} was written by a newer anyhook (version ${version} of its schema, this one knows ${MIGRATIONS.length}); it was left as it is`,
    { hint: "update anyhook" },
  );
}

/** A damaged file is set aside under another name, never deleted, and said so. */
export function setAside(file: string, now: Date = new Date()): string {
  const stamp = now.toISOString().replaceAll(/[:.]/g, "-");
  const aside = `${file}.damaged-${stamp}-${process.pid}`;
  // The file itself last: a fresh one beside an old log would take the log for its own.
  for (const tail of ["-wal", "-shm", ""]) renameIfThere(file + tail, aside + tail);
  return aside;
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function wrap(driver: Libsql.Database, file: string): Database {
  const statements = new Map<string, Libsql.Statement>();
  const prepared = (sql: string): Libsql.Statement => {
    const known = statements.get(sql);
    if (known) return known;
    const made = driver.prepare(sql);
    statements.set(sql, made);
    return made;
  };
  const exec = (sql: string): void => void driver.exec(sql);
  return {
    file,
    exec,
    run(sql, ...values) {
      const { changes, lastInsertRowid } = prepared(sql).run(...values);
      return { changes, id: Number(lastInsertRowid) };
    },
    all: (sql, ...values) => prepared(sql).all(...values) as Row[],
    get: (sql, ...values) => prepared(sql).get(...values) as Row | undefined,
    write(body) {
      exec("BEGIN IMMEDIATE");
      try {
        const result = body();
        exec("COMMIT");
        return result;
      } catch (error) {
        if (driver.inTransaction) exec("ROLLBACK");
        throw error;
      }
    },
    close() {
      statements.clear();
      driver.close();
    },
  };
}

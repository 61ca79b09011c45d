import { isBusy, type Database } from "./database.ts";

/**
 * After something was forgotten: VACUUM writes every page anew, and the checkpoint empties the log,
 * which still has the old ones. Whoever reads an older state keeps the log from being emptied; that
 * it is due is in the database, so that a later stop does it, also after a crash.
 */
export function scrub(database: Database): boolean {
  if (!isDue(database)) return true;
  try {
    database.exec("VACUUM");
    const [state] = database.all("PRAGMA wal_checkpoint(TRUNCATE)");
    if (Number(state?.["busy"] ?? 1) !== 0) return false;
    database.run("DELETE FROM facts WHERE name = 'scrub'");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

export const noteScrub = (database: Database): void =>
  void database.run("INSERT OR REPLACE INTO facts VALUES ('scrub', 'due')");

const isDue = (database: Database): boolean =>
  database.get("SELECT value FROM facts WHERE name = 'scrub'") !== undefined;

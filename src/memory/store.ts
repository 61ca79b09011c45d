import { Corrupt, isCorrupt, openDatabase, setAside, type Database } from "./database.ts";
import { readAccepted } from "./journal.ts";
import { indexWords, keep } from "./memories.ts";
import { LEXICON_VERSION } from "./lexicon.ts";
import type { Place } from "./place.ts";

/** The two stores of a place: the project's, and the user's. */
export interface Store {
  readonly project: Database;
  readonly user: Database;
  close(): void;
}

export type Say = (text: string) => void;

async function openStore(place: Place, say: Say): Promise<Store> {
  const project = await openSafely(place.projectFile, say);
  const user = await openSafely(place.userFile, say);
  return {
    project,
    user,
    close() {
      project.close();
      user.close();
    },
  };
}

/** What letter the store's memories are referred to with. */
export const PREFIX = { project: "", user: "u" } as const;

export const databasesOf = (store: Store): readonly (readonly [string, Database])[] => [
  [PREFIX.project, store.project],
  [PREFIX.user, store.user],
];

/** A damaged database is set aside, and what was accepted comes back from the journal. */
export async function openSafely(file: string, say: Say): Promise<Database> {
  const opened = await openUnlessCorrupt(file);
  if (!(opened instanceof Corrupt)) return opened;
  // Whoever found it first may have replaced it already.
  const second = await openUnlessCorrupt(file);
  return second instanceof Corrupt ? restored(file, opened.message, say) : second;
}

async function openUnlessCorrupt(file: string): Promise<Database | Corrupt> {
  try {
    return checked(await openDatabase(file));
  } catch (error) {
    if (error instanceof Corrupt) return error;
    if (isCorrupt(error)) return new Corrupt(`${file}: ${(error as Error).message}`);
    throw error;
  }
}

async function restored(file: string, problem: string, say: Say): Promise<Database> {
  const aside = setAside(file);
  const fresh = checked(await openDatabase(file));
  const items = readAccepted(file);
  fresh.write(() => keep(fresh, items, false));
  const came = `${items.length} accepted ${items.length === 1 ? "memory" : "memories"} restored`;
  say(`${problem}; it was set aside as ${aside}, ${came}`);
  return fresh;
}

/** Runs the body with both stores; damage that shows itself only now is mended, and the body runs again. */
export async function withStore<T>(
  place: Place,
  say: Say,
  body: (store: Store) => Promise<T> | T,
): Promise<T> {
  const store = await openStore(place, say);
  try {
    return await body(store);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    store.close();
    for (const [, database] of databasesOf(store))
      if (!(await isSound(database.file)))
        (
          await restored(database.file, `${database.file}: ${(error as Error).message}`, say)
        ).close();
    const mended = await openStore(place, say);
    try {
      return await body(mended);
    } finally {
      mended.close();
    }
  } finally {
    store.close();
  }
}

async function isSound(file: string): Promise<boolean> {
  try {
    const database = await openDatabase(file);
    const [first] = database.all("PRAGMA quick_check(1)");
    database.run("INSERT INTO words(words, rank) VALUES ('integrity-check', 0)");
    database.close();
    return first?.["quick_check"] === "ok" || first?.["integrity_check"] === "ok";
  } catch {
    return false;
  }
}

/** Words are indexed anew when the lexicon has changed. */
function checked(database: Database): Database {
  const has = database.get("SELECT value FROM facts WHERE name = 'lexicon'");
  if (Number(has?.["value"] ?? 0) === LEXICON_VERSION) return database;
  database.write(() => {
    for (const row of database.all("SELECT id, text, paths, folder, scope FROM memories")) {
      const text = (name: string): string => String(row[name] ?? "");
      indexWords(database, Number(row["id"]), {
        text: text("text"),
        paths: text("paths").split("\n"),
        folder: text("folder"),
        scope: text("scope"),
      });
    }
    database.run("INSERT OR REPLACE INTO facts VALUES ('lexicon', ?)", String(LEXICON_VERSION));
  });
  return database;
}

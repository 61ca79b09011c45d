import { statSync } from "node:fs";
import {
  Corrupt,
  isBusy,
  isCorrupt,
  openDatabase,
  patience,
  setAside,
  type Database,
  type Row,
} from "./database.ts";
import type { Item } from "./_memory.ts";
import { isInStep, readAccepted, writeAccepted } from "./journal.ts";
import { COLUMNS, indexWords, keep, memoryOf } from "./memories.ts";
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
  const before = inodeOf(file);
  const opened = await openUnlessCorrupt(file, say);
  if (!(opened instanceof Corrupt)) return opened;
  return restored(file, before, opened.message, say);
}

const inodeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.ino ?? 0;

async function openUnlessCorrupt(file: string, say: Say): Promise<Database | Corrupt> {
  try {
    return checked(await openDatabase(file), say);
  } catch (error) {
    if (error instanceof Corrupt) return error;
    if (isCorrupt(error)) return new Corrupt(`${file}: ${(error as Error).message}`);
    throw error;
  }
}

/** Only the file that was found damaged goes: somebody else may have put a sound one in its place. */
async function restored(file: string, inode: number, problem: string, say: Say): Promise<Database> {
  if (inodeOf(file) !== inode) return checked(await openDatabase(file), say);
  const aside = setAside(file);
  const fresh = checked(await openDatabase(file), () => {});
  const [row] = fresh.all("SELECT count(*) AS n FROM memories WHERE status = 'accepted'");
  const n = Number(row?.["n"] ?? 0);
  const came = `${n} accepted ${n === 1 ? "memory" : "memories"} restored`;
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
    for (const [, { file }] of databasesOf(store)) {
      const inode = inodeOf(file);
      if (await isSound(file)) continue;
      (await restored(file, inode, `${file}: ${(error as Error).message}`, say)).close();
    }
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

/** Words are indexed anew when the lexicon has changed, and the journal is compared. */
function checked(database: Database, say: Say): Database {
  const has = database.get("SELECT value FROM facts WHERE name = 'lexicon'");
  if (Number(has?.["value"] ?? 0) !== LEXICON_VERSION) indexAll(database);
  try {
    if (!isInStep(database)) hastily(database, () => reconcile(database, say));
  } catch (error) {
    // Somebody is writing, and that may be all the difference: whoever opens it next looks again.
    if (!isBusy(error)) throw error;
  }
  return database;
}

/** Who only wants to read does not wait for a writer. */
function hastily(database: Database, body: () => void): void {
  database.exec("PRAGMA busy_timeout=100");
  try {
    body();
  } finally {
    database.exec(`PRAGMA busy_timeout=${patience()}`);
  }
}

function indexAll(database: Database): void {
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
}

/**
 * The file was emptied, deleted, set back, or lost its log; or somebody was killed between journal and
 * commit. What was accepted according to either of the two is accepted in both afterwards.
 */
function reconcile(database: Database, say: Say): void {
  const back = database.write(() => {
    if (isInStep(database)) return 0;
    const key = ({ kind, scope, text }: Row | Item): string => `${kind}\n${scope}\n${text}`;
    const there = new Set(database.all("SELECT kind, scope, text FROM memories").map(key));
    const missing = readAccepted(database.file).filter((item) => !there.has(key(item)));
    const kept = keep(database, missing, false);
    const all = database.all(
      `SELECT ${COLUMNS} FROM memories m WHERE status = 'accepted' ORDER BY id`,
    );
    writeAccepted(
      database,
      all.map((row) => {
        const { ref: _, id, seen: __, ...item } = memoryOf(row, "");
        return { ...item, evidence: `kept:${id}` };
      }),
    );
    return kept.filter(({ isNew }) => isNew).length;
  });
  if (back > 0)
    say(
      `${database.file}: ${back} accepted ${back === 1 ? "memory was" : "memories were"} missing and came back from the journal`,
    );
}

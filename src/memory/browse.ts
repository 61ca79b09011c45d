import type { Item, Memory, Status } from "./_memory.ts";
import type { Database, Row } from "./database.ts";
import { dropAccepted, noteAccepted } from "./journal.ts";
import { COLUMNS, memoryOf, saltOf, uidOf } from "./memories.ts";
import { databasesOf, PREFIX, type Store } from "./store.ts";

export interface Filter {
  readonly status?: string;
  readonly kind?: string;
  readonly limit: number;
}

/** Newest first, from both stores. */
export function listed(store: Store, { status, kind, limit }: Filter): Memory[] {
  const found = databasesOf(store).flatMap(([prefix, database]) =>
    database
      .all(
        `SELECT ${COLUMNS} FROM memories m WHERE (? = '' OR status = ?) AND (? = '' OR kind = ?)
         ORDER BY at DESC, id DESC LIMIT ?`,
        ...[status ?? "", status ?? "", kind ?? "", kind ?? "", limit],
      )
      .map((row) => memoryOf(row, prefix)),
  );
  return found.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, limit);
}

export interface Found {
  readonly database: Database;
  readonly memory: Memory;
  readonly evidence: readonly string[];
}

/** A number as lists show it, with or without its mark; u12 is in the user's store. */
export function byRef(store: Store, ref: string): Found | undefined {
  const [, letter = "", number] = /^#?(u?)(\d+)$/.exec(ref) ?? [];
  if (number === undefined) return undefined;
  const database = letter === PREFIX.user ? store.user : store.project;
  const row = database.get(`SELECT ${COLUMNS} FROM memories m WHERE id = ?`, Number(number));
  if (!row) return undefined;
  const evidence = database
    .all("SELECT key FROM evidence WHERE memory = ? ORDER BY key", Number(number))
    .map(({ key }) => String(key));
  return { database, memory: memoryOf(row, letter), evidence };
}

/**
 * The journal follows: what is accepted is in it, what is not is not. When something was rejected is
 * noted as for what is forgotten: the same words from before that do not bring it back.
 */
export function judge({ database, memory }: Found, status: Exclude<Status, "candidate">): void {
  if (memory.status === status) return;
  database.write(() => {
    const uid = uidBy(database, memory.id);
    database.run("UPDATE memories SET status = ? WHERE id = ?", status, memory.id);
    database.run("DELETE FROM forgotten WHERE uid = ?", uid);
    const { ref: _, id: __, seen: ___, ...item } = memory;
    const evidence = `judged:${memory.id}`;
    if (status === "accepted") return noteAccepted(database, [{ ...item, status, evidence }]);
    const now = new Date().toISOString();
    database.run("INSERT INTO forgotten VALUES (?, ?)", uid, now);
    dropAccepted(database, sameAs(database, [{ ...memory, uid }]));
  });
}

const uidBy = (database: Database, id: number): string =>
  String(database.get("SELECT uid FROM memories WHERE id = ?", id)?.["uid"] ?? "");

/** Is a line of the journal one of these memories? Its words may differ in case or marks. */
export function sameAs(
  database: Database,
  memories: readonly Pick<Memory & { uid: string }, "uid" | "kind" | "scope" | "text">[],
): (item: Item) => boolean {
  const salt = saltOf(database);
  return (item) =>
    memories.some(
      ({ uid, kind, scope, text }) =>
        uid === uidOf(salt, item) ||
        (kind === item.kind && scope === item.scope && text === item.text),
    );
}

export interface Stats {
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byKind: Readonly<Record<string, number>>;
  readonly signals: number;
  readonly oldest: string;
  readonly newest: string;
}

export function statsOf(database: Database): Stats {
  const counts = (column: "status" | "kind"): Record<string, number> =>
    Object.fromEntries(
      database
        .all(`SELECT ${column} AS name, count(*) AS n FROM memories GROUP BY ${column} ORDER BY 1`)
        .map(({ name, n }) => [String(name), Number(n)]),
    );
  const one = (sql: string): Row => database.get(sql) ?? {};
  const times = one("SELECT min(at) AS oldest, max(at) AS newest FROM memories");
  return {
    byStatus: counts("status"),
    byKind: counts("kind"),
    signals: Number(one("SELECT count(*) AS n FROM signals")["n"] ?? 0),
    oldest: String(times["oldest"] ?? ""),
    newest: String(times["newest"] ?? ""),
  };
}

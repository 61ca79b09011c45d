import type { Memory, Status } from "./_memory.ts";
import type { Database, Row } from "./database.ts";
import { dropAccepted, noteAccepted } from "./journal.ts";
import { COLUMNS, memoryOf } from "./memories.ts";
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

/** The journal follows: what is accepted is in it, what is not is not. */
export function judge({ database, memory }: Found, status: Exclude<Status, "candidate">): void {
  if (memory.status === status) return;
  database.write(() => {
    database.run("UPDATE memories SET status = ? WHERE id = ?", status, memory.id);
    const { ref: _, id: __, seen: ___, ...item } = memory;
    const evidence = `judged:${memory.id}`;
    if (status === "accepted") noteAccepted(database.file, [{ ...item, status, evidence }]);
    else dropAccepted(database.file, (one) => one.text === memory.text);
  });
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

import { createHmac } from "node:crypto";
import type { Item, Memory, Status } from "./_memory.ts";
import type { Database, Row } from "./database.ts";
import { noteAccepted } from "./journal.ts";
import { placesOf, termsOf } from "./terms.ts";

export interface Kept {
  readonly id: number;
  readonly isNew: boolean;
  readonly status: Status;
}

/** Beyond it the beginning is kept. */
const ITEM_CHARS = 1000;
const PAGE_CHARS = 4000;

/**
 * Keeps items, inside a write of the caller. The same thing said again adds evidence and nothing
 * else; a tag accepts what was a candidate; what was rejected or forgotten stays so, unless a person
 * says it again later.
 */
export function keep(database: Database, items: readonly Item[], journal = true): Kept[] {
  const salt = saltOf(database);
  const before = new Set<number>();
  const kept: Kept[] = [];
  const accepted: Item[] = [];
  for (const whole of items) {
    const item = {
      ...whole,
      text: whole.text.slice(0, whole.kind === "page" ? PAGE_CHARS : ITEM_CHARS),
    };
    const uid = uidOf(salt, item);
    if (isForgotten(database, uid, item)) continue;
    const old = database.get("SELECT id, status, text, author FROM memories WHERE uid = ?", uid);
    const id = old ? Number(old["id"]) : insert(database, uid, item);
    const isAccepted = old ? again(database, id, old, item) : item.status === "accepted";
    if (isAccepted) accepted.push(item);
    database.run("INSERT OR IGNORE INTO evidence VALUES (?, ?)", id, item.evidence);
    kept.push({ id, isNew: !old && !before.has(id), status: item.status });
    before.add(id);
  }
  if (journal) noteAccepted(database, accepted);
  return kept;
}

/** A name for the thing that says nothing about it to somebody who has only the name. */
export function uidOf(salt: string, { kind, key, text, scope }: Item): string {
  const same =
    key ||
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[\s\p{P}]+/gu, " ")
      .trim();
  return createHmac("sha256", salt).update(`${kind}\n${scope}\n${same}`).digest("hex").slice(0, 32);
}

export const saltOf = (database: Database): string =>
  String(database.get("SELECT value FROM facts WHERE name = 'salt'")?.["value"] ?? "");

function isForgotten(database: Database, uid: string, { at, author }: Item): boolean {
  const gone = database.get("SELECT at FROM forgotten WHERE uid = ?", uid);
  if (!gone) return false;
  if (author !== "user" || at <= String(gone["at"])) return true;
  database.run("DELETE FROM forgotten WHERE uid = ?", uid);
  return false;
}

function insert(database: Database, uid: string, item: Item): number {
  const { kind, text, scope, status, author, harness, session, branch, folder, paths, at } = item;
  const { id } = database.run(
    "INSERT INTO memories (uid, kind, text, scope, status, author, harness, session, branch, folder, paths, at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
    ...[uid, kind, text, scope, status, author, harness, session, branch, folder],
    ...[paths.join("\n"), at],
  );
  indexWords(database, id, item);
  return id;
}

/** Whether that accepts it. */
function again(database: Database, id: number, old: Row, item: Item): boolean {
  // What an agent read out of a file is not accepted by its reading it out again.
  const isEntitled = item.author === "user" || old["author"] !== "assistant";
  const isPromoted = item.status === "accepted" && old["status"] === "candidate" && isEntitled;
  const isRevived =
    item.status === "accepted" && old["status"] === "rejected" && item.author === "user";
  if (isPromoted || isRevived)
    database.run("UPDATE memories SET status = 'accepted', at = ? WHERE id = ?", item.at, id);
  // What we worded ourselves may be worded better now; a person's words are never touched.
  if (old["status"] === "candidate" && item.author === "anyhook" && old["text"] !== item.text) {
    database.run("UPDATE memories SET text = ?, at = ? WHERE id = ?", item.text, item.at, id);
    indexWords(database, id, item);
  }
  return isPromoted || isRevived;
}

export function indexWords(
  database: Database,
  id: number,
  { text, paths, folder, scope }: Pick<Item, "text" | "paths" | "folder" | "scope">,
): void {
  const { stems, concepts } = termsOf(text);
  const places = placesOf([...paths, folder, scope]);
  database.run("DELETE FROM words WHERE rowid = ?", id);
  database.run(
    "INSERT INTO words (rowid, stems, concepts, places) VALUES (?, ?, ?, ?)",
    ...[id, stems.join(" "), concepts.join(" "), places.join(" ")],
  );
}

/** Guesses that nobody looked at are dropped, the oldest first; what was accepted never is. */
const MOST_CANDIDATES = 2000;

export function dropOldCandidates(database: Database, most = MOST_CANDIDATES): void {
  const rows = database.all(
    "SELECT id FROM memories WHERE status = 'candidate' ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?",
    most,
  );
  for (const { id } of rows) erase(database, Number(id));
}

/** A memory and everything that hangs on it, inside a write. */
export function erase(database: Database, id: number): void {
  database.run("DELETE FROM words WHERE rowid = ?", id);
  database.run("DELETE FROM evidence WHERE memory = ?", id);
  database.run("DELETE FROM members WHERE page = ? OR memory = ?", id, id);
  database.run("DELETE FROM memories WHERE id = ?", id);
}

export const COLUMNS =
  "m.id, m.kind, m.text, m.scope, m.status, m.author, m.harness, m.session, m.branch, m.folder, m.paths, m.at, (SELECT count(*) FROM evidence e WHERE e.memory = m.id) AS seen";

export function memoryOf(row: Row, prefix: string): Memory {
  const text = (name: string): string => String(row[name] ?? "");
  return {
    ref: `${prefix}${row["id"]}`,
    id: Number(row["id"]),
    kind: text("kind") as Memory["kind"],
    text: text("text"),
    scope: text("scope"),
    status: text("status") as Status,
    author: text("author") as Memory["author"],
    ...{ harness: text("harness"), session: text("session"), branch: text("branch") },
    folder: text("folder"),
    paths: text("paths") === "" ? [] : text("paths").split("\n"),
    at: text("at"),
    key: "",
    evidence: "",
    seen: Number(row["seen"] ?? 0),
  };
}

import type { Database, Row } from "./database.ts";
import { indexWords, keep } from "./memories.ts";

/** So many related memories make a page. */
const ENOUGH = 3;
const MOST_MEMBERS = 12;
/** More new ones at once come from an import: their pages are made when they are next touched. */
const MOST_AT_ONCE = 40;

/**
 * Silent distillation: memories that are about the same things become a candidate page that lists
 * them. Related means two rare words in common, so that "test" alone makes no page. Inside a write.
 */
export function distilPages(database: Database, ids: readonly number[]): void {
  if (ids.length > MOST_AT_ONCE) return;
  for (const id of ids) distilPage(database, id);
}

function distilPage(database: Database, id: number): void {
  const subject = rareWords(database, id);
  if (subject.length < 2) return;
  const rows = relatives(database, id, subject);
  if (rows.length < ENOUGH) return;
  const shared = subject.filter(
    (word) => rows.filter(({ stems }) => words(stems).includes(word)).length >= ENOUGH,
  );
  if (shared.length < 2) return;
  const members = rows.filter(
    ({ stems }) => shared.filter((word) => words(stems).includes(word)).length >= 2,
  );
  if (members.length < ENOUGH) return;
  writePage(database, shared.slice(0, 3).toSorted(), members);
}

function writePage(database: Database, about: readonly string[], members: readonly Row[]): void {
  const key = `page ${about.slice(0, 2).join(" ")}`;
  const sorted = members.toSorted((a, b) => Number(a["id"]) - Number(b["id"]));
  const lines = sorted.map((row) => `- [${row["kind"]}] ${row["text"]} (${row["id"]})`);
  const text = `About ${about.join(", ")}:\n${lines.join("\n")}`;
  const at = sorted.reduce(
    (last, row) => (String(row["at"]) > last ? String(row["at"]) : last),
    "",
  );
  const [page] = keep(database, [
    {
      ...{ kind: "page", scope: "project", status: "candidate", author: "anyhook", text, key, at },
      ...{ harness: "", session: "", branch: "", folder: "", paths: [] },
      evidence: sorted.map(({ id }) => id).join(","),
    },
  ]);
  if (!page) return;
  for (const { id } of sorted)
    database.run("INSERT OR IGNORE INTO members VALUES (?, ?)", page.id, Number(id));
  indexWords(database, page.id, { text, paths: [], folder: "", scope: "" });
}

const words = (stems: unknown): string[] => String(stems ?? "").split(" ");

/** Words that few memories have, the rarest first. */
function rareWords(database: Database, id: number): string[] {
  const stems = words(database.get("SELECT stems FROM words WHERE rowid = ?", id)?.["stems"]);
  const total = Number(database.get("SELECT count(*) AS n FROM memories")?.["n"] ?? 0);
  const often = Math.max(6, total * 0.05);
  return [...new Set(stems)]
    .filter((stem) => stem.length > 2)
    .map((stem) => ({
      stem,
      n: Number(database.get("SELECT doc FROM vocabulary WHERE term = ?", stem)?.["doc"] ?? 0),
    }))
    .filter(({ n }) => n > 1 && n <= often)
    .toSorted((a, b) => a.n - b.n || (a.stem < b.stem ? -1 : 1))
    .slice(0, 8)
    .map(({ stem }) => stem);
}

function relatives(database: Database, id: number, subject: readonly string[]): Row[] {
  const match = `stems : (${subject.map((word) => `"${word}"`).join(" OR ")})`;
  return database.all(
    `SELECT m.id, m.kind, m.text, m.at, w.stems FROM words w JOIN memories m ON m.id = w.rowid
     WHERE words MATCH ? AND m.kind <> 'page' AND m.status <> 'rejected'
     ORDER BY (m.id = ?) DESC, bm25(words), m.id LIMIT ${MOST_MEMBERS}`,
    match,
    id,
  );
}

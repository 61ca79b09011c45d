import type { Memory } from "./_memory.ts";
import type { Database, Row } from "./database.ts";
import { COLUMNS, memoryOf } from "./memories.ts";
import { databasesOf, type Store } from "./store.ts";
import { queryTerms, type QueryTerm } from "./query.ts";
import { termsOf } from "./terms.ts";

export interface Hit {
  readonly memory: Memory;
  /** 0 … 1 and a little more: how much of the question it answers, and how well. */
  readonly score: number;
  /** How many words of the question it has, in any form. */
  readonly matched: number;
  /** How much of the question, weighted by how rare its words are. */
  readonly coverage: number;
}

export interface Wanted {
  readonly limit?: number;
  readonly statuses?: readonly Memory["status"][];
}

/** How many rows the index proposes before they are looked at one by one. */
const PROPOSED = 120;

/** The best memories for a question in ordinary words, from both stores. */
export function search(store: Store, text: string, wanted: Wanted = {}): Hit[] {
  const { limit = 5, statuses = ["accepted", "candidate"] } = wanted;
  const found = databasesOf(store)
    .flatMap(([prefix, database]) => searchOne(database, prefix, text, statuses))
    .toSorted((a, b) => b.score - a.score || (a.memory.at < b.memory.at ? 1 : -1));
  return varied(found, limit);
}

/** How much a memory loses that says nearly the same as a better one. */
const REPEATED = 0.8;

/** The best, but not five times the same thing in other words. */
function varied(hits: readonly Hit[], limit: number): Hit[] {
  const chosen: { hit: Hit; words: ReadonlySet<string> }[] = [];
  const left = hits
    .slice(0, PROPOSED)
    .map((hit) => ({ hit, words: new Set(termsOf(hit.memory.text).stems) }));
  while (chosen.length < limit && left.length > 0) {
    const worth = left.map(({ hit, words }) =>
      chosen.some((one) => overlap(one.words, words) > 0.6) ? hit.score * REPEATED : hit.score,
    );
    const at = worth.indexOf(Math.max(...worth));
    chosen.push(...left.splice(at, 1));
  }
  return chosen.map(({ hit }) => hit);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common / Math.max(1, Math.min(a.size, b.size));
}

function searchOne(
  database: Database,
  prefix: string,
  text: string,
  statuses: readonly string[],
): Hit[] {
  const terms = queryTerms(database, text);
  const match = matchOf(terms);
  if (match === "") return [];
  const rows = database.all(
    `SELECT ${COLUMNS}, w.stems, w.concepts, w.places, bm25(words, 1.0, 0.6, 0.5) AS rank
     FROM words w JOIN memories m ON m.id = w.rowid
     WHERE words MATCH ? AND m.status IN (${statuses.map(() => "?").join(",")})
     ORDER BY rank LIMIT ${PROPOSED}`,
    ...[match, ...statuses],
  );
  const best = Math.min(-1e-9, ...rows.map(({ rank }) => Number(rank)));
  const newest = rows.reduce((last, { at }) => (String(at) > last ? String(at) : last), "");
  return rows.map((row) => hitOf(row, prefix, terms, best, newest));
}

/** Own stems are quoted: FTS5 would read AND, OR and NOT as its own. */
function matchOf(terms: readonly QueryTerm[]): string {
  const list = (words: readonly string[]): string =>
    [...new Set(words)].map((word) => `"${word}"`).join(" OR ");
  const forms = terms.flatMap(({ stem, near }) => [stem, ...near]);
  const concepts = terms.flatMap(({ concepts }) => concepts);
  const parts = [
    ...(forms.length > 0 ? [`{stems places} : (${list(forms)})`] : []),
    ...(concepts.length > 0 ? [`concepts : (${list(concepts)})`] : []),
  ];
  return parts.join(" OR ");
}

function hitOf(
  row: Row,
  prefix: string,
  terms: readonly QueryTerm[],
  best: number,
  newest: string,
): Hit {
  const has = (column: string): Set<string> => new Set(String(row[column] ?? "").split(" "));
  const [stems, concepts, places] = [has("stems"), has("concepts"), has("places")];
  const strength = terms.map((term) => strengthOf(term, stems, concepts, places));
  const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const covered = terms.reduce((sum, { weight }, i) => sum + weight * strength[i]!, 0) / total;
  const memory = memoryOf(row, prefix);
  const age = (Date.parse(newest) - Date.parse(memory.at)) / 86_400_000;
  const fresh = Number.isFinite(age) ? 1 / (1 + age / 90) : 0;
  const status = memory.status === "accepted" ? 1 : 0.9;
  const score =
    (0.65 * covered + 0.3 * (Number(row["rank"]) / best) + 0.05 * adjacency(terms, row)) *
    (0.97 + 0.03 * fresh) *
    status;
  return { memory, score, coverage: covered, matched: strength.filter((one) => one > 0).length };
}

function strengthOf(
  { stem, near, concepts: meant }: QueryTerm,
  stems: ReadonlySet<string>,
  concepts: ReadonlySet<string>,
  places: ReadonlySet<string>,
): number {
  if (stems.has(stem)) return 1;
  if (places.has(stem)) return 0.8;
  if (near.some((one) => stems.has(one))) return 0.7;
  return meant.some((one) => concepts.has(one)) ? 0.6 : 0;
}

/** Words that stand together in the question and in the memory. */
function adjacency(terms: readonly QueryTerm[], row: Row): number {
  const text = ` ${String(row["stems"])} `;
  const pairs = terms.slice(1).map(({ stem }, i) => ` ${terms[i]!.stem} ${stem} `);
  return pairs.length === 0 ? 0 : pairs.filter((pair) => text.includes(pair)).length / pairs.length;
}

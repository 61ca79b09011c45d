import type { Database } from "./database.ts";
import { nearConcepts, tokensOf, type Token } from "./terms.ts";

/** One word of a question. */
export interface QueryTerm {
  readonly stem: string;
  /** Words of the store that are probably meant: it begins so, or one letter is off. */
  readonly near: readonly string[];
  readonly concepts: readonly string[];
  /** Rare words say more. */
  readonly weight: number;
}

const MOST_TERMS = 24;

export function queryTerms(database: Database, text: string): QueryTerm[] {
  const tokens = new Map(tokensOf(text).map((token) => [token.stem, token]));
  const total = Number(database.get("SELECT count(*) AS n FROM memories")?.["n"] ?? 0);
  return [...tokens.values()].slice(0, MOST_TERMS).map((token) => termOf(database, token, total));
}

function termOf(database: Database, { stem, concepts: own }: Token, total: number): QueryTerm {
  const frequency = documentsWith(database, stem);
  const near = frequency > 0 ? [] : nearWords(database, stem);
  const isUnknown = frequency === 0 && own.length === 0;
  const concepts = isUnknown ? nearConcepts(stem, (a, b) => distance(a, b) === 1) : own;
  const known = [stem, ...near, ...concepts].map((one) => documentsWith(database, one));
  const most = Math.max(...known);
  return { stem, near, concepts, weight: weightOf(total, frequency || most, most > 0) };
}

/** A word that nothing has says little about which memory is meant. */
const weightOf = (total: number, frequency: number, isKnown: boolean): number =>
  isKnown ? Math.log(1 + (Math.max(total, FEW) - frequency + 0.5) / (frequency + 0.5)) : 0.5;

/** In a store of three memories every word is frequent; it says as much as in a larger one. */
const FEW = 50;

const documentsWith = (database: Database, term: string): number =>
  Number(database.get("SELECT doc FROM vocabulary WHERE term = ?", term)?.["doc"] ?? 0);

function nearWords(database: Database, stem: string): string[] {
  if (stem.length < 4) return [];
  const head = stem.slice(0, stem.length > 5 ? 3 : 2);
  const words = database
    .all("SELECT term FROM vocabulary WHERE term >= ? AND term < ?", head, `${head}\u{10FFFF}`)
    .map(({ term }) => String(term));
  const begins = words.filter((word) => word.startsWith(stem) || isPrefix(word, stem));
  const slips = words.filter((word) => stem.length > 4 && distance(word, stem) === 1);
  return [...new Set([...slips, ...begins])].slice(0, 6);
}

const isPrefix = (word: string, stem: string): boolean => word.length >= 5 && stem.startsWith(word);

/** Edits between two words, a swap of neighbours being one; two means "too many". */
function distance(a: string, b: string): 0 | 1 | 2 {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > 1) return 2;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const [restA, restB] = [a.slice(i), b.slice(i)];
  const isOne =
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2));
  return isOne ? 1 : 2;
}

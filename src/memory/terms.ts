import { conceptTable } from "./lexicon.ts";
import { stem } from "./stem.ts";

/** What a text is about, in a form that can be compared. */
export interface Terms {
  /** Stems in their order, stop words left out. */
  readonly stems: readonly string[];
  readonly concepts: readonly string[];
}

const STOP = new Set(
  `a about above after again all also am an and any are as at be been before being below between both but by can could
  did do does doing down during each few for from further had has have having he her here hers him his how i if in into
  is it its itself just let me more most my no nor not now of off on once only or other our ours out over own please same
  she should so some such than that the their them then there these they this those through to too under until up us very
  was we were what when where which while who whom why will with would you your yours via per ok yes thanks hi hello
  want need like make made makes using use used uses lets im ive dont doesnt didnt cant wont isnt
  thing things something anything way really actually maybe still already always never
  somebody someone anybody nobody people person happen happens stay stays long kind sort type lot many much
  able may might must shall goes going go gets get got keep kept put take takes took come comes came
  last time previous previously earlier remember recall remind know tell said say`.split(/\s+/),
);

const TABLE = conceptTable(stem);

/** One word that counts, and what it stands for. */
export interface Token {
  readonly stem: string;
  readonly concepts: readonly string[];
}

/** Expressions first: in "log in" nobody speaks of a log. */
export function tokensOf(text: string): Token[] {
  const words = wordsOf(text);
  const stems = words.map(stem);
  const pairs = stems.map((one, i) => TABLE.get(`${one} ${stems[i + 1]}`) ?? []);
  return words.flatMap((word, i) => {
    if (word.length < 2 || STOP.has(word)) return [];
    const inPair = pairs[i]!.length > 0 ? pairs[i]! : (pairs[i - 1] ?? []);
    const own = TABLE.get(stems[i]!) ?? [];
    return [{ stem: stems[i]!, concepts: inPair.length > 0 ? inPair : own }];
  });
}

export function termsOf(text: string): Terms {
  const tokens = tokensOf(text);
  return {
    stems: tokens.map((one) => one.stem),
    concepts: [...new Set(tokens.flatMap(({ concepts }) => concepts))],
  };
}

/** Concepts of the words of the lexicon that are written almost like this one. */
export const nearConcepts = (
  one: string,
  isNear: (a: string, b: string) => boolean,
): readonly string[] => {
  if (one.length < 5) return [];
  const key = [...TABLE.keys()].find((known) => known[0] === one[0] && isNear(known, one));
  return key === undefined ? [] : TABLE.get(key)!;
};

/** `userId`, `user_id` and `user-id` are all user and id, and `PostgreSQL` stays one word too. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}|['’]/gu, "");
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => {
    const parts = word
      .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
      .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
      .toLowerCase()
      .split(" ");
    return parts.length === 1 ? parts : [word.toLowerCase(), ...parts];
  });
}

/** Parts of a path that say something: folders and the name without its ending. */
export const placesOf = (paths: readonly string[]): string[] => [
  ...new Set(
    paths.flatMap((path) => termsOf(path.replace(/\.\w+$/, "").replaceAll("/", " ")).stems),
  ),
];

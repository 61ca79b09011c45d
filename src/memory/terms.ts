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
  last time previous previously earlier remember recall remind know tell said say`.split(/\s+/),
);

const TABLE = conceptTable(stem);

export function termsOf(text: string): Terms {
  const stems = wordsOf(text)
    .filter((word) => word.length > 1 && !STOP.has(word))
    .map(stem);
  return { stems, concepts: conceptsOf(stems) };
}

export const conceptsOfStem = (one: string): readonly string[] => TABLE.get(one) ?? [];

function conceptsOf(stems: readonly string[]): string[] {
  const found = stems.flatMap((one, i) => [
    ...conceptsOfStem(one),
    ...(i > 0 ? conceptsOfStem(`${stems[i - 1]} ${one}`) : []),
  ]);
  return [...new Set(found)];
}

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

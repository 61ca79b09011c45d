/**
 * Porter's algorithm (M.F. Porter, "An algorithm for suffix stripping", 1980): one form for
 * migrate, migrates, migrated, migrating and migration. English only; other words stay whole.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return STEPS.reduce((text, step) => step(text), word);
}

const C = "[^aeiou](?:[^aeiouy]*)";
const V = "[aeiouy](?:[aeiou]*)";
const MORE_THAN_0 = new RegExp(`^(?:${C})?${V}${C}`);
const EXACTLY_1 = new RegExp(`^(?:${C})?${V}${C}(?:${V})?$`);
const MORE_THAN_1 = new RegExp(`^(?:${C})?${V}${C}${V}${C}`);
const HAS_VOWEL = new RegExp(`^(?:${C})?[aeiouy]`);
const SHORT_END = new RegExp(`^${C}[aeiouy][^aeiouwxy]$`);

type Step = (word: string) => string;

const plural: Step = (word) => {
  if (/(?:ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
};

const past: Step = (word) => {
  if (word.endsWith("eed")) return MORE_THAN_0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const base = /^(.+?)(?:ed|ing)$/.exec(word)?.[1];
  if (base === undefined || !HAS_VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return SHORT_END.test(base) ? `${base}e` : base;
};

const finalY: Step = (word) =>
  word.endsWith("y") && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;

const suffixes =
  (condition: RegExp, table: readonly (readonly [string, string])[]): Step =>
  (word) => {
    const found = table.find(([suffix]) => word.endsWith(suffix));
    if (!found) return word;
    const base = word.slice(0, -found[0].length);
    return condition.test(base) ? base + found[1] : word;
  };

const STEP_2 = suffixes(MORE_THAN_0, [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["logi", "log"],
]);

const STEP_3 = suffixes(MORE_THAN_0, [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
]);

const ENDINGS = "ement ance ence able ible ment ant ent ism ate iti ous ive ize al er ic ou".split(
  " ",
);

const STEP_4: Step = (word) => {
  const ion = /^(.+[st])ion$/.exec(word)?.[1];
  if (ion !== undefined && MORE_THAN_1.test(ion)) return ion;
  return suffixes(
    MORE_THAN_1,
    ENDINGS.map((ending) => [ending, ""] as const),
  )(word);
};

const finalE: Step = (word) => {
  if (!word.endsWith("e")) return word;
  const base = word.slice(0, -1);
  const drops = MORE_THAN_1.test(base) || (EXACTLY_1.test(base) && !SHORT_END.test(base));
  return drops ? base : word;
};

const finalL: Step = (word) =>
  word.endsWith("ll") && MORE_THAN_1.test(word) ? word.slice(0, -1) : word;

const STEPS: readonly Step[] = [plural, past, finalY, STEP_2, STEP_3, STEP_4, finalE, finalL];

import { contains, type Range } from "./regex-ast.ts";

/** One byte out of `ranges`, or, with `not`, the demand that no such byte comes next. */
export interface Step {
  readonly ranges: readonly Range[];
  readonly not: boolean;
}

const byte = (low: number, high: number): Step => ({ ranges: [[low, high]], not: false });
const unless = (low: number, high: number): Step => ({ ranges: [[low, high]], not: true });

const REPLACEMENT = 0xfffd;
/** The last code point that takes one, two, three bytes. */
const LENGTH_ENDS = [0x7f, 0x7ff, 0xffff];

/**
 * The byte sequences that stand for one code point of the set. Bytes that are not UTF-8 count as
 * U+FFFD, one per maximal subpart as in the Encoding Standard: a broken byte can neither hide a
 * text from a pattern nor make the raw bytes and the decoded string give different answers.
 */
export function utf8Sequences(ranges: readonly Range[]): readonly (readonly Step[])[] {
  const valid = ranges.flatMap(([low, high]) => split(low, high));
  return contains(ranges, REPLACEMENT) ? [...valid, ...BROKEN] : valid;
}

/** Cuts a range until first and last byte of every position vary independently. */
function split(low: number, high: number): Step[][] {
  if (low > high) return [];
  if (low <= 0xdfff && high >= 0xd800) return [...split(low, 0xd7ff), ...split(0xe000, high)];
  const cut = cutOf(low, high);
  if (cut !== undefined) return [...split(low, cut), ...split(cut + 1, high)];
  const [first, last] = [encode(low), encode(high)];
  return [first.map((from, i) => byte(from, last[i]!))];
}

function cutOf(low: number, high: number): number | undefined {
  const end = LENGTH_ENDS.find((last) => low <= last && last < high);
  if (end !== undefined) return end;
  if (high <= 0x7f) return undefined;
  for (const mask of [0x3f, 0xfff, 0x3ffff]) {
    if ((low & ~mask) === (high & ~mask)) continue;
    if ((low & mask) !== 0) return low | mask;
    if ((high & mask) !== mask) return (high & ~mask) - 1;
  }
  return undefined;
}

function encode(code: number): number[] {
  if (code <= 0x7f) return [code];
  if (code <= 0x7ff) return [0xc0 | (code >> 6), 0x80 | (code & 0x3f)];
  const tail = [0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
  if (code <= 0xffff) return [0xe0 | (code >> 12), ...tail];
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), ...tail];
}

const CONTINUES = [0x80, 0xbf] as const;

/** Lead bytes, the narrower range of their second byte, and how many bytes follow that. */
const LEADS: readonly (readonly [Range, Range, number])[] = [
  [[0xc2, 0xdf], CONTINUES, 0],
  [[0xe0, 0xe0], [0xa0, 0xbf], 1],
  [[0xe1, 0xec], CONTINUES, 1],
  [[0xed, 0xed], [0x80, 0x9f], 1],
  [[0xee, 0xef], CONTINUES, 1],
  [[0xf0, 0xf0], [0x90, 0xbf], 2],
  [[0xf1, 0xf3], CONTINUES, 2],
  [[0xf4, 0xf4], [0x80, 0x8f], 2],
];

/** Every way in which a sequence can break off, told by the byte that does not continue it. */
const BROKEN: readonly (readonly Step[])[] = [
  [byte(0x80, 0xbf)],
  [byte(0xc0, 0xc1)],
  [byte(0xf5, 0xff)],
  ...LEADS.flatMap(([lead, second, more]) => {
    const steps = [byte(...lead), byte(...second), byte(...CONTINUES)];
    const cuts: Step[][] = [[steps[0]!, unless(...second)]];
    for (let n = 2; n < more + 2; n++) cuts.push([...steps.slice(0, n), unless(...CONTINUES)]);
    return cuts;
  }),
];

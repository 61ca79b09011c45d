/** What a pattern is made of once it is parsed, and the arithmetic of its character sets. */

export type Range = readonly [low: number, high: number];

export type Assertion =
  | "text-start"
  | "text-end"
  | "line-start"
  | "line-end"
  | "word-edge"
  | "no-word-edge";

export type Pattern =
  /** One code point out of sorted ranges that do not touch. */
  | { readonly kind: "set"; readonly ranges: readonly Range[] }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly options: readonly Pattern[] }
  /** `max` is Infinity when there is no upper bound. */
  | {
      readonly kind: "repeat";
      readonly body: Pattern;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: "assert"; readonly what: Assertion };

const LAST_CODE_POINT = 0x10ffff;

export const ANY: readonly Range[] = [[0, LAST_CODE_POINT]];

export const setOf = (...ranges: readonly Range[]): Pattern => ({
  kind: "set",
  ranges: normalise(ranges),
});

export const assertion = (what: Assertion): Pattern => ({ kind: "assert", what });

/** Sorted, merged where they touch: two equal sets are written equally. */
export function normalise(ranges: readonly Range[]): readonly Range[] {
  const merged: [number, number][] = [];
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export function complement(ranges: readonly Range[]): readonly Range[] {
  const rest: Range[] = [];
  let low = 0;
  for (const [from, to] of normalise(ranges)) {
    if (from > low) rest.push([low, from - 1]);
    low = to + 1;
  }
  if (low <= LAST_CODE_POINT) rest.push([low, LAST_CODE_POINT]);
  return rest;
}

/** Adds the other case of every ASCII letter; letters beyond ASCII keep their case (documented). */
export function foldCase(ranges: readonly Range[]): readonly Range[] {
  const other = (from: number, to: number, shift: number): Range[] =>
    ranges.flatMap(([low, high]): Range[] => {
      const [a, b] = [Math.max(low, from), Math.min(high, to)];
      return a <= b ? [[a + shift, b + shift]] : [];
    });
  return normalise([...ranges, ...other(0x41, 0x5a, 32), ...other(0x61, 0x7a, -32)]);
}

export function contains(ranges: readonly Range[], code: number): boolean {
  return ranges.some(([low, high]) => low <= code && code <= high);
}

import { type Assertion, complement, type Range } from "./regex-ast.ts";
import { fail } from "./regex-problem.ts";

/** Where the parser stands in the pattern; `at` moves. */
export interface Cursor {
  readonly text: string;
  at: number;
}

export type Escape =
  | { readonly kind: "char"; readonly code: number }
  | { readonly kind: "set"; readonly ranges: readonly Range[] }
  | { readonly kind: "assert"; readonly what: Assertion };

const DIGIT: readonly Range[] = [[0x30, 0x39]];
export const WORD: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];

const set = (ranges: readonly Range[]): Escape => ({ kind: "set", ranges });
const char = (code: number): Escape => ({ kind: "char", code });

const NAMED: Readonly<Record<string, Escape>> = {
  d: set(DIGIT),
  D: set(complement(DIGIT)),
  w: set(WORD),
  W: set(complement(WORD)),
  s: set(SPACE),
  S: set(complement(SPACE)),
  t: char(0x09),
  n: char(0x0a),
  v: char(0x0b),
  f: char(0x0c),
  r: char(0x0d),
  b: { kind: "assert", what: "word-edge" },
  B: { kind: "assert", what: "no-word-edge" },
};

const HINTS: Readonly<Record<string, string>> = {
  A: "write ^ for the start of the text",
  z: "write $ for the end of the text",
  Z: "write $ for the end of the text",
  p: "Unicode properties are not supported: list the ranges in a class, such as [\\u0400-\\u04ff]",
  P: "Unicode properties are not supported: list the ranges in a class, such as [^\\u0400-\\u04ff]",
  c: "write a control character as \\xHH",
};

/** Reads what follows a backslash; the cursor stands on the backslash. */
export function readEscape(cursor: Cursor): Escape {
  const start = cursor.at;
  const letter = cursor.text.charAt(start + 1);
  cursor.at = start + 2;
  if (letter === "") fail(start, "a backslash at the end escapes nothing", "write \\\\ for one");
  if (Object.hasOwn(NAMED, letter)) return NAMED[letter]!;
  if (letter === "0") return readNul(cursor, start);
  if (/[1-9k]/.test(letter)) refuseBackreference(start);
  if (letter === "x") return char(readHex(cursor, start, /[0-9a-fA-F]{2}/y));
  if (letter === "u") return char(readUnicode(cursor, start));
  if (/[!-/:-@[-`{-~ ]/.test(letter)) return char(letter.charCodeAt(0));
  fail(
    start,
    `unknown escape \\${String.fromCodePoint(cursor.text.codePointAt(start + 1)!)}`,
    (Object.hasOwn(HINTS, letter) && HINTS[letter]) || "write \\\\ for a backslash itself",
  );
}

function readNul(cursor: Cursor, start: number): Escape {
  if (/\d/.test(cursor.text.charAt(cursor.at)))
    fail(start, "octal escapes are not supported", "write \\xHH");
  return char(0);
}

function refuseBackreference(start: number): never {
  fail(
    start,
    "backreferences are not supported",
    "patterns run in linear time, which rules them out: spell the repeated part again",
  );
}

function readHex(cursor: Cursor, start: number, digits: RegExp): number {
  digits.lastIndex = cursor.at;
  const found = digits.exec(cursor.text);
  if (!found)
    fail(start, "incomplete character escape", "write \\xHH, \\uHHHH or \\u{H…} with hex digits");
  cursor.at = digits.lastIndex;
  return Number.parseInt(found[0].replace(/[{}]/g, ""), 16);
}

function readUnicode(cursor: Cursor, start: number): number {
  if (cursor.text.charAt(cursor.at) === "{") return readBraced(cursor, start);
  const high = readHex(cursor, start, /[0-9a-fA-F]{4}/y);
  const low = /\\u([dD][c-fC-F][0-9a-fA-F]{2})/y;
  low.lastIndex = cursor.at;
  const pair = high >= 0xd800 && high <= 0xdbff ? low.exec(cursor.text) : null;
  if (!pair) return codePoint(high, start);
  cursor.at = low.lastIndex;
  return 0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(pair[1]!, 16) - 0xdc00);
}

function readBraced(cursor: Cursor, start: number): number {
  const code = readHex(cursor, start, /\{[0-9a-fA-F]+\}/y);
  if (code > 0x10ffff) fail(start, "no such character", "code points end at \\u{10FFFF}");
  return codePoint(code, start);
}

/** Text arrives as UTF-8, where half of a surrogate pair cannot occur. */
export function codePoint(code: number, at: number): number {
  if (code >= 0xd800 && code <= 0xdfff)
    fail(at, "half of a surrogate pair never occurs in text", "write the whole character, \\u{H…}");
  return code;
}

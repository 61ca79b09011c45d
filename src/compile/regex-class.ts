import { complement, foldCase, normalise, type Range } from "./regex-ast.ts";
import { codePoint, type Cursor, readEscape } from "./regex-escape.ts";
import { fail } from "./regex-problem.ts";

/** Reads `[…]`; the cursor stands on the opening bracket. `negation` matches what may negate it. */
export function readClass(cursor: Cursor, ignoreCase: boolean, negation = /\^/): readonly Range[] {
  const start = cursor.at++;
  const negated = negation.test(cursor.text.charAt(cursor.at));
  if (negated) cursor.at++;
  const ranges: Range[] = [];
  while (cursor.text.charAt(cursor.at) !== "]") {
    if (cursor.at >= cursor.text.length)
      fail(start, "a class that is never closed", "add ], or write \\[ for a bracket itself");
    ranges.push(...readMember(cursor));
  }
  cursor.at++;
  if (ranges.length === 0)
    fail(start, "an empty class", "write \\] for a bracket itself, [\\s\\S] for any character");
  const folded = ignoreCase ? foldCase(ranges) : normalise(ranges);
  return negated ? complement(folded) : folded;
}

/** One character, one shorthand such as \d, or one range. */
function readMember(cursor: Cursor): readonly Range[] {
  const start = cursor.at;
  const low = readUnit(cursor);
  const ranged = cursor.text.charAt(cursor.at) === "-" && cursor.text.charAt(cursor.at + 1) !== "]";
  if (!ranged || cursor.at + 1 >= cursor.text.length)
    return typeof low === "number" ? [[low, low]] : low;
  cursor.at++;
  const high = readUnit(cursor);
  if (typeof low !== "number" || typeof high !== "number")
    fail(start, "a range needs a character on both sides", "write \\- for a hyphen itself");
  if (low > high) fail(start, "a range that runs backwards", "put the lower character first");
  return [[low, high]];
}

function readUnit(cursor: Cursor): number | readonly Range[] {
  const start = cursor.at;
  if (cursor.text.charAt(start) === "\\") return readEscapedUnit(cursor);
  if (/^\[:\^?[a-z]+:\]/.test(cursor.text.slice(start, start + 20)))
    fail(start, "POSIX classes are not supported", "write \\d, \\w, \\s or the ranges themselves");
  const code = codePoint(cursor.text.codePointAt(start)!, start);
  cursor.at += code > 0xffff ? 2 : 1;
  return code;
}

function readEscapedUnit(cursor: Cursor): number | readonly Range[] {
  const start = cursor.at;
  const escape = readEscape(cursor);
  if (escape.kind === "char") return escape.code;
  if (escape.kind === "set") return escape.ranges;
  // As in JavaScript: inside a class \b is the backspace character.
  if (escape.what === "word-edge") return 0x08;
  fail(start, "\\B has no meaning in a class", "take it out of the brackets");
}

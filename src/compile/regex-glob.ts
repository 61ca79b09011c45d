import { ANY, assertion, complement, type Pattern, setOf } from "./regex-ast.ts";
import { readClass } from "./regex-class.ts";
import { codePoint, type Cursor } from "./regex-escape.ts";
import { attempt, fail, type RegexProblem, tooLarge } from "./regex-problem.ts";

const MAX_DEPTH = 20;
const SLASH = 0x2f;

interface State extends Cursor {
  depth: number;
}

/**
 * Parses a glob that the whole value must match. `*` and `?` stay within a path segment and match a
 * leading dot too; two stars cross segments, and as a whole segment also stand for none of them.
 */
export function parseGlob(
  source: string,
): { readonly pattern: Pattern } | { readonly problem: RegexProblem } {
  return attempt(() => {
    if (source === "") fail(0, "an empty glob", "write the glob after glob:");
    if (source.startsWith("!"))
      fail(0, "a glob cannot be negated", "write \\! for an exclamation mark itself");
    const state: State = { text: source, at: 0, depth: 0 };
    const parts = [assertion("text-start"), readParts(state, true), assertion("text-end")];
    return { pattern: { kind: "sequence", parts } };
  });
}

const inSegment = setOf(...complement([[SLASH, SLASH]]));
const anything: Pattern = { kind: "repeat", body: setOf(...ANY), min: 0, max: Infinity };
const anyFolders: Pattern = {
  kind: "repeat",
  body: { kind: "sequence", parts: [anything, setOf([SLASH, SLASH])] },
  min: 0,
  max: 1,
};

/** Reads to the end, or inside braces to the next `,` or `}`. */
function readParts(state: State, atSegmentStart: boolean): Pattern {
  const parts: Pattern[] = [];
  let fresh = atSegmentStart;
  while (state.at < state.text.length) {
    const next = state.text.charAt(state.at);
    if (state.depth > 0 && /[,}]/.test(next)) break;
    parts.push(readPart(state, fresh));
    fresh = state.text.charAt(state.at - 1) === "/";
  }
  return { kind: "sequence", parts };
}

function readPart(state: State, atSegmentStart: boolean): Pattern {
  const start = state.at;
  const first = state.text.charAt(start);
  if (/[?*+@!]/.test(first) && state.text.charAt(start + 1) === "(")
    fail(start, "extended globs are not supported", "write \\( for a parenthesis, or use a regex");
  if (first === "*") return readStars(state, atSegmentStart);
  if (first === "{") return readBraces(state, atSegmentStart);
  if (first === "[") return withoutSlash(state);
  if (first === "}") fail(start, "a } without its {", "write \\} for a brace itself");
  if (first === "\\") state.at++;
  if (state.at >= state.text.length)
    fail(start, "a backslash at the end escapes nothing", "write \\\\ for one");
  const code = codePoint(state.text.codePointAt(state.at)!, state.at);
  state.at += code > 0xffff ? 2 : 1;
  return first === "?" ? inSegment : setOf([code, code]);
}

function readStars(state: State, atSegmentStart: boolean): Pattern {
  const stars = /\*+(\/?)/y;
  stars.lastIndex = state.at;
  const [whole, slash] = stars.exec(state.text)!;
  const count = whole.length - slash!.length;
  const folders = count > 1 && atSegmentStart && slash === "/";
  state.at += folders ? whole.length : count;
  if (folders) return anyFolders;
  return count > 1 ? anything : { kind: "repeat", body: inSegment, min: 0, max: Infinity };
}

function readBraces(state: State, atSegmentStart: boolean): Pattern {
  const start = state.at;
  if (++state.depth > MAX_DEPTH) tooLarge(`braces nest up to ${MAX_DEPTH} deep`, start);
  const options: Pattern[] = [];
  do {
    state.at++;
    options.push(readParts(state, atSegmentStart));
  } while (state.text.charAt(state.at) === ",");
  if (state.at >= state.text.length)
    fail(start, "a { that is never closed", "add }, or write \\{ for a brace itself");
  if (options.length === 1)
    fail(start, "braces with one alternative", "write {a,b}, or \\{ for a brace itself");
  state.at++;
  state.depth--;
  return { kind: "choice", options };
}

/** A class never crosses a segment, however it is written. */
function withoutSlash(state: State): Pattern {
  const ranges = readClass(state, false, /[!^]/);
  return setOf(...complement([...complement(ranges), [SLASH, SLASH]]));
}

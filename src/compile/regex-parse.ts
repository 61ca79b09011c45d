import { ANY, assertion, complement, foldCase, type Pattern, setOf } from "./regex-ast.ts";
import { readClass } from "./regex-class.ts";
import { codePoint, type Cursor, readEscape } from "./regex-escape.ts";
import { attempt, fail, type RegexProblem, tooLarge } from "./regex-problem.ts";

/** Repetition counts go this far, and groups nest this deep. */
const MAX_COUNT = 1000;
const MAX_DEPTH = 100;

interface State extends Cursor {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  depth: number;
}

/**
 * Parses a user's regular expression: JavaScript's syntax without backreferences and lookaround.
 * `i` folds ASCII letters only; `.` is any code point but a line feed, and lines end at a line feed.
 */
export function parseRegex(
  source: string,
  flags = "",
): { readonly pattern: Pattern } | { readonly problem: RegexProblem } {
  return attempt(() => {
    const state = open(source, flags);
    const pattern = readChoice(state);
    if (state.at < source.length)
      fail(state.at, "a ) without its (", "write \\) for a parenthesis itself");
    return { pattern };
  });
}

/** Checks the flags, those of a leading `(?ims)` too. */
function open(source: string, flags: string): State {
  const inline = /^\(\?([A-Za-z]+)\)/.exec(source);
  const all = flags + (inline?.[1] ?? "");
  const unknown = /[^ims]/.exec(all);
  if (unknown) fail(0, `unknown flag "${unknown[0]}"`, "the flags are i, m and s");
  return {
    text: source,
    at: inline?.[0].length ?? 0,
    ignoreCase: all.includes("i"),
    multiline: all.includes("m"),
    dotAll: all.includes("s"),
    depth: 0,
  };
}

function readChoice(state: State): Pattern {
  const options = [readSequence(state)];
  while (eat(state, "|")) options.push(readSequence(state));
  return options.length === 1 ? options[0]! : { kind: "choice", options };
}

/** An empty operand would match everywhere, and is nearly always a slip: it has to be said as `?`. */
function readSequence(state: State): Pattern {
  const parts: Pattern[] = [];
  while (state.at < state.text.length && !/[|)]/.test(state.text.charAt(state.at)))
    parts.push(readItem(state));
  if (parts.length === 0)
    fail(state.at, "nothing here to match", "fill it, or write (…)? for an optional part");
  return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
}

function readItem(state: State): Pattern {
  const start = state.at;
  const body = readAtom(state);
  const count = readCount(state);
  if (!count) return body;
  if (body.kind === "assert" && state.text.charAt(start) !== "(") refuseRepeat(start);
  if (eat(state, "+"))
    fail(state.at - 1, "possessive repeats are not supported", "leave out the second +");
  eat(state, "?"); // Laziness changes where a match ends, never whether there is one.
  return { kind: "repeat", body, ...count };
}

const refuseRepeat = (at: number): never =>
  fail(at, "nothing to repeat", "put a character or a group before it, or escape it with \\");

const SIMPLE: Readonly<Record<string, readonly [number, number]>> = {
  "*": [0, Infinity],
  "+": [1, Infinity],
  "?": [0, 1],
};

function readCount(state: State): { min: number; max: number } | undefined {
  const simple = SIMPLE[state.text.charAt(state.at)];
  if (simple) {
    state.at++;
    return { min: simple[0], max: simple[1] };
  }
  const found = countAt(state);
  if (!found) return undefined;
  const [whole, low, comma, high] = found;
  const min = Number(low);
  const max = comma === undefined ? min : high ? Number(high) : Infinity;
  if (min > max) fail(state.at, `{${low},${high}} counts backwards`, "put the lower count first");
  if (min > MAX_COUNT || (max > MAX_COUNT && max !== Infinity))
    tooLarge(`repetition counts go up to ${MAX_COUNT}`, state.at);
  state.at += whole.length;
  return { min, max };
}

/** A brace that is no count is a plain brace, as in JavaScript. */
function countAt(state: Cursor): RegExpExecArray | null {
  const count = /\{(\d+)(,(\d*))?\}/y;
  count.lastIndex = state.at;
  return count.exec(state.text);
}

function readAtom(state: State): Pattern {
  const start = state.at;
  const first = state.text.charAt(start);
  if (first === "(") return readGroup(state);
  if (first === "[") return { kind: "set", ranges: readClass(state, state.ignoreCase) };
  if (first === "\\") return readEscaped(state);
  if (Object.hasOwn(SIMPLE, first) || countAt(state)) refuseRepeat(start);
  const code = codePoint(state.text.codePointAt(start)!, start);
  state.at += code > 0xffff ? 2 : 1;
  if (first === ".")
    return { kind: "set", ranges: state.dotAll ? ANY : complement([[0x0a, 0x0a]]) };
  if (first === "^") return assertion(state.multiline ? "line-start" : "text-start");
  if (first === "$") return assertion(state.multiline ? "line-end" : "text-end");
  return character(state, code);
}

function readEscaped(state: State): Pattern {
  const escape = readEscape(state);
  return escape.kind === "char" ? character(state, escape.code) : escape;
}

function character(state: State, code: number): Pattern {
  return state.ignoreCase ? { kind: "set", ranges: foldCase([[code, code]]) } : setOf([code, code]);
}

function readGroup(state: State): Pattern {
  const start = state.at;
  if (++state.depth > MAX_DEPTH) tooLarge(`groups nest up to ${MAX_DEPTH} deep`, start);
  state.at += groupHead(state.text.slice(start), start);
  const body = readChoice(state);
  if (!eat(state, ")"))
    fail(start, "a ( that is never closed", "add ), or write \\( for a parenthesis itself");
  state.depth--;
  return body;
}

const REFUSED: readonly (readonly [RegExp, string, string])[] = [
  [/^\(\?<?[=!]/, "lookaround is not supported", "patterns run in linear time: use two conditions"],
  [/^\(\?>/, "atomic groups are not supported", "write (?:…): the answer is the same"],
  [/^\(\?P</, "this way to name a group is not supported", "write (?<name>…)"],
  [/^\(\?[a-zA-Z-]*[:)]/, "flags belong at the very start", "start the pattern with (?i)"],
];

/** How many characters open the group. */
function groupHead(rest: string, at: number): number {
  const known = /^\((?:\?:|\?<[A-Za-z_$][\w$]*>|(?!\?))/.exec(rest);
  if (known) return known[0].length;
  for (const [form, message, hint] of REFUSED) if (form.test(rest)) fail(at, message, hint);
  fail(at, "unknown kind of group", "write (…), (?:…) or (?<name>…)");
}

function eat(state: State, char: string): boolean {
  if (state.text.charAt(state.at) !== char) return false;
  state.at++;
  return true;
}

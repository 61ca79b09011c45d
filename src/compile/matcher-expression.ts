import { attempt, fail, type RegexProblem } from "./regex-problem.ts";

/** `path = value` or `path ~ value`; the numbers are 0-based positions in the text. */
export interface Comparison {
  readonly path: string;
  readonly pathAt: number;
  readonly op: "=" | "~";
  readonly value: string;
  readonly valueAt: number;
  readonly quoted: boolean;
}

interface State {
  readonly text: string;
  at: number;
}

/** Splits `a = "x" and b ~ "y"` into its comparisons; stops at the first thing it cannot read. */
export function splitExpression(
  text: string,
): { readonly comparisons: readonly Comparison[] } | { readonly problem: RegexProblem } {
  return attempt(() => {
    const state: State = { text, at: 0 };
    const comparisons = [readComparison(state)];
    while (readJoin(state)) comparisons.push(readComparison(state));
    return { comparisons };
  });
}

function readComparison(state: State): Comparison {
  const path = readPath(state);
  const op = readOperator(state);
  const value = readValue(state, op);
  return { ...path, op, ...value };
}

function readPath(state: State): { path: string; pathAt: number } {
  skipSpace(state);
  const pathAt = state.at;
  const path = take(state, /[^\s=~!<>&|"'():,;]+/y);
  if (state.text.charAt(pathAt) === "(")
    fail(pathAt, "parentheses are not supported", "every condition must hold: join them with and");
  if (path?.toLowerCase() === "not")
    fail(pathAt, "negation is not supported", "describe what should match");
  if (path === undefined || /^(and|or)$/i.test(path))
    fail(pathAt, "a field is missing here", 'write field = "value", such as tool_name = "Bash"');
  return { path, pathAt };
}

const OPERATOR_HINTS: Readonly<Record<string, string>> = {
  "==": "write =",
  "=~": "write ~",
  "~=": "write ~",
  "!=": "negation is not supported: describe what should match",
  "!~": "negation is not supported: describe what should match",
  ":": "write =",
};

function readOperator(state: State): "=" | "~" {
  skipSpace(state);
  const start = state.at;
  const op = take(state, /[=~!<>:&|^*+]+|[^\s"']+/y);
  if (op === "=" || op === "~") return op;
  if (op === undefined) fail(start, "an operator is missing here", "the operators are = and ~");
  const hint = Object.hasOwn(OPERATOR_HINTS, op)
    ? OPERATOR_HINTS[op]!
    : "the operators are = and ~";
  fail(start, `unknown operator "${op}"`, hint);
}

type Value = Pick<Comparison, "value" | "valueAt" | "quoted">;

function readValue(state: State, op: "=" | "~"): Value {
  skipSpace(state);
  const valueAt = state.at;
  const value = /["']/.test(state.text.charAt(valueAt)) ? readQuoted(state) : readBare(state, op);
  if (/[^\s&]/.test(state.text.charAt(state.at)))
    fail(state.at, "something follows the value without a space", "quote the whole value");
  return { ...value, valueAt };
}

/** Only \" is an escape, so that a regex such as "\brm\b" stands as it was meant. */
function readQuoted(state: State): Omit<Value, "valueAt"> {
  const start = state.at;
  const token = take(state, /"(?:\\"|[^"])*"|'[^']*'/y);
  if (token === undefined)
    fail(start, "a quote that is never closed", "add it; to end a value with \\ use single quotes");
  const inner = token.slice(1, -1);
  return { value: token.startsWith('"') ? inner.replaceAll('\\"', '"') : inner, quoted: true };
}

function readBare(state: State, op: "=" | "~"): Omit<Value, "valueAt"> {
  const start = state.at;
  const value = take(state, /(?:(?!&&)[^\s"'])+/y);
  if (value === undefined || /^(and|or|\|\|)$/i.test(value))
    fail(start, "a value is missing here", "write it in quotes");
  // A list or a second comparison written without spaces would pass as one strange text.
  if (op === "=" && !/^(glob:|\/)/.test(value) && /[=~,;()]/.test(value))
    fail(start, `"${value}" is more than a word`, "quote it, or write A|B for alternatives");
  return { value, quoted: false };
}

/** True after `and`, false at the end. */
function readJoin(state: State): boolean {
  skipSpace(state);
  if (state.at >= state.text.length) return false;
  const start = state.at;
  const word = take(state, /&&|[^\s"']+|["']/y)!;
  if (/^(and|&&)$/i.test(word)) return true;
  if (/^(or|\|\|)$/i.test(word))
    fail(start, `"${word}" is not supported`, "write A|B for alternatives, or a second hook");
  fail(
    start,
    `"${word}" was not expected here`,
    "join conditions with and; quote values with spaces",
  );
}

function skipSpace(state: State): void {
  take(state, /\s+/y);
}

function take(state: State, form: RegExp): string | undefined {
  form.lastIndex = state.at;
  const found = form.exec(state.text);
  if (found) state.at = form.lastIndex;
  return found?.[0];
}

import type { Pattern } from "./regex-ast.ts";
import { requiredLiteral } from "./regex-literal.ts";
import { minimise } from "./regex-minimise.ts";
import { buildNfa } from "./regex-nfa.ts";
import { attempt, type RegexProblem, tooLarge } from "./regex-problem.ts";
import { type Dfa, subsetDfa } from "./regex-subset.ts";

const MAX_STATES = 2000;
const MAX_CLASSES = 99;

/**
 * Compiles a pattern into the text of an automaton that reads UTF-8 bytes and tells whether the
 * pattern occurs anywhere. A pure function of the language: equal patterns give equal text.
 *
 *     anyhook-dfa 1 <states> <classes>
 *     <a literal that every match contains, escaped; may be empty>
 *     <class of byte 0 … 255, two digits each>
 *     <A|E|.><next state per class, four digits each>     one line per state, the start first
 *
 * A = matched, stop reading; E = matched if the text ends here; next state 0000 = no match any more.
 */
export function compileDfa(
  pattern: Pattern,
): { readonly automaton: string } | { readonly problem: RegexProblem } {
  return attempt(() => {
    const small = shrink(subsetDfa(buildNfa(pattern)));
    return { automaton: print(small, requiredLiteral(pattern)) };
  });
}

interface Row {
  readonly flag: "A" | "E" | ".";
  /** Next state per byte class of the unminimised automaton, numbered from 1; 0 = dead. */
  readonly next: number[];
}

interface Small {
  readonly classOf: Uint8Array;
  readonly rows: readonly Row[];
}

/** One row per group of equal states, numbered in the order in which reading can first reach them. */
function shrink(dfa: Dfa): Small {
  const group = minimise(dfa);
  const numbers = new Map<number, number>();
  const queue: number[] = [];
  const numberOf = (state: number): number => {
    const known = numbers.get(group[state]!);
    if (known !== undefined) return known;
    if (queue.length > 0 && isTrap(dfa, group, state) && dfa.accepting[state] === 0) return 0;
    if (queue.length >= MAX_STATES) tooLarge("the automaton would have too many states");
    numbers.set(group[state]!, queue.push(state));
    return queue.length;
  };
  numberOf(0);
  const rows: Row[] = [];
  for (const state of queue) {
    const next = [...targets(dfa, state)].map(numberOf);
    rows.push({ flag: flagOf(dfa, group, state), next });
  }
  return { classOf: dfa.classOf, rows: rows.length === 1 ? [withoutLoop(rows[0]!)] : rows };
}

const targets = (dfa: Dfa, state: number): Int32Array =>
  dfa.next.subarray(state * dfa.classes, (state + 1) * dfa.classes);

const isTrap = (dfa: Dfa, group: Int32Array, state: number): boolean =>
  targets(dfa, state).every((to) => group[to] === group[state]);

function flagOf(dfa: Dfa, group: Int32Array, state: number): Row["flag"] {
  if (dfa.accepting[state] === 0) return ".";
  return isTrap(dfa, group, state) ? "A" : "E";
}

/** A start that can never match anything is as dead as state 0, which has no row of its own. */
const withoutLoop = (row: Row): Row =>
  row.flag === "." ? { flag: ".", next: row.next.map(() => 0) } : row;

function print({ classOf, rows }: Small, literal: string): string {
  const columns = mergeColumns(rows, Math.max(...classOf) + 1);
  const classes = Math.max(...columns) + 1;
  if (classes > MAX_CLASSES) tooLarge("the pattern tells too many characters apart");
  const map = Array.from(classOf, (old) => pad(columns[old]!, 2)).join("");
  const firsts = Array.from({ length: classes }, (_, c) => columns.indexOf(c));
  const lines = rows.map(
    (row) => row.flag + firsts.map((column) => pad(row.next[column]!, 4)).join(""),
  );
  const head = `anyhook-dfa 1 ${rows.length} ${classes}`;
  return `${[head, escapeLiteral(literal), map, ...lines].join("\n")}\n`;
}

/** Byte classes that became equal when the states did. */
function mergeColumns(rows: readonly Row[], width: number): readonly number[] {
  const ids = new Map<string, number>();
  return Array.from({ length: width }, (_, column) => {
    const key = rows.map((row) => row.next[column]).join();
    if (!ids.has(key)) ids.set(key, ids.size);
    return ids.get(key)!;
  });
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
};

const escapeLiteral = (text: string): string => text.replace(/[\\\n\t\r]/g, (c) => ESCAPES[c]!);

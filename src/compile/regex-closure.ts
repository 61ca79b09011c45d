import type { Assertion } from "./regex-ast.ts";
import type { Nfa } from "./regex-nfa.ts";
import { tooLarge } from "./regex-problem.ts";

/** What came just before: nothing, a line feed, a word character, or anything else. */
export const PREVIOUS = { start: 0, newline: 1, word: 2, other: 3 } as const;
export type Previous = (typeof PREVIOUS)[keyof typeof PREVIOUS];

/** What comes next: a byte, the end, or not known yet. */
export const END = -1;
export const UNKNOWN = -2;

export interface Reach {
  /** Nodes that wait: for a byte, or to learn what comes next. Sorted. */
  readonly waiting: Int32Array;
  readonly undecided: boolean;
  readonly matched: boolean;
}

export type Walk = (seeds: Iterable<number>, previous: Previous, next: number) => Reach;

/** Some tenths of a second, whatever the pattern. */
const MAX_WORK = 10_000_000;

const isWord = (byte: number): boolean =>
  byte >= 0 && /\w/.test(String.fromCharCode(byte)) && byte < 0x80;

const LOOKS: Readonly<Record<Assertion, (previous: Previous, next: number) => boolean>> = {
  "text-start": (previous) => previous === PREVIOUS.start,
  "line-start": (previous) => previous <= PREVIOUS.newline,
  "text-end": (_, next) => next === END,
  "line-end": (_, next) => next === END || next === 0x0a,
  "word-edge": (previous, next) => (previous === PREVIOUS.word) !== isWord(next),
  "no-word-edge": (previous, next) => (previous === PREVIOUS.word) === isWord(next),
};

const looksBack = (what: Assertion): boolean => what === "text-start" || what === "line-start";

/** Gives a walker over the steps of the graph that read no byte; it gives up after bounded work. */
export function createWalk(nfa: Nfa): Walk {
  const seen = new Int32Array(nfa.nodes.length);
  const prune = createPrune(nfa);
  let round = 0;
  let work = 0;
  return (seeds, previous, next) => {
    round++;
    const stack = [...seeds];
    const waiting: number[] = [];
    let [undecided, matched] = [false, false];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (seen[id] === round) continue;
      seen[id] = round;
      if (++work > MAX_WORK) tooLarge("the pattern has too many ways to match");
      const node = nfa.nodes[id]!;
      if (node.op === "match") matched = true;
      else if (node.op === "fork") stack.push(...node.next);
      else if (node.op === "bytes") waiting.push(id);
      else if (next === UNKNOWN && !(node.op === "look" && looksBack(node.what))) {
        undecided = true;
        waiting.push(id);
      } else if (
        node.op === "look"
          ? LOOKS[node.what](previous, next)
          : next === END || nfa.sets[node.set]![next] === 0
      )
        stack.push(node.next);
    }
    return { waiting: prune(waiting), undecided, matched };
  };
}

/** Keeps the strongest of twins: without it `rm.{0,80}x` would need a state per set of distances. */
function createPrune({ twin, rank }: Nfa): (waiting: number[]) => Int32Array {
  const strongest = new Int32Array(twin.length);
  return (waiting) => {
    for (const id of waiting) strongest[twin[id]!] = id;
    for (const id of waiting) {
      const other = strongest[twin[id]!]!;
      if (rank[id]! > rank[other]!) strongest[twin[id]!] = id;
    }
    return Int32Array.from(waiting.filter((id) => strongest[twin[id]!] === id)).sort();
  };
}

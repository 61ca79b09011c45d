import {
  createWalk,
  END,
  PREVIOUS,
  type Previous,
  type Reach,
  UNKNOWN,
  type Walk,
} from "./regex-closure.ts";
import { WORD } from "./regex-escape.ts";
import type { Nfa } from "./regex-nfa.ts";
import { tooLarge } from "./regex-problem.ts";

/** A complete automaton over byte classes; state 0 is the start. */
export interface Dfa {
  readonly classOf: Uint8Array;
  readonly classes: number;
  /** 1 where a text that ends in this state has matched. */
  readonly accepting: Uint8Array;
  /** Next state of state × classes + class. */
  readonly next: Int32Array;
}

interface State extends Reach {
  /** Only what can still change an answer, so that equal futures are one state. */
  readonly previous: Previous;
}

/** Before minimising; every state of the small automaton has some mid-character twins here. */
const MAX_RAW_STATES = 16_000;

/** Follows all ways of the graph at once: one state per set of places to be in. */
export function subsetDfa(nfa: Nfa): Dfa {
  const walk = createWalk(nfa);
  const classOf = byteClasses(nfa);
  const representatives = firstBytes(classOf);
  const classes = representatives.length;
  const { states, idOf } = createStates();
  const next: number[] = [];
  idOf(enter(walk, [nfa.start], PREVIOUS.start));
  for (let at = 0; at < states.length; at++)
    for (const byte of representatives) next.push(idOf(step(nfa, walk, states[at]!, byte)));
  const accepting = states.map((state) => Number(endsWell(walk, state)));
  return {
    classOf,
    classes,
    accepting: Uint8Array.from(accepting),
    next: Int32Array.from(next),
  };
}

function createStates(): { states: readonly State[]; idOf: (state: State) => number } {
  const states: State[] = [];
  const ids = new Map<string, number>();
  const idOf = (state: State): number => {
    const key = state.matched ? "matched" : `${state.previous}:${state.waiting.join()}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    if (states.length >= MAX_RAW_STATES) tooLarge("the pattern has too many ways to match");
    ids.set(key, states.length);
    return states.push(state) - 1;
  };
  return { states, idOf };
}

function enter(walk: Walk, seeds: readonly number[], previous: Previous): State {
  const reach = walk(seeds, previous, UNKNOWN);
  return { ...reach, previous: reach.undecided ? previous : PREVIOUS.other };
}

function step(nfa: Nfa, walk: Walk, state: State, byte: number): State {
  if (state.matched) return state;
  const reach = state.undecided ? walk(state.waiting, state.previous, byte) : state;
  if (reach.matched) return { ...state, matched: true };
  const seeds: number[] = [];
  for (const id of reach.waiting) {
    const node = nfa.nodes[id]!;
    if (node.op === "bytes" && nfa.sets[node.set]![byte] === 1) seeds.push(node.next);
  }
  return enter(walk, seeds, previousOf(byte));
}

function endsWell(walk: Walk, state: State): boolean {
  return state.matched || walk(state.waiting, state.previous, END).matched;
}

const WORD_SET = new Uint8Array(256);
for (const [low, high] of WORD) WORD_SET.fill(1, low, high + 1);
const NEWLINE_SET = new Uint8Array(256).fill(1, 0x0a, 0x0b);

function previousOf(byte: number): Previous {
  if (byte === 0x0a) return PREVIOUS.newline;
  return WORD_SET[byte] === 1 ? PREVIOUS.word : PREVIOUS.other;
}

/** Bytes that no set of the graph tells apart share a class. */
function byteClasses(nfa: Nfa): Uint8Array {
  const looks = new Set(nfa.nodes.flatMap((node) => (node.op === "look" ? [node.what] : [])));
  const sets = [...nfa.sets];
  if (looks.has("word-edge") || looks.has("no-word-edge")) sets.push(WORD_SET);
  if (looks.has("line-start") || looks.has("line-end")) sets.push(NEWLINE_SET);
  let classOf = new Uint8Array(256);
  for (const set of sets) {
    const ids = new Map<number, number>();
    classOf = classOf.map((old, byte) => {
      const key = old * 2 + set[byte]!;
      if (!ids.has(key)) ids.set(key, ids.size);
      return ids.get(key)!;
    });
  }
  return classOf;
}

function firstBytes(classOf: Uint8Array): readonly number[] {
  const first: number[] = [];
  classOf.forEach((id, byte) => {
    first[id] ??= byte;
  });
  return first;
}

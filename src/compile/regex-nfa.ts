import { ANY, type Assertion, type Pattern, type Range } from "./regex-ast.ts";
import { tooLarge } from "./regex-problem.ts";
import { type Step, utf8Sequences } from "./regex-utf8.ts";

export type NfaNode =
  | { readonly op: "bytes"; readonly set: number; readonly next: number }
  | { readonly op: "fork"; readonly next: number[] }
  | { readonly op: "look"; readonly what: Assertion; readonly next: number }
  /** Passes when no byte of the set comes next. */
  | { readonly op: "unless"; readonly set: number; readonly next: number }
  | { readonly op: "match" };

export interface Nfa {
  readonly nodes: readonly NfaNode[];
  /** Each set as 256 zeros and ones. */
  readonly sets: readonly Uint8Array[];
  readonly start: number;
  /**
   * Copies of a repeated part: nodes with the same twin are the same place in different copies, and
   * what the one of lower rank can still match, the one of higher rank can match as well.
   */
  readonly twin: readonly number[];
  readonly rank: readonly number[];
}

const MAX_NODES = 60_000;
const MAX_STEPS = 200_000;

interface Builder {
  readonly nodes: NfaNode[];
  readonly sets: Uint8Array[];
  readonly setIds: Map<string, number>;
  readonly twin: number[];
  readonly rank: number[];
  steps: number;
}

/** The pattern as a graph over bytes that searches: any characters first, then a match. */
export function buildNfa(pattern: Pattern): Nfa {
  const builder: Builder = { nodes: [], sets: [], setIds: new Map(), twin: [], rank: [], steps: 0 };
  const match = add(builder, { op: "match" });
  const body = build(builder, openEnd(pattern), match);
  const next: number[] = [];
  const start = add(builder, { op: "fork", next });
  // The way to the match is over whole characters, so that no match starts inside one.
  next.push(body, buildSet(builder, ANY, start));
  return { ...builder, start };
}

/** Anything may follow a match, so a count at the very end needs no upper bound. */
function openEnd(pattern: Pattern): Pattern {
  if (pattern.kind === "repeat") return { ...pattern, max: Infinity };
  if (pattern.kind === "choice") return { ...pattern, options: pattern.options.map(openEnd) };
  if (pattern.kind !== "sequence" || pattern.parts.length === 0) return pattern;
  return { ...pattern, parts: [...pattern.parts.slice(0, -1), openEnd(pattern.parts.at(-1)!)] };
}

function add(builder: Builder, node: NfaNode): number {
  const id = builder.nodes.push(node) - 1;
  if (id >= MAX_NODES) tooLarge("lower the repetition counts");
  builder.twin.push(id);
  builder.rank.push(0);
  return id;
}

/** Builds from the end: every part knows what follows it. Returns the entry. */
function build(builder: Builder, pattern: Pattern, next: number): number {
  // Repeats of things that need no node would otherwise spin unseen.
  if (++builder.steps > MAX_STEPS) tooLarge("lower the repetition counts");
  switch (pattern.kind) {
    case "set":
      return buildSet(builder, pattern.ranges, next);
    case "sequence":
      return pattern.parts.reduceRight((after, part) => build(builder, part, after), next);
    case "choice":
      return fork(
        builder,
        pattern.options.map((option) => build(builder, option, next)),
      );
    case "repeat":
      return buildRepeat(builder, pattern, next);
    case "assert":
      return add(builder, { op: "look", what: pattern.what, next });
  }
}

function fork(builder: Builder, next: number[]): number {
  return next.length === 1 ? next[0]! : add(builder, { op: "fork", next });
}

type Repeat = Extract<Pattern, { kind: "repeat" }>;

/** x{2,4} is xx(x(x)?)? and x{2,} is xxx*. */
function buildRepeat(builder: Builder, repeat: Repeat, next: number): number {
  if (repeat.max === Infinity) return buildOpenRepeat(builder, repeat, next);
  const copies: Copy[] = [];
  let entry = next;
  for (let i = repeat.min; i < repeat.max; i++) {
    copies.push(buildCopy(builder, repeat.body, entry));
    entry = fork(builder, [copies.at(-1)!.entry, next]);
  }
  // More copies to choose from is more.
  rankCopies(builder, copies, 1);
  for (let i = 0; i < repeat.min; i++) entry = build(builder, repeat.body, entry);
  return entry;
}

function buildOpenRepeat(builder: Builder, { body, min }: Repeat, next: number): number {
  const loop: number[] = [next];
  const entry = add(builder, { op: "fork", next: loop });
  const copies = [buildCopy(builder, body, entry)];
  loop.push(copies[0]!.entry);
  for (let i = 0; i < min; i++)
    copies.push(buildCopy(builder, body, i === 0 ? entry : copies.at(-1)!.entry));
  // More copies still to provide is less.
  rankCopies(builder, copies, -1);
  return min === 0 ? entry : copies.at(-1)!.entry;
}

interface Copy {
  readonly entry: number;
  readonly from: number;
  readonly to: number;
}

function buildCopy(builder: Builder, body: Pattern, next: number): Copy {
  const from = builder.nodes.length;
  const entry = build(builder, body, next);
  return { entry, from, to: builder.nodes.length };
}

/** Copies are built alike, so the same offset is the same place. An outer repeat overrules an inner one. */
function rankCopies(builder: Builder, copies: readonly Copy[], sign: 1 | -1): void {
  if (copies.length < 2) return;
  copies.forEach(({ from, to }, index) => {
    for (let id = from; id < to; id++) {
      builder.twin[id] = copies[0]!.from + id - from;
      builder.rank[id] = sign * index;
    }
  });
}

/** Sequences with the same tail share it, so `.` is some twenty nodes and not sixty. */
function buildSet(builder: Builder, ranges: readonly Range[], next: number): number {
  const tails = new Map<string, { ranges: Range[]; tail: readonly Step[] }>();
  for (const [head, ...tail] of utf8Sequences(ranges)) {
    const key = JSON.stringify(tail);
    const group = tails.get(key) ?? { ranges: [], tail };
    group.ranges.push(...head!.ranges);
    tails.set(key, group);
  }
  const chains = new Map<string, number>();
  return fork(
    builder,
    [...tails.values()].map((group) =>
      chain(builder, [{ ranges: group.ranges, not: false }, ...group.tail], next, chains),
    ),
  );
}

function chain(
  builder: Builder,
  steps: readonly Step[],
  next: number,
  chains: Map<string, number>,
): number {
  const [first, ...rest] = steps;
  if (!first) return next;
  const key = JSON.stringify(steps);
  const known = chains.get(key);
  if (known !== undefined) return known;
  const after = chain(builder, rest, next, chains);
  const set = internSet(builder, first.ranges);
  const id = add(builder, { op: first.not ? "unless" : "bytes", set, next: after });
  chains.set(key, id);
  return id;
}

function internSet(builder: Builder, ranges: readonly Range[]): number {
  const key = ranges.join(";");
  const known = builder.setIds.get(key);
  if (known !== undefined) return known;
  const set = new Uint8Array(256);
  for (const [low, high] of ranges) set.fill(1, low, high + 1);
  builder.setIds.set(key, builder.sets.length);
  return builder.sets.push(set) - 1;
}

import type { Dfa } from "./regex-subset.ts";

/** Groups of states of which no text can tell the members apart. */
interface Partition {
  /** The states, each group in one piece; `place` is where a state stands. */
  readonly order: Int32Array;
  readonly place: Int32Array;
  readonly groupOf: Int32Array;
  readonly first: number[];
  readonly end: number[];
  /** How many members at the front of each group the current splitter has marked. */
  readonly marked: number[];
}

/** Hopcroft's algorithm. Gives the group of every state; numbers have no meaning beyond equality. */
export function minimise(dfa: Dfa): Int32Array {
  const partition = splitByAcceptance(dfa.accepting);
  const sources = invert(dfa);
  const queue = [...partition.first.keys()];
  const queued = new Set(queue);
  for (let group = queue.pop(); group !== undefined; group = queue.pop()) {
    queued.delete(group);
    // A copy: the group may itself be split on the way.
    const members = partition.order.slice(partition.first[group], partition.end[group]);
    for (let c = 0; c < dfa.classes; c++)
      for (const [kept, made] of refine(partition, sources, members, c)) {
        const size = (g: number): number => partition.end[g]! - partition.first[g]!;
        const chosen = queued.has(kept) || size(made) <= size(kept) ? made : kept;
        queued.add(chosen);
        queue.push(chosen);
      }
  }
  return partition.groupOf;
}

function splitByAcceptance(accepting: Uint8Array): Partition {
  const states = [...accepting.keys()];
  const groups = [0, 1]
    .map((flag) => states.filter((state) => accepting[state] === flag))
    .filter((group) => group.length > 0);
  const order = Int32Array.from(groups.flat());
  const place = new Int32Array(order.length);
  order.forEach((state, at) => (place[state] = at));
  const groupOf = new Int32Array(order.length);
  groups.forEach((group, id) => group.forEach((state) => (groupOf[state] = id)));
  const first = groups.map((_, id) => (id === 0 ? 0 : groups[0]!.length));
  const end = groups.map((group, id) => first[id]! + group.length);
  return { order, place, groupOf, first, end, marked: groups.map(() => 0) };
}

interface Sources {
  /** Where the sources of state × classes + class start in `list`; one entry more than needed. */
  readonly start: Int32Array;
  readonly list: Int32Array;
  readonly classes: number;
}

/** Who leads to a state under a class. */
function invert({ next, classes }: Dfa): Sources {
  const start = new Int32Array(next.length + 1);
  next.forEach((to, at) => start[to * classes + (at % classes) + 1]!++);
  for (let i = 1; i < start.length; i++) start[i]! += start[i - 1]!;
  const free = start.slice();
  const list = new Int32Array(next.length);
  next.forEach((to, at) => {
    list[free[to * classes + (at % classes)]!++] = Math.floor(at / classes);
  });
  return { start, list, classes };
}

/** Splits every group that only partly leads into `members`; gives the pairs kept and made. */
function refine(
  partition: Partition,
  { start, list, classes }: Sources,
  members: Int32Array,
  c: number,
): (readonly [number, number])[] {
  const touched: number[] = [];
  for (const member of members) {
    const slot = member * classes + c;
    for (let i = start[slot]!; i < start[slot + 1]!; i++) mark(partition, list[i]!, touched);
  }
  return touched.flatMap((group) => split(partition, group));
}

function mark(partition: Partition, state: number, touched: number[]): void {
  const { order, place, groupOf, first, marked } = partition;
  const group = groupOf[state]!;
  const [from, to] = [place[state]!, first[group]! + marked[group]!];
  if (marked[group]!++ === 0) touched.push(group);
  const other = order[to]!;
  [order[from], order[to]] = [other, state];
  [place[other], place[state]] = [from, to];
}

/** The marked members move out into a new group, unless all of them are marked. */
function split(partition: Partition, group: number): (readonly [number, number])[] {
  const { order, groupOf, first, end, marked } = partition;
  const middle = first[group]! + marked[group]!;
  marked[group] = 0;
  if (middle === end[group]) return [];
  const made = first.length;
  first.push(first[group]!);
  end.push(middle);
  marked.push(0);
  first[group] = middle;
  for (let i = first[made]!; i < middle; i++) groupOf[order[i]!] = made;
  return [[group, made]];
}

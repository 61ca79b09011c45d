import { accepts, parseAutomaton } from "../dispatch/automaton.ts";

/** Longer than any sensible text that a matcher looks for. */
const LONGEST = 400;

/**
 * The shortest text of the given characters in which a pattern occurs; undefined when there is none.
 * Breadth first over the automaton: of the ways into a state only the first is kept.
 */
export function sample(dfa: string, characters: string): string | undefined {
  const automaton = parseAutomaton(dfa);
  const { text, classOf, firstRow, rowLength } = automaton;
  // One character per class is enough, and the first of them reads best.
  const steps = new Map<number, string>();
  for (const one of characters) {
    const kind = classOf[one.charCodeAt(0)]!;
    if (!steps.has(kind)) steps.set(kind, one);
  }
  const seen = new Set([1]);
  let ways: { readonly state: number; readonly text: string }[] = [{ state: 1, text: "" }];
  for (let length = 0; length <= LONGEST && ways.length > 0; length++) {
    const found = ways.find((way) => accepts(automaton, Buffer.from(way.text)));
    if (found) return found.text;
    ways = ways.flatMap((way) =>
      [...steps].flatMap(([kind, one]) => {
        const at = firstRow + (way.state - 1) * rowLength + 1 + 4 * kind;
        const state = Number(text.slice(at, at + 4));
        if (state === 0 || seen.has(state)) return [];
        seen.add(state);
        return [{ state, text: way.text + one }];
      }),
    );
  }
  return undefined;
}

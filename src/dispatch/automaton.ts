/** A compiled pattern, read where it lies: a dispatch walks a few rows and never needs the rest. */
export interface Automaton {
  readonly text: string;
  /** Class of every byte. */
  readonly classOf: Uint8Array;
  /** Where the row of state 1 starts in the text, and how long a row is with its line end. */
  readonly firstRow: number;
  readonly rowLength: number;
}

const BYTES = 256;
const ACCEPTED = 0x41; // A
const ACCEPTS_AT_END = 0x45; // E

/** Reads what `compileDfa` wrote. Throws when it is anything else: a stored file was damaged. */
export function parseAutomaton(text: string): Automaton {
  const head = /^anyhook-dfa 1 (\d+) (\d+)\n[^\n]*\n(?=\d{512}\n)/.exec(text);
  const rowLength = 1 + 4 * Number(head?.[2]) + 1;
  const firstRow = (head?.[0].length ?? 0) + 2 * BYTES + 1;
  if (!head || text.length !== firstRow + Number(head[1]) * rowLength)
    throw new Error("not an automaton, or a part of one");
  const classOf = new Uint8Array(BYTES);
  for (let byte = 0; byte < BYTES; byte++)
    classOf[byte] = digits(text, firstRow - 513 + 2 * byte, 2);
  return { text, classOf, firstRow, rowLength };
}

/** Whether the pattern occurs in the bytes. One table step per byte, no way back. */
export function accepts(automaton: Automaton, bytes: Uint8Array): boolean {
  const { text, classOf, firstRow, rowLength } = automaton;
  let row = firstRow;
  for (const byte of bytes) {
    if (text.charCodeAt(row) === ACCEPTED) return true;
    const state = digits(text, row + 1 + 4 * classOf[byte]!, 4);
    if (state === 0) return false;
    row = firstRow + (state - 1) * rowLength;
  }
  const flag = text.charCodeAt(row);
  return flag === ACCEPTED || flag === ACCEPTS_AT_END;
}

function digits(text: string, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) value = value * 10 + text.charCodeAt(i) - 0x30;
  return value;
}

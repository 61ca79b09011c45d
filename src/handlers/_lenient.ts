/**
 * JSON as models write it when they almost write it: single quotes, keys without quotes, trailing
 * commas, True, False and None, line breaks inside texts. undefined when it is something else.
 */
export function lenient(text: string): unknown {
  const reader = { text, at: 0 };
  try {
    const value = readValue(reader, 0);
    skip(reader);
    return reader.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof Odd) return undefined;
    throw error;
  }
}

class Odd extends Error {}

interface Reader {
  readonly text: string;
  at: number;
}

const DEEPEST = 20;

const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};

function readValue(r: Reader, depth: number): unknown {
  if (depth > DEEPEST) throw new Odd();
  skip(r);
  const c = r.text[r.at];
  if (c === "{") return readObject(r, depth);
  if (c === "[") return readArray(r, depth);
  if (c === '"' || c === "'") return readText(r, c);
  const word = take(r, /[\w.+-]+/y);
  if (Object.hasOwn(WORDS, word)) return WORDS[word];
  if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return Number(word);
  throw new Odd();
}

function readObject(r: Reader, depth: number): Record<string, unknown> {
  const members: [string, unknown][] = [];
  r.at++;
  while (!ends(r, "}")) {
    const c = r.text[r.at];
    const key = c === '"' || c === "'" ? readText(r, c) : take(r, /[A-Za-z_]\w*/y);
    expect(r, ":");
    members.push([key, readValue(r, depth + 1)]);
    if (!ends(r, "}", false)) expect(r, ",");
  }
  // A member that is said twice, and differently, says nothing.
  if (new Set(members.map(([key]) => key)).size !== members.length) throw new Odd();
  return Object.fromEntries(members);
}

function readArray(r: Reader, depth: number): unknown[] {
  const items: unknown[] = [];
  r.at++;
  while (!ends(r, "]")) {
    items.push(readValue(r, depth + 1));
    if (!ends(r, "]", false)) expect(r, ",");
  }
  return items;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function readText(r: Reader, quote: string): string {
  let out = "";
  for (r.at++; r.text[r.at] !== quote; r.at++) {
    const c = r.text[r.at];
    if (c === undefined) throw new Odd();
    if (c !== "\\") {
      out += c;
      continue;
    }
    const escaped = r.text[++r.at] ?? "";
    const hex = escaped === "u" ? /^[0-9a-fA-F]{4}/.exec(r.text.slice(r.at + 1))?.[0] : undefined;
    if (escaped === "" || (escaped === "u" && hex === undefined)) throw new Odd();
    out +=
      hex === undefined ? (ESCAPES[escaped] ?? escaped) : String.fromCharCode(parseInt(hex, 16));
    r.at += hex === undefined ? 0 : 4;
  }
  r.at++;
  return out;
}

/** Whether the bracket is next; it is taken unless one only looks. */
function ends(r: Reader, bracket: string, takes = true): boolean {
  skip(r);
  if (r.text[r.at] === undefined) throw new Odd();
  if (r.text[r.at] !== bracket) return false;
  if (takes) r.at++;
  return true;
}

function expect(r: Reader, c: string): void {
  skip(r);
  if (r.text[r.at] !== c) throw new Odd();
  r.at++;
}

function take(r: Reader, what: RegExp): string {
  what.lastIndex = r.at;
  const hit = what.exec(r.text)?.[0];
  if (hit === undefined) throw new Odd();
  r.at += hit.length;
  return hit;
}

function skip(r: Reader): void {
  while (r.at < r.text.length && " \t\r\n\uFEFF".includes(r.text[r.at]!)) r.at++;
}

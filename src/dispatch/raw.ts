/**
 * Splicing JSON by its text, so that what a hook or a harness wrote stays as written: numbers keep
 * their digits and both lanes print the same bytes. Right for valid JSON only; of anything else it is
 * sure that they end.
 */
export interface Member {
  readonly key: string;
  /** Raw text of the key, with its quotes. */
  readonly name: string;
  /** Raw text of the value. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Top-level members, in order; of two with the same key the last counts. What is no object has none. */
export function membersOf(text: string): Member[] {
  const members = new Map<string, Member>();
  let at = skipSpace(text, 0) + 1;
  if (text[at - 1] !== "{") return [];
  for (;;) {
    at = skipSpace(text, at);
    if (text[at] === "," || text[at] === undefined) at = skipSpace(text, at + 1);
    if (text[at] !== '"') return [...members.values()];
    const keyEnd = skipString(text, at);
    const name = text.slice(at, keyEnd);
    const key = JSON.parse(name) as string;
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, start);
    members.delete(key);
    members.set(key, { key, name, value: text.slice(start, end), start, end });
    at = end;
  }
}

/** Raw texts of a list's elements, with their places. */
export function elementsOf(text: string): Omit<Member, "key" | "name">[] {
  const elements: Omit<Member, "key" | "name">[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text[at] !== "]") {
    const end = skipValue(text, at);
    if (end === at) return elements;
    elements.push({ value: text.slice(at, end), start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return elements;
}

/** `patch` laid over `base`; base's keys keep their places. */
export function mergeObjects(base: string, patch: string, written = textKey): string {
  const over = new Map(membersOf(patch).map((member) => [written(member), member]));
  const show = (member: Member): string => `${written(member)}:${member.value}`;
  const kept = membersOf(base).map((member) => {
    const hit = over.get(written(member));
    over.delete(written(member));
    return show(hit ?? member);
  });
  return `{${[...kept, ...[...over.values()].map(show)].join(",")}}`;
}

/** The same for texts that hold bytes (latin1). */
export const mergeBytes = (base: string, patch: string): string =>
  mergeObjects(base, patch, ({ name }) => rawKey(name));

const textKey = ({ key }: Member): string => JSON.stringify(key.toWellFormed());

export const skipSpace = (text: string, at: number): number => {
  while (at < text.length && " \n\t\r".includes(text[at]!)) at++;
  return at;
};

function skipString(text: string, at: number): number {
  for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
  return at + 1;
}

function skipValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return skipString(text, at);
  if (first !== "{" && first !== "[") {
    while (at < text.length && !",}] \n\t\r".includes(text[at]!)) at++;
    return at;
  }
  let depth = 0;
  while (at < text.length) {
    const c = text[at];
    if (c === '"') {
      at = skipString(text, at);
      continue;
    }
    if (c === "{" || c === "[") depth++;
    else if (c === "}" || c === "]") depth--;
    at++;
    if (depth === 0) return at;
  }
  return at;
}

/** Text of a raw JSON string that holds bytes (latin1); anything else is no text. */
export function stringOf(raw: string): string {
  if (!raw.startsWith('"')) return "";
  return (JSON.parse(Buffer.from(raw, "latin1").toString("utf8")) as string).toWellFormed();
}

export const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");

/** As written, but for escapes, which are written as JSON.stringify would. */
export const rawKey = (name: string): string =>
  name.includes("\\") ? bytesOf(JSON.stringify(stringOf(name))) : name;

import { keysIn, sameKeys, statementEnd } from "./toml-text.ts";

interface Span {
  readonly from: number;
  readonly to: number;
}

/** `key = [ … ]`: a list that is written in one statement, which takes no `[[tables]]` beside it. */
export interface TomlList {
  /** Between its brackets. */
  readonly inner: Span;
  readonly elements: readonly Span[];
}

/** The list with these keys in a text that is known to be TOML, if it is written that way. */
export function listIn(text: string, keys: readonly string[]): TomlList | undefined {
  let table: readonly string[] | undefined = [];
  for (let at = 0; at < text.length;) {
    const header = /[ \t]*(\[\[?)([^\n]*)/y;
    header.lastIndex = at;
    const head = header.exec(text);
    const end = head ? at + head[0].length : statementEnd(text, at);
    if (head) table = head[1] === "[" ? keysIn(head[2]!) : undefined;
    else if (table) {
      const key = /^\s*((?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w.\t -])+)=[ \t]*\[/.exec(
        text.slice(at, end),
      );
      if (key && sameKeys([...table, ...keysIn(`${key[1]!}]`)], keys))
        return elementsIn(text, at + key[0].length - 1);
    }
    at = end + 1;
  }
  return undefined;
}

const TOKEN =
  /"""(?:[^\\]|\\[\s\S])*?"""+|'''[\s\S]*?'''+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{},]|\s+|[^"'#[\]{},\s]+/y;

/** The list that begins here, element by element. */
function elementsIn(text: string, from: number): TomlList {
  const elements: Span[] = [];
  let [depth, first, last] = [0, -1, -1];
  const token = new RegExp(TOKEN);
  token.lastIndex = from;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [word] = found;
    if (/^[\]}]$/.test(word)) depth--;
    const isEnd = depth === 0 && word === "]";
    if (isEnd || (depth === 1 && word === ",")) {
      if (first >= 0) elements.push({ from: first, to: last });
      first = -1;
      if (isEnd) return { inner: { from: from + 1, to: found.index }, elements };
    } else if (depth > 0 && !/^[\s#]/.test(word)) {
      if (first < 0) first = found.index;
      last = token.lastIndex;
    }
    if (/^[[{]$/.test(word)) depth++;
  }
  return { inner: { from: from + 1, to: text.length }, elements };
}

/** One element per line, before the closing bracket. */
export function withElements(
  text: string,
  { inner, elements }: TomlList,
  more: readonly string[],
  eol: string,
): string {
  const end = elements.at(-1)?.to ?? inner.from;
  const tail = text.slice(end, inner.to);
  const comma = elements.length > 0 && !/^\s*,/.test(tail) ? "," : "";
  const lines = more.map((one) => `${eol}  ${one},`).join("");
  return text.slice(0, end) + comma + tail.trimEnd() + lines + eol + text.slice(inner.to);
}

/** `blank`: what stood between the brackets when there was nothing in it. */
export function withoutElements(
  text: string,
  { inner, elements }: TomlList,
  gone: ReadonlySet<number>,
  blank: string,
): string {
  const after = elements.reduceRight((now, { from, to }, index) => {
    if (!gone.has(index)) return now;
    return now.slice(0, from).trimEnd() + now.slice(to).replace(/^\s*,/, "");
  }, text);
  const isBare = after.slice(inner.from, inner.to - (text.length - after.length)).trim() === "";
  if (gone.size === 0 || !isBare) return after;
  return text.slice(0, inner.from) + blank + text.slice(inner.to);
}

import { createScanner } from "jsonc-parser";
import { type CST, Parser } from "yaml";

/** Levels of lists and maps in a file. The parsers are recursive: beyond some thousands they crash. */
export const MOST_LEVELS = 100;

/** The offset at which a JSON text is nested too deeply, or undefined. */
export function tooDeepJson(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let level = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    // By its first character: a string starts with its quote.
    const first = text[scanner.getTokenOffset()]!;
    if (first === "{" || first === "[") level++;
    if (first === "}" || first === "]") level--;
    if (level > MOST_LEVELS) return scanner.getTokenOffset();
  }
  return undefined;
}

/** The same for YAML, whose first parser keeps a stack of its own. */
export function tooDeepYaml(text: string): number | undefined {
  if ((text.match(/[[{?:-]/g)?.length ?? 0) <= MOST_LEVELS) return undefined;
  const open: (readonly [CST.Token, number])[] = [];
  for (const token of new Parser().parse(text)) open.push([token, 0]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [token, level] = next;
    if (level > MOST_LEVELS) return token.offset;
    for (const inside of insideOf(token)) open.push([inside, level + 1]);
  }
  return undefined;
}

function insideOf(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value ? [token.value] : [];
  if (!("items" in token)) return [];
  return token.items.flatMap((item) =>
    [item.key, item.value].filter((one): one is CST.Token => Boolean(one)),
  );
}

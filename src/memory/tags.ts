import { TAGS, type Tag } from "./_memory.ts";

export interface Tagged {
  readonly tag: Tag;
  readonly scope: string;
  readonly text: string;
}

const NAMES = TAGS.join("|");
/** `#decision`, `#decision(user)`, `#decision[src/api]:`, at the start of a line or after a blank. */
const TAG = new RegExp(
  `(?<=^|[\\s(>*-])#(${NAMES})(?:[([]([\\w./@:-]{1,100})[)\\]])?:?(?=\\s|$)`,
  "gi",
);

const LONGEST = 1000;
const SHORTEST = 3;

/** Is there possibly one? Cheap, for lines of a transcript that are not worth decoding otherwise. */
export const mayHaveTags = (text: string): boolean => QUICK.test(text);
const QUICK = new RegExp(`#(?:${NAMES})`, "i");

/**
 * The self-tags of a text. What follows the tag on its line is remembered; a tag at the end of a
 * line is about what stands before it. Code, in fences or backquotes, and quotations are not read.
 */
export function tags(text: string): Tagged[] {
  return proseLines(text).flatMap(inLine);
}

function inLine(line: string): Tagged[] {
  const found = [...line.matchAll(TAG)];
  return found.flatMap((match, i) => {
    const from = match.index + match[0].length;
    const after = tidy(line.slice(from, found[i + 1]?.index ?? line.length));
    const before = found.length === 1 ? tidy(line.slice(0, match.index)) : "";
    const said = after.length >= SHORTEST ? after : before;
    if (said.length < SHORTEST) return [];
    const tag = match[1]!.toLowerCase() as Tag;
    return [{ tag, scope: scopeOf(match[2]), text: said.slice(0, LONGEST) }];
  });
}

/** Where it applies; nothing said is the project. */
const scopeOf = (written: string | undefined): string =>
  (written ?? "project").replace(/^\.\//, "").replace(/\/+$/, "") || "project";

const HIDDEN = "\u{F8FF}";

const tidy = (text: string): string =>
  text
    .replaceAll(HIDDEN, "#")
    .replaceAll(/[\u0000-\u001f\u007f]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s:–—-]+/, "")
    .replace(/[\s(>*–—-]+$/, "")
    .trim();

function proseLines(text: string): string[] {
  let fence = "";
  return text.split(/\r?\n/).flatMap((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === "") fence = mark;
      else if (mark.startsWith(fence)) fence = "";
      return [];
    }
    if (fence !== "" || /^\s*>/.test(line)) return [];
    // What stands in backquotes stays readable, and a tag in there is none.
    return [line.replaceAll(/`[^`]*`/g, (code) => code.replaceAll("#", HIDDEN))];
  });
}

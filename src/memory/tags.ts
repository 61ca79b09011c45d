import { TAGS, type Tag } from "./_memory.ts";
import { visible } from "./visible.ts";

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

/** More than is kept, so that no secret is cut in two before it is looked for. */
const LONGEST = 4000;
const SHORTEST = 3;
/** Nobody tags more in one message: what has more is a list of tags, not a list of memories. */
const MOST = 200;

/** Is there possibly one? Cheap, for lines of a transcript that are not worth decoding otherwise. */
export const mayHaveTags = (text: string): boolean => QUICK.test(text);
const QUICK = new RegExp(`#(?:${NAMES})`, "i");

/**
 * The self-tags of a text. What follows the tag on its line is remembered; a tag at the end of a
 * line is about what stands before it. Code, in fences or backquotes, and quotations are not read.
 */
export function tags(text: string): Tagged[] {
  return proseLines(text).flatMap(inLine).slice(0, MOST);
}

function inLine(line: string): Tagged[] {
  const found = [...line.matchAll(TAG)].slice(0, MOST + 1);
  return found.flatMap((match, i) => {
    const from = match.index + match[0].length;
    const after = tidy(line.slice(from, Math.min(found[i + 1]?.index ?? Infinity, from + LONGEST)));
    const isAlone = found.length === 1;
    const before = isAlone ? tidy(line.slice(0, match.index).slice(-LONGEST)) : "";
    const said = after.length >= SHORTEST ? after : before;
    if (said.length < SHORTEST) return [];
    const tag = match[1]!.toLowerCase() as Tag;
    return [{ tag, scope: scopeOf(match[2]), text: said }];
  });
}

/** Where it applies; nothing said is the project. */
const scopeOf = (written: string | undefined): string =>
  (written ?? "project").replace(/^\.\//, "").replace(/\/+$/, "") || "project";

const HIDDEN = "\u{F8FF}";

const tidy = (text: string): string =>
  visible(text.replaceAll(HIDDEN, "#"))
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s:–—-]+/, "")
    .replace(/[\s(>*–—-]+$/, "")
    .trim();

/** What a page does not show, nobody has said. */
const withoutComments = (text: string): string =>
  text
    .split("<!--")
    .map((part, i) => (i > 0 && part.includes("-->") ? part.slice(part.indexOf("-->") + 3) : part))
    .join(" ");

function proseLines(text: string): string[] {
  let fence = "";
  return withoutComments(text)
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, mark, info = ""] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
      if (mark !== undefined) {
        if (fence === "") fence = mark;
        // What has a word behind it opens a fence, and within another one it is text.
        else if (mark.startsWith(fence) && info.trim() === "") fence = "";
        return [];
      }
      if (fence !== "" || /^\s*>/.test(line)) return [];
      // What stands in backquotes stays readable, and a tag in there is none.
      return [line.replaceAll(/`[^`]*`/g, (code) => code.replaceAll("#", HIDDEN))];
    });
}

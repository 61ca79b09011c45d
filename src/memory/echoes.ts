import { closeSync, readSync } from "node:fs";
import type { Item } from "./_memory.ts";
import { mayHaveTags } from "./tags.ts";
import { openPlain } from "./transcript.ts";
import { type Turn, turnsOf } from "./turns.ts";

/** How far back in a transcript the output of tools is looked at. */
const LOOK_BACK = 2 * 1_048_576;

/**
 * An agent that reads out what a tool printed says somebody else's words: a file, a web page, an
 * issue. A tag among them is a candidate, which a person may accept.
 */
export function withoutEchoes(items: readonly Item[], printed: readonly string[]): Item[] {
  const heard = printed.map(bare).join("\n");
  const isEcho = ({ author, text }: Item): boolean =>
    author === "assistant" && heard.includes(bare(text));
  return items.map((item) => (isEcho(item) ? { ...item, status: "candidate" } : item));
}

/** Letters and digits: line numbers, quotation marks and fences make no difference. */
const bare = (text: string): string =>
  ` ${text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

/** What tools printed that has a tag in it. */
export const printedIn = (turns: readonly Turn[]): string[] =>
  turns.flatMap((turn) => (turn.type === "printed" ? [turn.text] : []));

/** The same of the part that was read before, as it may be an earlier turn that is read out. */
export function printedBefore(file: string, at: number): string[] {
  const from = Math.max(0, at - LOOK_BACK);
  const bytes = Buffer.alloc(at - from);
  const fd = openPlain(file);
  try {
    readSync(fd, bytes, 0, bytes.length, from);
  } finally {
    closeSync(fd);
  }
  return printedIn(bytes.toString("utf8").split("\n").filter(mayHaveTags).flatMap(turnsOf));
}

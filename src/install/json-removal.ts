import { getNodeValue, type Node } from "jsonc-parser";
import type { Json } from "../adapters/_settings.ts";
import type { Came, Ours } from "./editor.ts";
import { removal } from "./json-layout.ts";
import {
  applied,
  type Edit,
  type JsonText,
  jsonText,
  memberOf,
  type Members,
  nodeAt,
  sameJson,
} from "./json-text.ts";

export interface Leaving {
  readonly places: readonly (readonly string[])[];
  readonly ours: Ours;
  readonly came: Came | undefined;
  readonly base: Readonly<Record<string, Json>>;
}

/** The text without our part; the very same text when there is none of ours in it. */
export function removedFrom(
  file: string,
  written: string,
  format: "json" | "jsonc",
  { places, ours, came, base }: Leaving,
): string {
  const doc = jsonText(file, written, format);
  const edits = places.flatMap((at) => {
    const list = nodeAt(doc, at);
    return list ? [...ungrown(doc, list, at, ours)] : [];
  });
  if (edits.length === 0) return written;
  let text = applied(doc.text, edits);
  const change = (does: (now: JsonText) => readonly Edit[]): void => {
    text = applied(text, does(jsonText(file, text, format)));
  };
  const ways = came?.made ?? places.flatMap((at) => at.map((_, index) => at.slice(0, index + 1)));
  // Innermost first, and all of one depth at once: each pass reads the whole text.
  const depths = new Set(ways.map((at) => at.length).toSorted((a, b) => b - a));
  for (const depth of depths)
    change((now) =>
      pruned(
        now,
        distinct(ways).filter((at) => at.length === depth),
      ),
    );
  const blanks = came?.blanks ?? [];
  if (blanks.length > 0)
    change((now) => blanks.flatMap(({ at, text: by }) => blanked(now, at, by)));
  if (Object.keys(base).length > 0) change((now) => withoutBase(now, { places, ours, came, base }));
  return text;
}

/** What the harness wants beside hooks goes with the last of them, if it came with us. */
function withoutBase(doc: JsonText, { places, came, base }: Leaving): Edit[] {
  const members = getNodeValue(doc.root) as Members;
  if (places.some(([first = ""]) => first in members)) return [];
  const isOurs = (key: string): boolean =>
    came ? came.made.some((at) => at.length === 1 && at[0] === key) : isBare(members, base);
  const gone = Object.keys(base)
    .filter((key) => isOurs(key) && sameJson(members[key], base[key]))
    .flatMap((key) => memberOf(doc, doc.root, key) ?? []);
  return gone.length > 0 ? removal(doc, doc.root, new Set(gone)) : [];
}

/** Nothing in it but what the harness wants there. */
export const isBare = (value: Json, base: Readonly<Record<string, Json>>): boolean =>
  Object.entries(value as object).every(([key, one]) => key in base && sameJson(one, base[key]));

function* ungrown(doc: JsonText, list: Node, at: readonly string[], ours: Ours): Iterable<Edit> {
  const gone = new Set<Node>();
  for (const element of list.children ?? []) {
    const commands = ours(at, getNodeValue(element) as Json);
    if (commands === "all") gone.add(element);
    else if (commands.length > 0) yield* inside(doc, element, commands);
  }
  if (gone.size > 0) yield* removal(doc, list, gone);
}

/** Our command in an entry that has others as well: the innermost list lets go of it. */
function* inside(doc: JsonText, element: Node, commands: readonly string[]): Iterable<Edit> {
  const holders = new Map<Node, Set<Node>>();
  const visit = (node: Node, list: Node | undefined, item: Node | undefined): void => {
    if (node.type === "string" && commands.includes(node.value as string) && list && item)
      holders.set(list, (holders.get(list) ?? new Set()).add(item));
    for (const child of node.children ?? []) {
      if (node.type === "array") visit(child, node, child);
      else visit(child, list, item);
    }
  };
  visit(element, undefined, undefined);
  for (const [list, items] of holders) yield* removal(doc, list, items);
}

function containerAt(doc: JsonText, at: readonly string[]): Node | undefined {
  let node: Node | undefined = doc.root;
  for (const key of at) node = node && memberOf(doc, node, key)?.children?.[1];
  return node;
}

const isEmptied = (node: Node | undefined): node is Node => node?.children?.length === 0;

const distinct = (ways: readonly (readonly string[])[]): (readonly string[])[] => [
  ...new Map(ways.map((at) => [at.join("\0"), at])).values(),
];

/** Removed where they are empty. */
function pruned(doc: JsonText, ways: readonly (readonly string[])[]): Edit[] {
  const gone = new Map<Node, Set<Node>>();
  for (const at of ways) {
    const parent = containerAt(doc, at.slice(0, -1));
    const member = parent && memberOf(doc, parent, at.at(-1)!);
    if (parent && member && isEmptied(member.children?.[1]))
      gone.set(parent, (gone.get(parent) ?? new Set()).add(member));
  }
  return [...gone].flatMap(([parent, members]) => removal(doc, parent, members));
}

/** An empty container was not always as empty as that. */
function blanked(doc: JsonText, at: readonly string[], text: string): Edit[] {
  const node = containerAt(doc, at);
  return isEmptied(node) ? [{ offset: node.offset + 1, length: node.length - 2, text }] : [];
}

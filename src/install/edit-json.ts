import { getNodeValue, type Node } from "jsonc-parser";
import type { Json } from "../adapters/_contract.ts";
import { type Added, insertion, removal } from "./json-layout.ts";
import {
  applied,
  type JsonText,
  jsonText,
  KINDS,
  memberOf,
  type Members,
  refusalAt,
  sameJson,
} from "./json-text.ts";
import { Refusal } from "./refusal.ts";
import type { Editor, Entry, Ours } from "./editor.ts";

/** Settings in JSON, edited where our part is and nowhere else. */
export function jsonEditor(
  file: string,
  format: "json" | "jsonc",
  base: Readonly<Record<string, Json>> = {},
): Editor {
  return {
    entries: (text, at) => entriesAt(jsonText(file, text, format), at),
    add: (text, entries) => add(jsonText(file, text, format), entries, base, format),
    remove: (text, places, ours, made) =>
      remove(jsonText(file, text, format), places, ours, made, base, format),
    isEmpty: (text) => isBare(getNodeValue(jsonText(file, text, format).root) as Json, base),
  };
}

const isBare = (value: Json, base: Readonly<Record<string, Json>>): boolean =>
  Object.entries(value as object).every(([key, one]) => key in base && sameJson(one, base[key]));

function entriesAt(doc: JsonText, at: readonly string[]): readonly Json[] {
  const list = nodeAt(doc, at);
  return list ? (getNodeValue(list) as readonly Json[]) : [];
}

/** The list at the end of the keys; undefined when something on the way is missing. */
function nodeAt(doc: JsonText, at: readonly string[]): Node | undefined {
  let node = doc.root;
  for (const [index, key] of at.entries()) {
    const next = memberOf(doc, node, key)?.children?.[1];
    if (!next) return undefined;
    const wanted = index === at.length - 1 ? "array" : "object";
    if (next.type !== wanted) throw misfit(doc, next, at.slice(0, index + 1), wanted);
    node = next;
  }
  return node;
}

const misfit = (doc: JsonText, node: Node, at: readonly string[], wanted: string): Refusal =>
  refusalAt(
    doc.file,
    doc.text,
    node,
    `${at.join(".")} is ${KINDS[node.type]}, and ${KINDS[wanted]} is expected`,
  );

interface Growth {
  readonly members: Map<Node, Members>;
  readonly elements: Map<Node, Json[]>;
  /** Keys of the containers that were not there. */
  readonly made: string[][];
}

function add(
  doc: JsonText,
  entries: readonly Entry[],
  base: Readonly<Record<string, Json>>,
  format: "json" | "jsonc",
): { text: string; made: string[][] } {
  const growth: Growth = { members: new Map(), elements: new Map(), made: [] };
  for (const [key, value] of Object.entries(base))
    if (!memberOf(doc, doc.root, key)) membersIn(growth, doc.root)[key] = value;
  for (const { at, value } of entries) grow(doc, growth, at, value);
  const edits = [
    ...[...growth.members].flatMap(([node, members]) =>
      insertion(
        doc,
        node,
        Object.entries(members).map(([key, value]): Added => ({ key, value })),
      ),
    ),
    ...[...growth.elements].flatMap(([node, values]) =>
      insertion(
        doc,
        node,
        values.map((value) => ({ value })),
      ),
    ),
  ];
  const text = ended(doc, applied(doc.text, edits));
  const after = jsonText(doc.file, text, format);
  for (const { at, value } of entries)
    if (!entriesAt(after, at).some((one) => sameJson(one, value))) throw unsafe(doc);
  return { text, made: growth.made };
}

/** A file that we write from nothing ends in a newline. */
const ended = (doc: JsonText, text: string): string =>
  doc.text === "{}" && !text.endsWith("\n") ? `${text}\n` : text;

const unsafe = ({ file }: JsonText): Refusal =>
  new Refusal(file, "it is laid out in a way that cannot be edited safely", {
    hint: "nothing was changed; format the file, then install again",
  });

function grow(doc: JsonText, growth: Growth, at: readonly string[], value: Json): void {
  let node = doc.root;
  for (const [index, key] of at.entries()) {
    const next = memberOf(doc, node, key)?.children?.[1];
    const isLast = index === at.length - 1;
    if (!next) return growNew(growth, membersIn(growth, node), at, index, value);
    const wanted = isLast ? "array" : "object";
    if (next.type !== wanted) throw misfit(doc, next, at.slice(0, index + 1), wanted);
    node = next;
  }
  const values = growth.elements.get(node) ?? [];
  growth.elements.set(node, [...values, value]);
}

function growNew(
  { made }: Growth,
  members: Members,
  at: readonly string[],
  from: number,
  value: Json,
): void {
  let here = members;
  for (let index = from; index < at.length; index++) {
    const key = at[index]!;
    if (!(key in here)) {
      made.push(at.slice(0, index + 1));
      here[key] = index === at.length - 1 ? [] : {};
    }
    if (index === at.length - 1) here[key] = [...(here[key] as Json[]), value];
    else here = here[key] as Members;
  }
}

function membersIn({ members }: Growth, node: Node): Members {
  const found = members.get(node) ?? {};
  members.set(node, found);
  return found;
}

/** One list after the other, from the text as it then is: a container may be emptied by the last. */
function remove(
  doc: JsonText,
  places: readonly (readonly string[])[],
  ours: Ours,
  made: readonly (readonly string[])[] | undefined,
  base: Readonly<Record<string, Json>>,
  format: "json" | "jsonc",
): string {
  let { text } = doc;
  const now = (): JsonText => jsonText(doc.file, text, format);
  const edits = places.flatMap((at) => {
    const list = nodeAt(doc, at);
    return list ? [...ungrown(doc, list, at, ours)] : [];
  });
  if (edits.length === 0) return text;
  text = applied(text, edits);
  const ways = made ?? places.flatMap((at) => at.map((_, index) => at.slice(0, index + 1)));
  for (const at of ways.toSorted((a, b) => b.length - a.length)) text = pruned(now(), at, text);
  const members = getNodeValue(now().root) as Members;
  // What the harness wants beside hooks goes with the last of them.
  if (!places.some(([first]) => first! in members) && isBare(members, base))
    for (const key of Object.keys(base)) text = without(now(), [key], text);
  return text;
}

function* ungrown(doc: JsonText, list: Node, at: readonly string[], ours: Ours) {
  const gone = new Set<Node>();
  for (const element of list.children ?? []) {
    const commands = ours(at, getNodeValue(element) as Json);
    if (commands === "all") gone.add(element);
    else if (commands.length > 0) yield* inside(doc, element, commands);
  }
  if (gone.size > 0) yield* removal(doc, list, gone);
}

/** Our command in an entry that has others as well: the innermost list lets go of it. */
function* inside(doc: JsonText, element: Node, commands: readonly string[]) {
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

/** Removed when it is empty. */
function pruned(doc: JsonText, at: readonly string[], text: string): string {
  let node: Node | undefined = doc.root;
  for (const key of at) node = node && memberOf(doc, node, key)?.children?.[1];
  return node && (node.children ?? []).length === 0 && node.children
    ? without(doc, at, text)
    : text;
}

function without(doc: JsonText, at: readonly string[], text: string): string {
  let node: Node | undefined = doc.root;
  for (const key of at.slice(0, -1)) node = node && memberOf(doc, node, key)?.children?.[1];
  const member = node && memberOf(doc, node, at.at(-1)!);
  return node && member ? applied(text, removal(doc, node, new Set([member]))) : text;
}

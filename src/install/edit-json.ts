import { getNodeValue, type Node } from "jsonc-parser";
import type { Json } from "../adapters/_settings.ts";
import { type Added, insertion } from "./json-layout.ts";
import {
  applied,
  type JsonText,
  jsonText,
  memberOf,
  misfit,
  nodeAt,
  type Members,
  sameJson,
} from "./json-text.ts";
import { Refusal } from "./refusal.ts";
import type { Blank, Editor, Entry } from "./editor.ts";
import { isBare, removedFrom } from "./json-removal.ts";

/** Settings in JSON, edited where our part is and nowhere else. */
export function jsonEditor(
  file: string,
  format: "json" | "jsonc",
  base: Readonly<Record<string, Json>> = {},
): Editor {
  // Asked for one event after the other, of files that may be large.
  let last: { readonly of: string; readonly doc: JsonText } | undefined;
  const read = (text: string): JsonText => {
    if (last?.of !== text) last = { of: text, doc: jsonText(file, text, format) };
    return last.doc;
  };
  return {
    entries: (text, at) => entriesAt(read(text), at),
    add: (text, entries) => add(read(text), entries, base, format),
    remove: (text, places, ours, came) =>
      removedFrom(file, text, format, { places, ours, came, base }),
    isEmpty: (text) => isBare(getNodeValue(read(text).root) as Json, base),
  };
}

function entriesAt(doc: JsonText, at: readonly string[]): readonly Json[] {
  const list = nodeAt(doc, at);
  return list ? (getNodeValue(list) as readonly Json[]) : [];
}

interface Growth {
  readonly members: Map<Node, Members>;
  readonly elements: Map<Node, Json[]>;
  /** Keys of the containers that were not there. */
  readonly made: string[][];
  /** What stood between the brackets of containers that were empty. */
  readonly blanks: Map<string, Blank>;
}

function add(
  doc: JsonText,
  entries: readonly Entry[],
  base: Readonly<Record<string, Json>>,
  format: "json" | "jsonc",
): ReturnType<Editor["add"]> {
  const growth: Growth = { members: new Map(), elements: new Map(), made: [], blanks: new Map() };
  for (const [key, value] of Object.entries(base))
    if (!memberOf(doc, doc.root, key)) {
      membersIn(growth, doc.root)[key] = value;
      growth.made.push([key]);
    }
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
  return { text, made: growth.made, blanks: [...growth.blanks.values()] };
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
    noteBlank(doc, growth, node, at.slice(0, index));
    if (!next) return growNew(growth, membersIn(growth, node), at, index, value);
    const wanted = isLast ? "array" : "object";
    if (next.type !== wanted) throw misfit(doc, next, at.slice(0, index + 1), wanted);
    node = next;
  }
  noteBlank(doc, growth, node, at);
  const values = growth.elements.get(node) ?? [];
  growth.elements.set(node, [...values, value]);
}

function noteBlank(
  { text }: JsonText,
  { blanks }: Growth,
  { offset, length, children = [] }: Node,
  at: readonly string[],
): void {
  if (children.length > 0) return;
  blanks.set(at.join("\0"), { at, text: text.slice(offset + 1, offset + length - 1) });
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

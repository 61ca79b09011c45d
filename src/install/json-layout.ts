import type { Node } from "jsonc-parser";
import type { Json } from "../adapters/_settings.ts";
import { type Edit, type JsonText, skipBlank } from "./json-text.ts";

/** New children at the end of an object or a list, laid out as their neighbours are. */
export function insertion(doc: JsonText, container: Node, added: readonly Added[]): Edit[] {
  const children = container.children ?? [];
  if (isInline(doc, container)) return inline(doc, container, added);
  const { eol, unit } = doc;
  const outer = indentAt(doc.text, container.offset);
  const inner = children.length > 0 ? childIndent(doc, children, outer) : outer + unit;
  const lines = added.map((one) => eol + inner + rendered(one, inner, doc));
  if (children.length === 0) return [intoEmpty(doc, container, lines.join(",") + eol + outer)];
  return afterLast(doc, children.at(-1)!, lines);
}

/** A member when it has a key, else an element. */
export interface Added {
  readonly key?: string;
  readonly value: Json;
}

const endOf = ({ offset, length }: Node): number => offset + length;

function isInline({ text, root }: JsonText, container: Node): boolean {
  const hasLines = (node: Node): boolean => text.slice(node.offset, endOf(node)).includes("\n");
  const isEmpty = (container.children ?? []).length === 0;
  if (!isEmpty) return !hasLines(container);
  return !hasLines(root) && (root.children ?? []).length > 0;
}

function inline(doc: JsonText, container: Node, added: readonly Added[]): Edit[] {
  const tight = !/[,:] /.test(doc.text.slice(container.offset, endOf(container)));
  const write = (value: Json): string =>
    tight ? JSON.stringify(value) : JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ");
  const items = added.map(({ key, value }) => {
    const name = key === undefined ? "" : `${JSON.stringify(key)}:${tight ? "" : " "}`;
    return name + write(value);
  });
  const comma = tight ? "," : ", ";
  const last = container.children?.at(-1);
  if (last) {
    return [{ offset: endOf(last), length: 0, text: comma + items.join(comma) }];
  }
  return [intoEmpty(doc, container, items.join(comma))];
}

function rendered({ key, value }: Added, indent: string, { unit, eol }: JsonText): string {
  const text = JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
  return key === undefined ? text : `${JSON.stringify(key)}: ${text}`;
}

/** Before the closing bracket, in place of the white space there; comments stay. */
function intoEmpty({ text }: JsonText, container: Node, content: string): Edit {
  const close = endOf(container) - 1;
  const from = container.offset + 1 + text.slice(container.offset + 1, close).trimEnd().length;
  return { offset: from, length: close - from, text: content };
}

/** A comment that stands behind the last child stays with it. */
function afterLast({ text }: JsonText, last: Node, lines: readonly string[]): Edit[] {
  const end = endOf(last);
  const next = skipBlank(text, end);
  const trails = text[next] === ",";
  const behind = trails ? next + 1 : end;
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?[ \t]*(?=\r?\n)/.exec(text.slice(behind));
  const at = behind + (rest?.[0].trimEnd().length ?? 0);
  const body = { offset: at, length: 0, text: lines.join(",") + (trails ? "," : "") };
  if (trails) return [body];
  if (at === end) return [{ ...body, text: `,${body.text}` }];
  return [{ offset: end, length: 0, text: "," }, body];
}

const indentAt = (text: string, offset: number): string => {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
};

function childIndent({ text, unit }: JsonText, children: readonly Node[], outer: string): string {
  const last = children.at(-1)!;
  const start = text.lastIndexOf("\n", last.offset - 1) + 1;
  return /^[ \t]*$/.test(text.slice(start, last.offset))
    ? text.slice(start, last.offset)
    : outer + unit;
}

/** Without some children: each goes with the white space before it and its comma. */
export function removal(doc: JsonText, container: Node, gone: ReadonlySet<Node>): Edit[] {
  const { text } = doc;
  const children = container.children ?? [];
  const kept = children.filter((one) => !gone.has(one));
  if (kept.length === 0) return emptied(doc, container);
  const commaAfter = (node: Node): number => {
    const at = skipBlank(text, endOf(node));
    return text[at] === "," ? at : -1;
  };
  const edits = children
    .filter((one) => gone.has(one))
    .map((one) => {
      const from = text.slice(0, one.offset).trimEnd().length;
      const comma = commaAfter(one);
      return { offset: from, length: (comma < 0 ? endOf(one) : comma + 1) - from, text: "" };
    });
  const last = children.at(-1)!;
  if (!gone.has(last) || commaAfter(last) >= 0) return edits;
  return [...edits, { offset: commaAfter(kept.at(-1)!), length: 1, text: "" }];
}

/** Nothing stays between the brackets but comments. */
function emptied({ text }: JsonText, container: Node): Edit[] {
  const [open, close] = [container.offset + 1, endOf(container) - 1];
  const children = container.children ?? [];
  const edges = [open, ...children.flatMap((one) => [one.offset, endOf(one)]), close];
  const between = edges
    .filter((_, index) => index % 2 === 0)
    .map((from, index) => text.slice(from, edges[index * 2 + 1]));
  const comments = between.map((part) => part.replace(COMMA, "$1")).join("");
  const left =
    comments.trim() === "" ? "" : comments.trimEnd() + (/\n\s*$/.exec(comments)?.[0] ?? "");
  return [{ offset: open, length: close - open, text: left }];
}

/** The comma between two children, behind whatever comments stand before it. */
const COMMA = /^((?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*),/;

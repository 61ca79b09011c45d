import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Json } from "../adapters/_settings.ts";
import { Refusal } from "./refusal.ts";

/** JSON as somebody wrote it: the tree with its offsets, and how it is laid out. */
export interface JsonText {
  readonly file: string;
  readonly text: string;
  readonly root: Node;
  /** One step of indentation. */
  readonly unit: string;
  readonly eol: string;
}

export interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** json: as strict as the harness that reads it; jsonc: with comments and trailing commas. */
export function jsonText(file: string, written: string, format: "json" | "jsonc"): JsonText {
  const text = written.trim() === "" ? "{}" : written;
  const errors: ParseError[] = [];
  const strict = format === "json";
  const root = parseTree(text, errors, {
    disallowComments: strict,
    allowTrailingComma: !strict,
  });
  const [first] = errors;
  if (first || !root) throw syntaxRefusal(file, text, first, strict);
  if (root.type !== "object")
    throw refusalAt(file, text, root, `an object is expected here, not ${KINDS[root.type]}`);
  return { file, text, root, unit: unitOf(text), eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function syntaxRefusal(file: string, text: string, error: ParseError | undefined, strict: boolean) {
  const what = error ? printParseErrorCode(error.error) : "ValueExpected";
  const isComment = what === "InvalidCommentToken";
  const message = isComment
    ? "a comment, which the harness does not read as JSON"
    : `not ${strict ? "JSON" : "JSON with comments"}: ${worded(what)}`;
  const hint = "correct it, then install again; nothing was changed";
  return new Refusal(file, message, { ...positionOf(text, error?.offset ?? 0), hint });
}

/** CommaExpected → comma expected */
const worded = (code: string): string => code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();

export function refusalAt(file: string, text: string, node: Node, message: string): Refusal {
  const hint = "nothing was changed; correct it by hand, then install again";
  return new Refusal(file, message, { ...positionOf(text, node.offset), hint });
}

export const KINDS: Readonly<Record<string, string>> = {
  ...{ array: "a list", object: "an object", string: "a text", null: "null" },
  ...{ number: "a number", boolean: "a boolean" },
};

/** 1-based, in characters. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** The first indented line shows it. */
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";

/** The one member of that name; two of a name are two truths, so neither is edited. */
export function memberOf({ file, text }: JsonText, object: Node, key: string): Node | undefined {
  const found = (object.children ?? []).filter((one) => one.children?.[0]?.value === key);
  if (found.length > 1) throw refusalAt(file, text, found[1]!, `"${key}" is there twice`);
  return found[0];
}

export function applied(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.offset - a.offset)
    .reduce((now, { offset, length, text: by }) => {
      return now.slice(0, offset) + by + now.slice(offset + length);
    }, text);
}

/** Past white space and comments. */
export function skipBlank(text: string, from: number): number {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.test(text);
  return blank.lastIndex;
}

export const sameJson = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export type Members = Record<string, Json>;

/** The list at the end of the keys; undefined when something on the way is missing. */
export function nodeAt(doc: JsonText, at: readonly string[]): Node | undefined {
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

export const misfit = (doc: JsonText, node: Node, at: readonly string[], wanted: string): Refusal =>
  refusalAt(
    doc.file,
    doc.text,
    node,
    `${at.join(".")} is ${KINDS[node.type]}, and ${KINDS[wanted]} is expected`,
  );

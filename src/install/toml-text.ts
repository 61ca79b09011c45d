import { parse, TomlError } from "smol-toml";
import { Refusal } from "./refusal.ts";

/** A `[table]` or `[[table]]` with the lines that belong to it. */
export interface Block {
  readonly keys: readonly string[];
  readonly isList: boolean;
  /** Offsets of the header's first character and behind its last line. */
  readonly from: number;
  readonly to: number;
}

export function tomlValue(file: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const [first = ""] = error.message.split("\n");
    const hint = "correct it, then install again; nothing was changed";
    throw new Refusal(file, `not TOML: ${first.replace(/^Invalid TOML document: /, "")}`, {
      ...{ line, column, hint },
    });
  }
}

/** The tables of a text that is known to be TOML, in order. */
export function blocksOf(text: string): Block[] {
  const heads: { at: number; keys: readonly string[]; isList: boolean }[] = [];
  const spans: { from: number; to: number }[] = [];
  let at = 0;
  while (at < text.length) {
    const header = /[ \t]*(\[\[?)([^\n]*)/y;
    header.lastIndex = at;
    const found = header.exec(text);
    const end = found ? at + found[0].length : statementEnd(text, at);
    if (found) heads.push({ at, keys: keysIn(found[2]!), isList: found[1] === "[[" });
    else if (text.slice(at, end).trim() !== "" && !/^\s*#/.test(text.slice(at, end)))
      spans.push({ from: at, to: end });
    at = end + 1;
  }
  return heads.map(({ at: from, keys, isList }, index) => {
    const next = heads[index + 1]?.at ?? text.length;
    const last = spans.findLast((span) => span.from > from && span.from < next);
    const line = text.indexOf("\n", from);
    const headEnd = line < 0 ? text.length : line + 1;
    return { keys, isList, from, to: Math.min(text.length, last ? last.to + 1 : headEnd) };
  });
}

/** Behind the last character of what begins here: lists and long texts go over lines. */
export function statementEnd(text: string, from: number): number {
  const token =
    /"""(?:[^\\]|\\[\s\S])*?"""+|'''[\s\S]*?'''+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}\n]|[^"'#[\]{}\n]+/y;
  token.lastIndex = from;
  let depth = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === "\n" && depth === 0) return token.lastIndex - 1;
    if (/^[[{]$/.test(found[0])) depth++;
    if (/^[\]}]$/.test(found[0])) depth--;
  }
  return text.length;
}

/** `hooks.state."a b"` of a header, up to its closing bracket. */
export function keysIn(header: string): string[] {
  const keys: string[] = [];
  const part = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*([.\]])/y;
  for (let found = part.exec(header); found; found = part.exec(header)) {
    const [, basic, literal, bare, then] = found;
    keys.push(basic === undefined ? (literal ?? bare)! : unescaped(basic));
    if (then === "]") break;
  }
  return keys;
}

const unescaped = (text: string): string => (parse(`k = "${text}"`) as { readonly k: string }).k;

export const sameKeys = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index]);

export const tomlKeys = (keys: readonly string[]): string => keys.map(tomlKey).join(".");

const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : tomlString(key));

/** A JSON string is a basic string of TOML, but for DEL. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

export function tomlLiteral(value: unknown): string {
  if (typeof value === "string") return tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const members = Object.entries(value).map(
    ([key, one]) => `${tomlKey(key)} = ${tomlLiteral(one)}`,
  );
  return `{ ${members.join(", ")} }`;
}

export const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

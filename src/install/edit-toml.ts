import type { Json } from "../adapters/_settings.ts";
import type { Blank, Editor, Entry } from "./editor.ts";
import { sameJson } from "./json-text.ts";
import { Refusal } from "./refusal.ts";
import { listIn, withElements, withoutElements } from "./toml-list.ts";
import {
  type Block,
  blocksOf,
  eolOf,
  sameKeys,
  tomlKeys,
  tomlLiteral,
  tomlValue,
} from "./toml-text.ts";

/**
 * Settings in TOML: our entries are `[[tables]]` at the end of the file, or elements of a list that
 * is there already (`hooks = []`), since TOML does not allow both.
 */
export function tomlEditor(file: string): Editor {
  return {
    entries: (text, at) => listAt(file, text, at),
    add: (text, entries) => added(file, text, entries),
    remove: (text, places, ours, came) =>
      places.reduce((now, at) => {
        const list = listIn(now, at);
        if (list) {
          const gone = listAt(file, now, at).flatMap((entry, index) =>
            ours(at, entry) === "all" ? [index] : [],
          );
          const blank = came?.blanks.find((one) => sameKeys(one.at, at))?.text ?? "";
          const left = withoutElements(now, list, new Set(gone), blank);
          if (listAt(file, left, at).length + gone.length !== list.elements.length)
            throw unsafe(file);
          return left;
        }
        const blocks = blocksOf(now).filter((one) => one.isList && sameKeys(one.keys, at));
        const gone = listAt(file, now, at).flatMap((entry, index) =>
          ours(at, entry) === "all" && blocks[index] ? [blocks[index]] : [],
        );
        return withoutBlocks(file, now, gone);
      }, text),
    isEmpty: (text) => Object.keys(tomlValue(file, text)).length === 0 && !text.includes("#"),
  };
}

function listAt(file: string, text: string, at: readonly string[]): readonly Json[] {
  let value: unknown = tomlValue(file, text);
  for (const key of at) value = (value as Record<string, unknown> | undefined)?.[key];
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as readonly Json[];
  throw new Refusal(file, `${at.join(".")} is not a list`, { hint: "nothing was changed" });
}

function added(file: string, text: string, entries: readonly Entry[]): ReturnType<Editor["add"]> {
  const blanks: Blank[] = [];
  let now = text;
  for (const at of new Map(entries.map((one) => [one.at.join("\0"), one.at])).values()) {
    const list = listIn(now, at);
    if (!list) continue;
    const { from, to } = list.inner;
    if (list.elements.length === 0) blanks.push({ at, text: now.slice(from, to) });
    const ours = entries.filter((one) => sameKeys(one.at, at));
    const values = ours.map(({ value }) => tomlLiteral(value));
    now = withElements(now, list, values, eolOf(text));
  }
  const tables = entries.filter(({ at }) => !listIn(now, at));
  const after = tables.length === 0 ? now : appended(now, tables);
  for (const { at, value } of entries)
    if (!listAt(file, after, at).some((one) => sameJson(one, value))) throw unsafe(file);
  return { text: after, made: [], blanks };
}

function appended(text: string, entries: readonly Entry[]): string {
  const eol = eolOf(text);
  const tables = entries.map(({ at, value }) => {
    const lines = Object.entries(value as object).map(
      ([key, one]) => `${tomlKeys([key])} = ${tomlLiteral(one)}`,
    );
    return [`[[${tomlKeys(at)}]]`, ...lines, ""].join(eol);
  });
  return joined(text, tables.join(eol));
}

/** One empty line between what was there and what comes. */
function joined(text: string, more: string): string {
  if (text === "") return more;
  const eol = eolOf(text);
  return text + (text.endsWith("\n") ? eol : eol + eol) + more;
}

const unsafe = (file: string): Refusal =>
  new Refusal(file, "it is written in a way that cannot be edited safely", {
    hint: "nothing was changed",
  });

/** Each table goes with the empty line before it; everything else must come out as it was. */
function withoutBlocks(file: string, text: string, gone: readonly Block[]): string {
  const after = gone
    .toSorted((a, b) => b.from - a.from)
    .reduce((now, { from, to }) => {
      const head = now.slice(0, from).replace(/(^|\n)\r?\n$/, "$1");
      return head + now.slice(to);
    }, text);
  tomlValue(file, after);
  return after;
}

/**
 * One value below a table, as `[a.b]` and `key = value`; an empty one takes it away. What else the
 * table says stays.
 */
export function withValue(
  file: string,
  text: string,
  keys: readonly string[],
  value: string,
): string {
  const table = keys.slice(0, -1);
  const key = tomlKeys(keys.slice(-1));
  const block = blocksOf(text).find((one) => !one.isList && sameKeys(one.keys, table));
  const eol = eolOf(text);
  const line = value === "" ? "" : `${key} = ${tomlLiteral(value)}${eol}`;
  if (!block)
    return line === "" ? text : checked(file, joined(text, `[${tomlKeys(table)}]${eol}${line}`));
  const body = text.slice(block.from, block.to);
  const headEnd = (body.indexOf("\n") + 1 || body.length) + block.from;
  const rest = text
    .slice(headEnd, block.to)
    .split(/(?<=\n)/)
    .filter(
      (one) => !one.trimStart().startsWith(`${key} `) && !one.trimStart().startsWith(`${key}=`),
    );
  if (line === "" && rest.join("").trim() === "") return withoutBlocks(file, text, [block]);
  const head = text.slice(0, headEnd) + (text[headEnd - 1] === "\n" ? "" : eol);
  return checked(file, head + line + rest.join("") + text.slice(block.to));
}

function checked(file: string, text: string): string {
  tomlValue(file, text);
  return text;
}

import {
  type Node as JsonNode,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument, type Document } from "yaml";
import { MOST_LEVELS, tooDeepJson, tooDeepYaml } from "./nesting.ts";
import { yamlOpened } from "./yaml-opened.ts";

/** A value from a user's file that still knows on which line it was written. */
export interface Located {
  readonly value: unknown;
  readonly line: number;
  readonly entries?: ReadonlyMap<string, LocatedEntry>;
  readonly items?: readonly Located[];
}

export interface LocatedEntry {
  readonly keyLine: number;
  readonly node: Located;
}

export interface Problem {
  readonly line: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface Parsed {
  /** Absent when the text could not be parsed. */
  readonly root: Located | undefined;
  readonly problems: readonly Problem[];
}

/** By extension: JSON with comments, or YAML. */
export function located(file: string, text: string): Parsed {
  const clean = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return /\.jsonc?$/i.test(file) ? parseJson(clean) : parseYaml(clean);
}

/** A value that has no file of its own, such as one that a module exported. */
export function locate(value: unknown, line: number, lineOf: LineOf = () => line): Located {
  if (Array.isArray(value)) {
    return { value, line, items: value.map((item) => locate(item, line, lineOf)) };
  }
  if (typeof value !== "object" || value === null) return { value, line };
  const entries = new Map<string, LocatedEntry>();
  for (const [key, item] of Object.entries(value)) {
    const at = lineOf(key);
    entries.set(key, { keyLine: at, node: locate(item, at, lineOf) });
  }
  return { value, line, entries };
}

type LineOf = (key: string) => number;

export function parseJson(text: string): Parsed {
  const deep = tooDeepJson(text);
  if (deep !== undefined)
    return { root: undefined, problems: [tooDeep(lineCounter(text)(deep), "bad-json")] };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const lineAt = lineCounter(text);
  const problems = errors.map((error) => ({
    line: lineAt(error.offset),
    code: "bad-json",
    message: `not valid JSON: ${words(printParseErrorCode(error.error))}`,
    hint: "comments and trailing commas are allowed; everything else is as in JSON",
  }));
  if (errors.length > 0) return { root: undefined, problems: problems.slice(0, 1) };
  if (!tree) return { root: { value: null, line: 1 }, problems: [] };
  const repeated: Problem[] = [];
  return { root: fromJson(tree, lineAt, repeated), problems: repeated };
}

function fromJson(node: JsonNode, lineAt: (offset: number) => number, out: Problem[]): Located {
  const line = lineAt(node.offset);
  const children = node.children ?? [];
  if (node.type === "array") {
    return list(
      line,
      children.map((child) => fromJson(child, lineAt, out)),
    );
  }
  if (node.type !== "object") return { value: node.value, line };
  const pairs = children.flatMap(({ children: pair }) => {
    const [key, value] = pair ?? [];
    if (!key || !value) return [];
    return [[String(key.value), lineAt(key.offset), fromJson(value, lineAt, out)] as const];
  });
  return record(line, pairs, out);
}

/** `firstLine` is the line of the file on which `text` starts. */
export function parseYaml(text: string, firstLine = 1): Parsed {
  const deep = tooDeepYaml(text);
  if (deep !== undefined) {
    const line = lineCounter(text)(deep) + firstLine - 1;
    return { root: undefined, problems: [tooDeep(line, "bad-yaml")] };
  }
  const counter = new LineCounter();
  const doc = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: false });
  const lineAt = (offset: number): number => counter.linePos(offset).line + firstLine - 1;
  const error = doc.errors[0];
  if (error) {
    const at = yamlOpened(doc, error.pos[0], error.message);
    return { root: undefined, problems: [yamlProblem(lineAt(at), error.message)] };
  }
  const problems: Problem[] = [];
  const walk = { doc, lineAt, problems, seen: new Map<unknown, Located | undefined>() };
  return { root: fromYaml(doc.contents, firstLine, walk), problems };
}

interface YamlWalk {
  readonly doc: Document;
  readonly lineAt: (offset: number) => number;
  readonly problems: Problem[];
  /** Finished nodes, and undefined for those still being read: an alias may point at its parent. */
  readonly seen: Map<unknown, Located | undefined>;
}

function fromYaml(node: unknown, parentLine: number, walk: YamlWalk): Located {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  const line = range ? walk.lineAt(range[0]) : parentLine;
  if (isAlias(node)) return fromAlias(node.resolve(walk.doc), line, walk);
  if (isScalar(node)) return remember(node, { value: node.value, line }, walk);
  walk.seen.set(node, undefined);
  if (isSeq(node)) {
    return remember(
      node,
      list(
        line,
        node.items.map((item) => fromYaml(item, line, walk)),
      ),
      walk,
    );
  }
  if (!isMap(node)) return { value: null, line };
  const pairs = node.items.map(({ key, value }) => {
    const at = fromYaml(key, line, walk);
    return [String(at.value), at.line, fromYaml(value, at.line, walk)] as const;
  });
  return remember(node, record(line, pairs, walk.problems), walk);
}

function fromAlias(target: unknown, line: number, walk: YamlWalk): Located {
  const known = walk.seen.get(target);
  if (known) return { ...known, line };
  walk.problems.push(yamlProblem(line, "an alias refers to itself or to nothing"));
  return { value: null, line };
}

function remember(node: unknown, result: Located, walk: YamlWalk): Located {
  walk.seen.set(node, result);
  return result;
}

function list(line: number, items: readonly Located[]): Located {
  return { value: items.map((item) => item.value), line, items };
}

type Pair = readonly [key: string, keyLine: number, node: Located];

/** The last of two equal keys counts, as in every JSON reader; the repetition is reported. */
function record(line: number, pairs: readonly Pair[], problems: Problem[]): Located {
  const own = new Map<string, LocatedEntry>();
  const merged = new Map<string, LocatedEntry>();
  for (const [key, keyLine, node] of pairs) {
    const first = own.get(key);
    if (key === "<<" && node.entries) for (const entry of node.entries) merged.set(...entry);
    else if (first) problems.push(repetition(key, keyLine, first.keyLine));
    if (key !== "<<" || !node.entries) own.set(key, { keyLine, node });
  }
  const entries = new Map([...merged, ...own]);
  const value = Object.fromEntries([...entries].map(([key, { node }]) => [key, node.value]));
  return { value, line, entries };
}

function repetition(key: string, line: number, first: number): Problem {
  const message = `"${key}" is written twice (first on line ${first}); only the last one counts`;
  return { line, code: "duplicate-key", message, hint: `remove one of the two "${key}"` };
}

const tooDeep = (line: number, code: string): Problem => ({
  line,
  code,
  message: `lists and maps are nested more than ${MOST_LEVELS} levels deep`,
  hint: "no hook needs that: remove the inner levels",
});

function yamlProblem(line: number, message: string): Problem {
  return {
    line,
    code: "bad-yaml",
    message: `not valid YAML: ${message}`,
    hint: "check the indentation and quote values that contain ': ' or start with a sign",
  };
}

/** `PropertyNameExpected` → `property name expected`. */
const words = (code: string): string => code.replace(/\B[A-Z]/g, (c) => ` ${c}`).toLowerCase();

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

export interface FrontMatter extends Parsed {
  /** What follows the front matter, and the line on which it starts. */
  readonly body: string;
  readonly bodyLine: number;
  readonly text: string;
}

/** The block between two `---` lines at the very top, or undefined when there is none. */
export function frontMatter(markdown: string): FrontMatter | undefined {
  const clean = markdown.startsWith("\uFEFF") ? markdown.slice(1) : markdown;
  const match = /^---[ \t]*\r?\n([\s\S]*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(clean);
  if (!match) return undefined;
  const text = match[1] ?? "";
  const body = clean.slice(match[0].length);
  return { ...parseYaml(text, 2), text, body, bodyLine: match[0].split("\n").length };
}

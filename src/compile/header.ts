import { fileHead } from "./file-text.ts";
import { type FieldName, fieldNamed } from "./fields.ts";
import type { Located, LocatedEntry } from "./located.ts";
import { isMeant, isNear } from "./misspelt.ts";

/** The comment at the top of a script that makes it a hook (S3.15–16). */
export interface Header {
  /** Line of its first field. */
  readonly line: number;
  readonly entries: ReadonlyMap<string, LocatedEntry>;
  /** Keys that are nearly a field's name. */
  readonly slips: readonly (readonly [key: string, at: LocatedEntry])[];
  /** Keys that were there before: the first one counts. */
  readonly doubled: readonly { readonly key: string; readonly line: number }[];
}

const HEADER_LINES = 40;
const HEAD_BYTES = 16_384;

/** Fields that a header may have; `Hook` is the name. */
const KEYS: readonly FieldName[] = [
  "events",
  "description",
  "matcher",
  "order",
  "block",
  "timeout",
  "on_failure",
  "async",
  "harness",
  "chain",
  "once",
  "notify",
  "reentrant",
  "payload",
  "enabled",
  "status",
];

/** As they are written there. */
export const HEADER_KEYS: readonly string[] = ["hook", "event", ...KEYS];

/** Fields whose value is free text, so that a bracket at its end belongs to it. */
const FREE_TEXT: readonly string[] = ["description", "matcher"];

const COMMENT = /^\s*(?:#+|\/\/+|--+|;+|%+|\/\*+|\*+)\s*(.*?)\s*(?:\*+\/)?\s*$/;
const PAIR = /^([A-Za-z][A-Za-z_-]*)[ \t]*:(?:\s+(.*))?$/;

/** The header in the first lines of a text, or undefined when it has none. */
export function header(head: string): Header | undefined {
  for (const block of commentBlocks(head)) {
    const found = fromBlock(block);
    if (found) return found;
  }
  return undefined;
}

/** The first bytes of a file: enough for a shebang and a header, however large the file is. */
export function headOf(file: string): string {
  try {
    return readableHead(file);
  } catch {
    return "";
  }
}

/** The same, where it matters that there is a head which cannot be read. */
export const readableHead = (file: string): string => fileHead(file, HEAD_BYTES);

interface Comment {
  readonly text: string;
  readonly line: number;
}

/** Runs of comment lines; empty lines do not end one, code does. */
function commentBlocks(head: string): Comment[][] {
  const blocks: Comment[][] = [[]];
  for (const [i, line] of head
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/, HEADER_LINES)
    .entries()) {
    const comment = COMMENT.exec(line);
    if (comment) blocks.at(-1)!.push({ text: comment[1] ?? "", line: i + 1 });
    else if (line.trim() !== "" && !line.startsWith("#!")) blocks.push([]);
  }
  return blocks;
}

function fromBlock(block: readonly Comment[]): Header | undefined {
  const entries = new Map<string, LocatedEntry>();
  const slips: [string, LocatedEntry][] = [];
  const doubled: { key: string; line: number }[] = [];
  for (const { text, line } of block) {
    const [, key = "", value = ""] = PAIR.exec(text) ?? [];
    const name = headerField(key);
    if (name && entries.has(name)) doubled.push({ key, line });
    else if (name) entries.set(name, entry(name, value, line));
    else if (isSlip(key)) slips.push([key, entry(undefined, value, line)]);
  }
  if (!entries.has("name") && !entries.has("events")) return undefined;
  const line = Math.min(...[...entries.values()].map((e) => e.keyLine));
  return { line, entries, slips, doubled };
}

/** `Name:` is a word of ordinary comments, so only `Hook:` names the hook. */
function headerField(key: string): FieldName | undefined {
  if (key.toLowerCase() === "hook") return "name";
  const name = fieldNamed(key);
  return name && KEYS.includes(name) ? name : undefined;
}

function entry(name: FieldName | undefined, written: string, line: number): LocatedEntry {
  const remark = name && FREE_TEXT.includes(name) ? /(?!)/ : /\s+\(.*\)$/;
  const value = written.trim().replace(remark, "").trim();
  const node: Located = { value: value === "" ? null : value, line };
  return { keyLine: line, node };
}

/** Nearly one of ours, so that ordinary comments are left alone. */
const isSlip = (key: string): boolean =>
  isMeant(key) || HEADER_KEYS.some((known) => isNear(key, known));

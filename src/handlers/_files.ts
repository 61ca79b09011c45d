import { type Dirent, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { confine, isBinary, openFolder, readInside } from "./_confine.ts";
import { Failure } from "./_settled.ts";
import { cut } from "./_verdict.ts";

/** Where a tool works, and until when. */
export interface Bounds {
  readonly root: string;
  readonly until: number;
}

const READ_BYTES = 512 * 1024;
const READ_LINES = 400;
const LINE = 400;
const LISTED = 500;
const WALKED = 20_000;
const GREP_BYTES = 32 * 1024 * 1024;
const GREP_FILE = 1024 * 1024;
const HITS = 100;
/** After so many files whoever else is in this process gets a turn: a program, and our own timers. */
const BREATH = 16;

type Input = Readonly<Record<string, unknown>>;

export function readFileTool(input: Input, { root }: Bounds): string {
  const { bytes, size } = readInside(root, input["path"], READ_BYTES);
  if (isBinary(bytes)) return `binary file, ${size} bytes`;
  const lines = bytes.toString("utf8").split("\n");
  const from = Math.max(1, numberIn(input["from"], 1));
  const shown = lines.slice(from - 1, from - 1 + READ_LINES);
  const last = from - 1 + shown.length;
  const rest = last < lines.length ? [`[${lines.length - last} more lines]`] : [];
  const cutAt = size > bytes.length ? [`[only the first ${bytes.length} of ${size} bytes]`] : [];
  const numbered = shown.map((line, at) => `${from + at}\t${cut(line, LINE)}`);
  return [...numbered, ...rest, ...cutAt].join("\n");
}

export function listFilesTool(input: Input, { root, until }: Bounds): string {
  const base = realpathSync(root);
  const start = confine(root, input["path"] ?? ".");
  const found: string[] = [];
  for (const { path, entry } of walk({ root, until }, start, input["recursive"] === true)) {
    if (found.length >= LISTED)
      return [...found, `[more than ${LISTED}: name a folder]`].join("\n");
    const mark = entry.isDirectory() ? "/" : entry.isSymbolicLink() ? "@" : "";
    found.push(relative(base, path) + mark);
  }
  return found.toSorted().join("\n") || "nothing";
}

/** Finds a text, not a pattern: nothing that a model writes can make it run long. */
export async function grepTool(input: Input, { root, until }: Bounds): Promise<string> {
  const wanted = input["text"];
  if (typeof wanted !== "string" || wanted === "" || wanted.length > 500)
    throw new Failure("text: 1 to 500 characters");
  const fold = input["ignore_case"] === true;
  const search = { wanted: fold ? wanted.toLowerCase() : wanted, fold, root };
  const base = realpathSync(root);
  const start = confine(root, input["path"] ?? ".");
  const hits: string[] = [];
  let left = GREP_BYTES;
  let seen = 0;
  for (const path of filesFrom({ root, until }, start)) {
    const found = grepFile(search, relative(base, path));
    hits.push(...found.hits);
    left -= found.bytes;
    if (++seen % BREATH === 0) await setImmediate();
    if (hits.length >= HITS) return [...hits.slice(0, HITS), `[more than ${HITS}]`].join("\n");
    if (left <= 0 || performance.now() >= until) return [...hits, "[stopped: too much]"].join("\n");
  }
  return hits.join("\n") || "nothing found";
}

interface Search {
  readonly wanted: string;
  readonly fold: boolean;
  readonly root: string;
}

function grepFile({ wanted, fold, root }: Search, path: string): { hits: string[]; bytes: number } {
  let bytes: Buffer;
  try {
    ({ bytes } = readInside(root, path, GREP_FILE));
  } catch {
    return { hits: [], bytes: 0 };
  }
  if (isBinary(bytes)) return { hits: [], bytes: bytes.length };
  const text = bytes.toString("utf8");
  const all = fold ? text.toLowerCase() : text;
  if (!all.includes(wanted)) return { hits: [], bytes: bytes.length };
  const lines = text.split("\n");
  const hits = (fold ? all.split("\n") : lines).flatMap((line, at) =>
    line.includes(wanted) ? [`${path}:${at + 1}: ${cut((lines[at] ?? line).trim(), LINE)}`] : [],
  );
  return { hits: hits.slice(0, HITS + 1), bytes: bytes.length };
}

function* filesFrom(bounds: Bounds, start: string): Generator<string> {
  let entries = 0;
  for (const { path, entry } of walk(bounds, start, true)) {
    entries++;
    if (entry.isFile()) yield path;
  }
  if (entries === 0) yield start;
}

interface Walked {
  readonly path: string;
  readonly entry: Dirent;
}

/** Links are shown and never followed. A file walked from is nothing to walk. */
function* walk({ root, until }: Bounds, start: string, deep: boolean): Generator<Walked> {
  const folders = [start];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of entriesOf(root, folder)) {
      if (++seen > WALKED || performance.now() >= until) return;
      if (entry.name.toLowerCase() === ".git") continue;
      const path = join(folder, entry.name);
      yield { path, entry };
      if (deep && entry.isDirectory() && entry.name !== "node_modules") folders.push(path);
    }
  }
}

function* entriesOf(root: string, folder: string): Generator<Dirent> {
  let directory;
  try {
    directory = openFolder(root, folder);
  } catch {
    return;
  }
  try {
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) yield entry;
  } finally {
    directory.closeSync();
  }
}

const numberIn = (value: unknown, otherwise: number): number =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : otherwise;

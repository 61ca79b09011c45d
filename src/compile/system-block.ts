import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../model.ts";
import { quietly } from "./discover.ts";
import { reportOn } from "./fields.ts";
import { SYSTEM_FILES } from "./settings-keys.ts";
import type { SystemNode } from "./source-node.ts";

export const BEGIN = "<!-- anyhook:begin -->";
export const END = "<!-- anyhook:end -->";
const NOTE = "<!-- rendered by anyhook: edit its source files instead -->";

/** What to do with a file: a text to write, "keep" it as it is, "delete" it, or markers in disorder. */
export type Rendering =
  | { readonly to: "write"; readonly text: string }
  | { readonly to: "keep" | "delete" }
  | { readonly to: "refuse"; readonly line: number };

type Body = Pick<SystemNode, "body">;

/** The file with the bodies between our markers; every other byte stays. Without bodies the block goes. */
export function renderBlock(existing: string | undefined, nodes: readonly Body[]): Rendering {
  const block = existing === undefined ? undefined : findBlock(existing);
  if (block && "line" in block) return { to: "refuse", line: block.line };
  const lines = linesOf(nodes);
  if (lines.length === 0) return block ? without(block) : { to: "keep" };
  const eol = block?.eol ?? (existing?.includes("\r\n") ? "\r\n" : "\n");
  const text = [BEGIN, NOTE, ...lines, END].join(eol);
  if (existing === undefined) return { to: "write", text: text + eol };
  const next = block ? block.before + text + block.after : existing + appended(existing, text, eol);
  return next === existing ? { to: "keep" } : { to: "write", text: next };
}

/** Whether nothing but our block is in it: then we made the file, and may remove it. */
export const isOurs = (text: string): boolean => {
  const block = findBlock(text);
  return block !== undefined && !("line" in block) && without(block).to === "delete";
};

function linesOf(nodes: readonly Body[]): string[] {
  const bodies = nodes
    .map(({ body }) => body.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, ""))
    .filter((body) => body !== "");
  return bodies.flatMap((body, i) => {
    const lines = body.split(/\r?\n/).filter((line) => line !== BEGIN && line !== END);
    return i === 0 ? lines : ["", ...lines];
  });
}

/**
 * Where a file has no final newline there is none after the block: that tells `without` what to take
 * away. An empty file gets one blank line, which tells it from a file that we made.
 */
const appended = (existing: string, text: string, eol: string): string =>
  existing === "" || existing.endsWith("\n") ? eol + text + eol : eol + eol + text;

interface Block {
  readonly before: string;
  readonly after: string;
  readonly eol: string;
}

function findBlock(text: string): Block | { readonly line: number } | undefined {
  const lines = text.split("\n");
  const where = (marker: string): number[] =>
    lines.flatMap((line, i) => (line.replace(/\r$/, "") === marker ? [i] : []));
  const [begins, ends] = [where(BEGIN), where(END)];
  const [begin, end] = [begins[0], ends[0]];
  if (begin === undefined && end === undefined) return undefined;
  if (begin === undefined || end === undefined || end < begin || begins.length + ends.length > 2) {
    return { line: (begin ?? end ?? 0) + 1 };
  }
  const before = lines
    .slice(0, begin)
    .map((line) => `${line}\n`)
    .join("");
  const rest = lines.slice(end).join("\n");
  const eol = lines[begin]!.endsWith("\r") ? "\r\n" : "\n";
  return { before, after: rest.slice(END.length), eol };
}

/** The exact inverse of `renderBlock`. */
function without({ before, after, eol }: Block): Rendering {
  if (before === "" && (after === "" || after === eol)) return { to: "delete" };
  if (before === eol && after === eol) return { to: "write", text: "" };
  const blank = after === "" ? eol + eol : eol;
  const rest = before.endsWith(blank) ? before.slice(0, -blank.length) : before;
  // Somebody may have moved the block: a line end that is not our blank line stays.
  const kept = after === "" || rest.endsWith("\n") ? rest : before;
  return { to: "write", text: kept + (after.startsWith(eol) ? after.slice(eol.length) : after) };
}

export interface SystemBlocks {
  readonly written: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The only thing that is ever written into the work tree, and only where system nodes are. */
export function writeSystemBlocks(
  projectRoot: string,
  nodes: readonly SystemNode[],
  asked: readonly string[],
): SystemBlocks {
  const report = SYSTEM_FILES.map((name) => {
    const file = join(projectRoot, name);
    const place = { link: file, file: targetOf(file), root: projectRoot };
    return { file, ...writeBlock(place, nodes, asked.includes(name)) };
  });
  return {
    written: report.filter(({ wrote }) => wrote).map(({ file }) => file),
    diagnostics: [...unrendered(projectRoot, nodes, asked), ...report.flatMap((r) => r.problems)],
  };
}

/** Nodes that no file takes: nothing is made unasked, but nobody would miss it either. */
export function unrendered(
  projectRoot: string,
  nodes: readonly SystemNode[],
  asked: readonly string[],
): Diagnostic[] {
  const [first] = nodes;
  const isThere = SYSTEM_FILES.some((name) => existsSync(targetOf(join(projectRoot, name))));
  if (!first || isThere || asked.length > 0 || projectRoot === "") return [];
  const report = reportOn(first.file, first.name);
  const hint = `make one of them, or name those that shall be made: "system_files": ["AGENTS.md"]`;
  const message = `is rendered nowhere: ${SYSTEM_FILES.join(", ")} are not there`;
  report.say("warning", 1, "unrendered", message, hint);
  return report.diagnostics;
}

interface Target {
  readonly link: string;
  /** What the link leads to, or the same. */
  readonly file: string;
  readonly root: string;
}

function writeBlock(
  place: Target,
  nodes: readonly SystemNode[],
  asked: boolean,
): { wrote: boolean; problems: Diagnostic[] } {
  const { link, file } = place;
  const unfit = unfitness(place);
  if (unfit !== "")
    return { wrote: false, problems: nodes.length === 0 ? [] : notFor(link, unfit) };
  // As latin1 every byte is one character, so that bytes which are no UTF-8 survive.
  const existing = existsSync(file) ? readFileSync(file, "latin1") : undefined;
  const wanted = asked || (existing !== undefined && !isOurs(existing));
  const bodies = wanted
    ? nodes.map(({ body }) => ({ body: Buffer.from(body).toString("latin1") }))
    : [];
  const rendering = renderBlock(existing, bodies);
  if (rendering.to === "write") replace(file, rendering.text);
  if (rendering.to === "delete") rmSync(file);
  const report = reportOn(link, "");
  if (rendering.to === "refuse") {
    const hint = `keep one ${BEGIN} line and below it one ${END} line, or remove both`;
    report.say(
      "error",
      rendering.line,
      "broken-markers",
      "the block of anyhook has lost a marker line",
      hint,
    );
  }
  return {
    wrote: rendering.to === "write" || rendering.to === "delete",
    problems: report.diagnostics,
  };
}

const MOST_BYTES = 16 * 1024 * 1024;

/** A repository decides what lies under these names, and must not reach beyond itself by that. */
function unfitness({ file, root }: Target): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) return "is not a regular file";
  if (stat && stat.size > MOST_BYTES) return "is too large";
  const folder = quietly(() => realpathSync(dirname(file)));
  const home = quietly(() => realpathSync(root));
  const inside = home !== undefined && `${folder ?? "?"}/`.startsWith(`${home}/`);
  return inside ? "" : "leads out of the project";
}

function notFor(link: string, why: string): Diagnostic[] {
  const report = reportOn(link, "");
  const message = `${why}: system nodes are not rendered into it`;
  report.say("error", 0, "not-rendered", message, "make it a file of the project");
  return report.diagnostics;
}

/** A link stays a link: what it points at is written. */
function targetOf(file: string): string {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  return existsSync(file) ? realpathSync(file) : resolve(dirname(file), readlinkSync(file));
}

function replace(file: string, text: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  const temporary = `${file}.anyhook-${process.pid}`;
  try {
    writeFileSync(temporary, text, "latin1");
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

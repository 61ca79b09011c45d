import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { suggest } from "../events.ts";
import type { DraftReading, Place } from "./draft.ts";
import { entry } from "./entry.ts";
import {
  type Fields,
  type Report,
  FIELDS,
  FIELD_NAMES,
  readFields,
  reportOn,
  unknownAmong,
} from "./fields.ts";
import { fileText } from "./file-text.ts";
import { type FrontMatter, type Located, frontMatter } from "./located.ts";
import { isMeant } from "./misspelt.ts";
import { stem } from "./names.ts";

/** A node whose text is rendered into the instruction files of the project (S0.29). */
export interface SystemNode {
  readonly name: string;
  readonly order: number;
  readonly file: string;
  readonly line: number;
  readonly body: string;
}

export interface NodeReading extends DraftReading {
  readonly system: readonly SystemNode[];
}

const SURFACES = ["hook", "system"];

const NOTHING: NodeReading = { definitions: [], diagnostics: [], system: [] };

/** A Markdown file with `surface: hook` or `surface: system`; any other one is just Markdown. */
export async function sourceNode(file: string, place: Place): Promise<NodeReading> {
  const text = fileText(file);
  const front = frontMatter(text);
  if (!front || !/^["']?surface["']?\s*:/m.test(front.text)) return unclosed(text, file);
  const name = front.root?.entries?.get("name")?.node.value;
  const report = reportOn(file, typeof name === "string" && name !== "" ? name : nameOf(file));
  for (const { line, code, message, hint } of front.problems) {
    report.say(front.root ? "warning" : "error", line, code, message, hint);
  }
  const surface = front.root?.entries?.get("surface");
  if (!surface) return { ...NOTHING, diagnostics: report.diagnostics, failed: true };
  const surfaces = surfacesIn(surface.node, report);
  const fields = readFields(front.root!.entries!, report, ["surface"], reportNear);
  const system = surfaces.includes("system") ? systemNodes(file, fields, front, report) : [];
  if (!surfaces.includes("hook")) return { ...NOTHING, system, diagnostics: report.diagnostics };
  const one = await entry(registration(file, surface.keyLine, fields, report), place);
  return { definitions: [one.made], diagnostics: one.report.diagnostics, system };
}

function registration(file: string, line: number, fields: Fields, report: Report) {
  return {
    form: "node" as const,
    file,
    line,
    index: 0,
    fields,
    report,
    name: report.hook,
    folders: [dirname(file)],
    eventHint: "add events: [PreToolUse] to the front matter",
    fallback: (to: Report) => scriptBeside(file, line, to),
  };
}

/** A front matter that never ends looks like plain text, so a hook would be lost without a word. */
function unclosed(text: string, file: string): NodeReading {
  const head = text.split(/\r?\n/, 20);
  if (head[0]?.trim() !== "---" || frontMatter(text)) return NOTHING;
  const line = head.findIndex((written) => /^surface\s*:/.test(written)) + 1;
  if (line === 0) return NOTHING;
  const report = reportOn(file, nameOf(file));
  report.say(
    "error",
    line,
    "unclosed-front-matter",
    "the front matter is never closed",
    "add a line --- below it",
  );
  return { ...NOTHING, diagnostics: report.diagnostics, failed: true };
}

function surfacesIn(node: Located, report: Report): string[] {
  const written = (node.items ?? [node]).map(({ value }) => String(value).trim());
  for (const surface of written.filter((one) => !SURFACES.includes(one))) {
    const near = suggest(surface, SURFACES);
    const hint = near ? `did you mean "${near}"?` : `known are: ${SURFACES.join(", ")}`;
    report.say(
      near ? "error" : "warning",
      node.line,
      "unknown-surface",
      `unknown surface "${surface}"`,
      hint,
    );
  }
  return written;
}

const OWN = FIELD_NAMES.filter((name) => ["limits", "plain"].includes(FIELDS[name].role));

const unknown = unknownAmong(OWN);

/** Front matter belongs to other tools too: only what looks like a slip of ours is reported. */
const reportNear: typeof unknown = (key, ...more) => {
  if (key.length > 3 && (isMeant(key) || suggest(key, OWN) !== undefined)) unknown(key, ...more);
};

function systemNodes(
  file: string,
  fields: Fields,
  front: FrontMatter,
  report: Report,
): SystemNode[] {
  if (fields.enabled === false || fields.status === "pending") return [];
  const order = fields.order ?? 0;
  return [{ name: report.hook, order, file, line: front.bodyLine, body: front.body }];
}

/** A file that is the folder's own page gives the folder's name. */
function nameOf(file: string): string {
  const own = stem(file);
  return /^(?:readme|index|node|hook)$/i.test(own) ? basename(dirname(file)) : own;
}

const isData = (name: string): boolean =>
  /\.(?:mdx?|json|ya?ml|txt|toml|lock)$/i.test(name) || /^[._]/.test(name);

/** The script in the node's own directory. */
function scriptBeside(file: string, line: number, report: Report): string | undefined {
  const dir = dirname(file);
  const files = readdirSync(dir)
    .filter((name) => !isData(name) && isFile(join(dir, name)))
    .toSorted();
  const executable = files.filter((name) => isExecutable(join(dir, name)));
  const named = (list: readonly string[], pattern: RegExp): string[] =>
    list.filter((name) => pattern.test(stem(name)));
  const same = (list: readonly string[]): string[] =>
    list.filter((name) => stem(name) === stem(file));
  const usual = /^(?:hook|run|script|handler)$/;
  const choices = [
    same(executable),
    same(files),
    executable,
    named(executable, usual),
    named(files, usual),
  ];
  const found = choices.find((choice) => choice.length === 1)?.[0];
  if (found !== undefined) return join(dir, found);
  const [message, hint] =
    files.length === 0
      ? [
          "has no script beside it",
          `put an executable script into ${basename(dir)}/, or add script: …`,
        ]
      : [`does not say which script it means: ${files.join(", ")}`, `add script: ${files[0]}`];
  report.say(
    "error",
    line,
    files.length === 0 ? "missing-script" : "ambiguous-script",
    message,
    hint,
  );
  return undefined;
}

const isFile = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

const isExecutable = (file: string): boolean => (statSync(file).mode & 0o111) !== 0;

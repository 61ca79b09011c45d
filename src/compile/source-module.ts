import { delimiter, join } from "node:path";
import { isExecutable } from "../handlers/command.ts";
import { bundle } from "./bundle.ts";
import { type Draft, type DraftReading, type Place, draft, requireEvents } from "./draft.ts";
import { type Fields, type Report, readFields, reportOn } from "./fields.ts";
import { fileText } from "./file-text.ts";
import type { Handler } from "./handler.ts";
import { header } from "./header.ts";
import { inspectModules } from "./inspect-module.ts";
import { locate } from "./located.ts";
import { stem } from "./names.ts";
import { shebang } from "./needs.ts";

/** A module below hooks/ that exports a hook. */
export async function sourceModule(file: string, place: Place): Promise<DraftReading> {
  await inspectModules([file], place);
  const report = reportOn(file, nameIn(file, place) ?? stem(file));
  const fields = moduleFields(file, place, report);
  if (!fields) return { definitions: [], diagnostics: report.diagnostics, failed: true };
  const line = lineOf(textOf(file), "default");
  requireEvents(fields, line, report, 'add event: "PreToolUse" to the definition');
  const from = { form: "module", file, line, index: 0 } as const;
  const made: Draft = draft(place, from, fields, { kind: "module", run: file }, report);
  return { definitions: [made], diagnostics: report.diagnostics };
}

const nameIn = (file: string, place: Place): string | undefined => {
  const name = place.modules.get(file)?.meta?.["name"];
  return typeof name === "string" && name !== "" ? name : undefined;
};

/** What an inspected module says about itself; undefined when it could not be loaded. */
export function moduleFields(file: string, place: Place, report: Report): Fields | undefined {
  const info = place.modules.get(file);
  for (const problem of info?.diagnostics ?? [])
    report.diagnostics.push({ ...problem, hook: report.hook });
  if (!info?.meta) return undefined;
  const text = textOf(file);
  const { entries } = locate(info.meta, lineOf(text, "default"), (key) => lineOf(text, key));
  const own = reportOn(file, report.hook);
  const fields = readFields(entries ?? [], own);
  report.diagnostics.push(...own.diagnostics);
  return fields;
}

const EXTENSION = /(?<!\.d)\.m?[jt]s$/;

export const isModuleFile = (file: string): boolean => EXTENSION.test(file);

/** Whether it is a module that exports a hook, and not a script that happens to be JavaScript. */
export function exportsDefault(file: string): boolean {
  return /\bexport\s+default\b|\bas\s+default\b/.test(textOf(file));
}

export type ModuleRole = "module" | "script" | "library";

/** A header without a default export is a script; with neither it can only be imported by others. */
export function roleOf(file: string): ModuleRole {
  const text = textOf(file);
  // Nobody knows what is in it, and bundling says why.
  if (text === "" && !isReadable(file)) return "module";
  if (exportsDefault(file)) return "module";
  return header(text) || text.startsWith("#!") ? "script" : "library";
}

/** A file that a list or a node names, or a script with a header: who runs it depends on what it is. */
export async function fileHandler(file: string, place: Place): Promise<Handler> {
  if (!isModuleFile(file) || textOf(file) === "") return { kind: "script", run: file };
  if (exportsDefault(file)) {
    await inspectModules([file], place);
    return { kind: "module", run: file };
  }
  const { interpreter } = shebang(textOf(file));
  if (interpreter !== "" && isOnPath(interpreter)) return { kind: "script", run: file };
  await bundleOnly(file, place);
  const run = JSON.stringify([place.nodePath, file]);
  return { kind: "exec", run, extra: { bundle: true, file } };
}

/** A script is not loaded to look into it: that would run it. */
async function bundleOnly(file: string, place: Place): Promise<void> {
  const made = await bundle(file, place);
  const info = "code" in made ? { bundle: made, diagnostics: [] } : { bundle: undefined, ...made };
  place.modules.set(file, { ...info, meta: undefined });
}

function isOnPath(program: string): boolean {
  const folders = program.includes("/") ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => isExecutable(folder === "" ? program : join(folder, program)));
}

function isReadable(file: string): boolean {
  try {
    fileText(file);
    return true;
  } catch {
    return false;
  }
}

function textOf(file: string): string {
  try {
    return fileText(file);
  } catch {
    return "";
  }
}

/** Where a key of the definition is written, as well as can be told without parsing the code. */
function lineOf(text: string, key: string): number {
  const lines = text.split("\n");
  const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const wanted =
    key === "default" ? /\bdefault\b/ : new RegExp(`(?:^|[\\s{,"'])${escaped}["']?\\s*[:,(]`);
  const from = Math.max(
    0,
    lines.findIndex((line) => /defineHook\s*\(|\bdefault\b/.test(line)),
  );
  const at = lines.findIndex((line, i) => i >= from && wanted.test(line));
  return (at >= 0 ? at : from) + 1;
}

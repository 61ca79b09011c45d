import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Draft, type Place, draft, requireEvents } from "./draft.ts";
import { type Fields, type Report, isFatal, reportOn } from "./fields.ts";
import { type Handler, fileBelow, handlerOf, nameOfHandler } from "./handler.ts";
import { inspectModules } from "./inspect-module.ts";
import { fileHandler, moduleFields } from "./source-module.ts";
import { headerName } from "./source-script.ts";
import type { Form } from "./_definition.ts";

export interface Registration {
  readonly form: Form;
  readonly file: string;
  readonly line: number;
  readonly index: number;
  readonly fields: Fields;
  /** What reading the fields had to say. */
  readonly report: Report;
  /** Where `script`, `path` and `module` are looked for, first match wins. */
  readonly folders: readonly string[];
  readonly eventHint: string;
  /** Used when the entry has no name, before one is made up from what it runs. */
  readonly name?: string;
  /** Used when the entry says nothing to run. */
  readonly fallback?: (report: Report) => string | undefined;
}

/** A registration that stands apart from what it runs: an entry of a list, of settings, or a node. */
export async function entry(
  of: Registration,
  place: Place,
): Promise<{ made: Draft; report: Report }> {
  const early = reportOn(of.file, "");
  const run = await resolved(of, place, early);
  const given = of.fields.name ?? of.name;
  const name = given ?? nameFrom(run, place) ?? nameOfHandler(run);
  const report = reportOn(of.file, name);
  const rename = (diagnostics: Report["diagnostics"]): void => {
    report.diagnostics.push(...diagnostics.map((d) => ({ ...d, hook: name })));
  };
  rename(of.report.diagnostics);
  rename(early.diagnostics);
  const own = run.kind === "module" ? moduleFields(run.run, place, report) : {};
  const fields = { ...own, ...of.fields };
  requireEvents(fields, of.line, report, of.eventHint);
  const nameless = given === undefined && run.kind !== "script" && run.kind !== "module";
  const from = { form: of.form, file: of.file, line: of.line, index: of.index, nameless };
  return {
    made: madeOf(draft(place, from, fields, run, report), own === undefined, report),
    report,
  };
}

const UNLOADABLE: readonly string[] = ["bundle-failed", "bad-module", "missing-file"];

/** A module that cannot be loaded is broken, not badly configured: its entry says enough to list it. */
function madeOf(made: Draft, unloadable: boolean, report: Report): Draft {
  const own = report.diagnostics.filter(({ code }) => !UNLOADABLE.includes(code));
  if (!unloadable || own.some(isFatal)) return made;
  const [first] = report.diagnostics.filter(isFatal);
  return {
    ...made,
    bad: made.events.length === 0,
    broken: first?.message ?? "the module cannot be loaded",
  };
}

async function resolved(of: Registration, place: Place, report: Report): Promise<Handler> {
  const folders = of.folders.length > 0 ? of.folders : [dirname(of.file)];
  const alone = of.fallback && !hasHandler(of.fields) ? of.fallback(report) : undefined;
  if (alone !== undefined) return fileHandler(alone, place);
  if (of.fallback && !hasHandler(of.fields)) return { kind: "script", run: "" };
  const { key, ...handler } = handlerOf(of.fields, of.line, report);
  if (key === "script" || key === "path")
    return fileHandler(fileBelow(handler.run, ...folders), place);
  if (key !== "module") return handler;
  const file = fileBelow(handler.run, ...folders);
  if (place.modules.has(file) || existsSync(file)) await inspectModules([file], place);
  else
    report.say(
      "error",
      of.line,
      "missing-file",
      `${file}: there is no such file`,
      "correct the path, or add the file",
    );
  return { kind: "module", run: file };
}

const hasHandler = ({ command, script, path, module, url, prompt }: Fields): boolean =>
  [command, script, path, module, url, prompt].some((value) => value !== undefined);

/** What the script or module calls itself. */
function nameFrom({ kind, run, extra }: Handler, place: Place): string | undefined {
  if (kind === "script" || extra?.["bundle"] === true)
    return headerName(String(extra?.["file"] ?? run));
  const name = place.modules.get(run)?.meta?.["name"];
  return typeof name === "string" && name !== "" ? name : undefined;
}

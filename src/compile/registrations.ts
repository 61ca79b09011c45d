import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Diagnostic, LAYERS, type Layer } from "../model.ts";
import type { Draft } from "./draft.ts";
import { readFields, reportOn } from "./fields.ts";
import { header, headOf } from "./header.ts";
import { needs } from "./needs.ts";
import { roleOf } from "./source-module.ts";

export interface Registered {
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A file that is registered elsewhere is not registered a second time by its own header. */
export function registrations(drafts: readonly Draft[], projectRoot: string): Registered {
  const byFile = new Map<string, Draft[]>();
  for (const draft of drafts.filter((one) => !isOwn(one))) {
    for (const file of filesOf(draft, projectRoot))
      byFile.set(file, [...(byFile.get(file) ?? []), draft]);
  }
  const doubled = (draft: Draft): boolean =>
    isOwn(draft) &&
    (byFile.get(draft.file) ?? []).some((other) => rank(other.layer) <= rank(draft.layer));
  const mismatches = [...byFile].flatMap(([file, by]) => mismatch(file, by));
  return { drafts: drafts.filter((draft) => !doubled(draft)), diagnostics: mismatches };
}

interface Lying {
  /** Below hooks/. */
  readonly candidates: readonly string[];
  readonly elsewhere: readonly string[];
}

/** What could be taken for a hook and is none. */
export function strays(
  { candidates, elsewhere }: Lying,
  drafts: readonly Draft[],
  used: ReadonlySet<string>,
): Diagnostic[] {
  const own = new Set(drafts.map((draft) => draft.file));
  const runs = drafts.map((draft) => draft.run);
  const isNamed = (file: string): boolean =>
    own.has(file) || used.has(file) || runs.some((run) => run.includes(basename(file)));
  const unnamed = (files: readonly string[]): string[] => files.filter((file) => !isNamed(file));
  return [...unnamed(candidates).flatMap(stray), ...unnamed(elsewhere).flatMap(misplaced)];
}

/** A header is live below hooks/ only. */
function misplaced(file: string): Diagnostic[] {
  if (!isExecutable(file)) return [];
  const entries = header(headOf(file))?.entries;
  if (!entries?.has("name") || !entries.has("events")) return [];
  const report = reportOn(file, "");
  const message = "has a hook's header, but lies outside hooks/: not a hook";
  report.say("warning", 1, "outside-hooks", message, "move it into the folder hooks/");
  return report.diagnostics;
}

const isExecutable = (file: string): boolean =>
  ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;

function stray(file: string): Diagnostic[] {
  const isModule = /\.m?[jt]s$/.test(file);
  const role = isModule ? roleOf(file) : "script";
  if (header(headOf(file)) || role === "module" || (role === "script" && !isExecutable(file)))
    return [];
  const report = reportOn(file, "");
  if (role === "library") {
    const hint = "export default defineHook({ … }), or start its name with _ if others import it";
    report.say(
      "warning",
      1,
      "no-default-export",
      "has neither a default export nor a header: not a hook",
      hint,
    );
  } else {
    const hint = "add `# Hook: …` and `# Event: …` lines, or start its name with _";
    report.say("warning", 1, "no-header", "executable file without a header: not a hook", hint);
  }
  return report.diagnostics;
}

const rank = (layer: Layer): number => LAYERS.indexOf(layer);

/** Defined by the file that runs, and not by an entry about it. */
const isOwn = ({ form }: Draft): boolean => form === "script" || form === "module";

function filesOf({ kind, run, extra }: Draft, projectRoot: string): string[] {
  if (kind === "script" || kind === "module") return [run];
  if (typeof extra["file"] === "string") return [extra["file"]];
  const named = needs(kind, run).filter((need) => /[/{]/.test(need));
  return named.map((need) => resolve(projectRoot, need.replace("{project}", projectRoot)));
}

/** E3: two places that say different things about one script. */
function mismatch(file: string, by: readonly Draft[]): Diagnostic[] {
  const found = header(headOf(file));
  const [first] = by;
  if (!found || !first) return [];
  const own = readFields(found.entries, reportOn(file, ""));
  const said = [...new Set(by.flatMap((draft) => draft.events))].toSorted().join(", ");
  const wanted = [...new Set(own.events ?? [])].toSorted().join(", ");
  const report = reportOn(first.file, first.name);
  const say = (message: string): void =>
    report.say(
      "warning",
      first.line,
      "header-mismatch",
      message,
      "this registration counts; make the header say the same",
    );
  const place = `the header in ${file}:${found.line}`;
  if (wanted !== "" && said !== wanted) say(`registered for ${said}, but ${place} says ${wanted}`);
  const registered = by.some((draft) => draft.matcher.length > 0);
  if (wanted !== "" && registered !== (own.matcher !== undefined)) {
    say(
      registered ? `has a matcher, but ${place} has none` : `has no matcher, but ${place} has one`,
    );
  }
  return report.diagnostics;
}

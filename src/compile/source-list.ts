import { basename } from "node:path";
import type { Draft, DraftReading, Place } from "./draft.ts";
import { entry } from "./entry.ts";
import { type Report, readFields, reportOn } from "./fields.ts";
import { fileText } from "./file-text.ts";
import { type Located, located } from "./located.ts";
import { hookMap } from "./source-settings.ts";
import { didYouMean } from "./values.ts";

const KEYS: readonly string[] = ["hooks", "version", "description", "$schema"];

/** hooks.yaml, hooks.yml or hooks.json. */
export async function sourceList(
  file: string,
  place: Place,
  text: string = fileText(file),
): Promise<DraftReading> {
  const report = reportOn(file, "");
  const root = read(file, text, report);
  const hooks = root && hooksIn(root, report);
  if (!hooks)
    return { definitions: [], diagnostics: report.diagnostics, failed: root === undefined };
  // Claude's plugins have a hooks.json of their own, with a map per event.
  const made = hooks.entries
    ? await hookMap(hooks, file, place)
    : await entries(hooks, file, place);
  return {
    definitions: made.definitions,
    diagnostics: [...report.diagnostics, ...made.diagnostics],
  };
}

function read(file: string, text: string, report: Report): Located | undefined {
  const { root, problems } = located(file, text);
  for (const { line, code, message, hint } of problems) {
    report.say(root ? "warning" : "error", line, code, message, hint);
  }
  return root;
}

function hooksIn(root: Located, report: Report): Located | undefined {
  if (root.value === null) return undefined;
  for (const [key, { keyLine }] of root.entries ?? []) {
    if (KEYS.includes(key)) continue;
    report.say("warning", keyLine, "unknown-field", `unknown key "${key}"`, didYouMean(key, KEYS));
  }
  const hooks = root.entries?.get("hooks")?.node;
  if (hooks?.items || hooks?.entries || hooks?.value === null) return hooks;
  const name = basename(report.file);
  report.say(
    "error",
    hooks?.line ?? root.line,
    "missing-hooks",
    `${name} has no list of hooks`,
    "start it with `hooks:` and put each hook below it",
  );
  return undefined;
}

async function entries(hooks: Located, file: string, place: Place): Promise<DraftReading> {
  const definitions: Draft[] = [];
  const diagnostics: Report["diagnostics"] = [];
  for (const [index, node] of (hooks.items ?? []).entries()) {
    const report = reportOn(file, "");
    if (!node.entries) {
      report.say(
        "error",
        node.line,
        "bad-entry",
        `entry ${index + 1} is not a map of fields`,
        "write - name: …",
      );
      diagnostics.push(...report.diagnostics);
      continue;
    }
    const fields = readFields(node.entries, report);
    const of = { form: "list", file, line: node.line, index, fields, report, folders: [] } as const;
    const one = await entry({ ...of, eventHint: "add events: [PreToolUse]" }, place);
    definitions.push(one.made);
    diagnostics.push(...one.report.diagnostics);
  }
  return { definitions, diagnostics };
}

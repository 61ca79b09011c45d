import { join } from "node:path";
import type { Draft, DraftReading, Place } from "./draft.ts";
import { entry } from "./entry.ts";
import { type Report, readFields, reportOn } from "./fields.ts";
import { FUNCTION } from "./function-mark.ts";
import { locate } from "./located.ts";
import { plainFields } from "./plain-fields.ts";

const FILE = "hooks";

/** Hooks that a program gives as objects: fields as in a list, or `run` as in a module. */
export async function sourceObjects(
  objects: readonly unknown[],
  place: Place,
): Promise<DraftReading> {
  const definitions: Draft[] = [];
  const diagnostics: Report["diagnostics"] = [];
  for (const [index, object] of objects.entries()) {
    const report = reportOn(FILE, "");
    if (!isObject(object)) {
      const hint = "write { events, command } or defineHook({ event, run })";
      report.say("error", index + 1, "bad-entry", `entry ${index + 1} is not an object`, hint);
      diagnostics.push(...report.diagnostics);
      continue;
    }
    const fields = withoutRun(object, index, place, report);
    const { entries = new Map() } = locate(fields, index + 1);
    const from = { file: FILE, line: index + 1, index, folders: [place.projectRoot] };
    const form = typeof object["run"] === "function" ? "module" : "list";
    const read = { form, fields: readFields(entries, report), report } as const;
    const one = await entry({ ...from, ...read, eventHint: 'add event: "PreToolUse"' }, place);
    definitions.push(one.made);
    diagnostics.push(...one.report.diagnostics);
  }
  return { definitions, diagnostics };
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const OTHERS = ["command", "script", "path", "module", "url", "prompt"] as const;

/** A function goes by the name of a file that nobody else can have. */
function withoutRun(object: Fields, index: number, place: Place, report: Report): Fields {
  const { run, ...fields } = object;
  const plain = plainFields(fields, index + 1, report);
  const say = (code: string, message: string, hint: string): void =>
    report.say("error", index + 1, code, message, hint);
  if (run !== undefined && typeof run !== "function")
    say("bad-value", `run: ${typeof run} is not a function`, "write run(event) { … }");
  if (run === undefined) return plain;
  const others = OTHERS.filter((key) => plain[key] !== undefined);
  if (others.length > 0) {
    const message = `says run and ${others.join(" and ")}, but a hook runs one thing`;
    say("several-handlers", message, "make two hooks of it");
    for (const key of others) delete plain[key];
  }
  const file = join(place.projectRoot, "\0", `function-${index + 1}`);
  const bundle = { code: `${FUNCTION}${index}`, plain: undefined, inputs: [] };
  place.modules.set(file, { bundle, meta: {}, diagnostics: [] });
  return { ...plain, module: file };
}

import { join } from "node:path";
import type { Draft, DraftReading, Place } from "./draft.ts";
import { entry } from "./entry.ts";
import { type Report, readFields, reportOn } from "./fields.ts";
import { FUNCTION } from "./function-mark.ts";
import { locate } from "./located.ts";

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
    const fields = withoutRun(object, index, place);
    if (fields === undefined) {
      const hint = "write { events, command } or defineHook({ event, run })";
      report.say("error", index + 1, "bad-entry", `entry ${index + 1} is not an object`, hint);
      diagnostics.push(...report.diagnostics);
      continue;
    }
    const { entries = new Map() } = locate(fields, index + 1);
    const from = { file: FILE, line: index + 1, index, folders: [place.projectRoot] };
    const form = typeof (object as { run?: unknown }).run === "function" ? "module" : "list";
    const read = { form, fields: readFields(entries, report), report } as const;
    const one = await entry({ ...from, ...read, eventHint: 'add event: "PreToolUse"' }, place);
    definitions.push(one.made);
    diagnostics.push(...one.report.diagnostics);
  }
  return { definitions, diagnostics };
}

/** A function goes by the name of a file that nobody else can have. */
function withoutRun(object: unknown, index: number, place: Place): object | undefined {
  if (typeof object !== "object" || object === null || Array.isArray(object)) return undefined;
  const { run, ...fields } = object as Record<string, unknown>;
  const plain = JSON.parse(JSON.stringify(fields, asText)) as Record<string, unknown>;
  if (typeof run !== "function") return run === undefined ? plain : { ...plain, run };
  const file = join(place.projectRoot, "\0", `function-${index + 1}`);
  const bundle = { code: `${FUNCTION}${index}`, plain: undefined, inputs: [] };
  place.modules.set(file, { bundle, meta: {}, diagnostics: [] });
  return { ...plain, module: file };
}

const asText = (_key: string, value: unknown): unknown =>
  value instanceof RegExp ? `/${value.source}/${value.flags}` : value;

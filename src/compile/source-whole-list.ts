import type { DraftReading, Place } from "./draft.ts";
import { located } from "./located.ts";
import { reportOn } from "./fields.ts";
import { sourceList } from "./source-list.ts";

/**
 * A hooks file that is the only source of hooks: nothing in it is a write that was cut short, unless
 * it says `hooks: []` in so many words.
 */
export async function sourceWholeList(
  file: string,
  text: string,
  place: Place,
): Promise<DraftReading> {
  const reading = await sourceList(file, place, text);
  if (reading.definitions.length > 0 || saysNone(file, text)) return reading;
  const report = reportOn(file, "");
  const hint = "write hooks: [] if there shall be none";
  if (!reading.diagnostics.some(({ severity }) => severity === "error"))
    report.say("error", 1, "empty-file", "it says no hooks", hint);
  return { ...reading, failed: true, diagnostics: [...reading.diagnostics, ...report.diagnostics] };
}

function saysNone(file: string, text: string): boolean {
  const hooks = located(file, text).root?.entries?.get("hooks")?.node;
  return hooks?.items?.length === 0 || hooks?.entries?.size === 0;
}

export function unreadable(
  file: string,
  problem: string,
  hint = "check the file's permissions",
): DraftReading {
  const report = reportOn(file, "");
  report.say("error", 0, "unreadable", problem, hint);
  return { definitions: [], diagnostics: report.diagnostics, failed: true };
}

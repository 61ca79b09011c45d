import { type DraftReading, type Place, draft, requireEvents } from "./draft.ts";
import { readFields, reportOn, unknownAmong } from "./fields.ts";
import { HEADER_KEYS, header, headOf, readableHead } from "./header.ts";
import { stem } from "./names.ts";
import { fileHandler } from "./source-module.ts";

/** An executable file with a header; a file without one is not a hook. */
export async function sourceScript(file: string, place: Place): Promise<DraftReading> {
  const found = header(readableHead(file));
  if (!found) return { definitions: [], diagnostics: [] };
  const { line, entries, slips, doubled } = found;
  const report = reportOn(file, headerName(file) ?? stem(file));
  const fields = readFields([...entries, ...slips], report, [], unknownAmong(HEADER_KEYS));
  for (const { key, line: at } of doubled)
    report.say("warning", at, "duplicate-key", `"${key}" is there already`, ONCE);
  requireEvents(fields, line, report, "add a line such as `# Event: PreToolUse` to the header");
  const from = { form: "script", file, line, index: 0 } as const;
  const made = draft(place, from, fields, await fileHandler(file, place), report);
  return { definitions: [made], diagnostics: report.diagnostics };
}

const ONCE = "the first one counts: put all of it into one line, or remove the other";

/** What the file's own `Hook:` line says. */
export function headerName(file: string): string | undefined {
  const name = header(headOf(file))?.entries.get("name")?.node.value;
  return typeof name === "string" ? name : undefined;
}

import type { EventName } from "../events.ts";
import type { Diagnostic } from "../model.ts";
import type { Draft, DraftReading, Place } from "./draft.ts";
import { entry } from "./entry.ts";
import { type Report, readFields, reportOn } from "./fields.ts";
import { fileText } from "./file-text.ts";
import { type Located, type LocatedEntry, located } from "./located.ts";
import { type Settings, readSettings } from "./settings-keys.ts";
import { didYouMean, events } from "./values.ts";

export interface SettingsReading extends DraftReading {
  readonly settings: Settings;
}

/** settings.json: what it says about events, and its `hooks` map. */
export async function sourceSettings(file: string, place: Place): Promise<SettingsReading> {
  const report = reportOn(file, "");
  const { root, problems } = located(file, fileText(file));
  for (const { line, code, message, hint } of problems) {
    report.say(root ? "warning" : "error", line, code, message, hint);
  }
  const settings = readSettings(root?.entries ?? new Map(), report);
  const hooks = root?.entries?.get("hooks")?.node;
  if (hooks && !hooks.entries && hooks.value !== null) {
    const hint = 'write "hooks": { "PreToolUse": [ { "path": "hooks/check.sh" } ] }';
    report.say("error", hooks.line, "bad-hooks", "hooks: is not a map from events to lists", hint);
  }
  const made = hooks?.entries
    ? await hookMap(hooks, file, place)
    : { definitions: [], diagnostics: [] };
  const diagnostics = [...report.diagnostics, ...made.diagnostics];
  return { settings, definitions: made.definitions, diagnostics, failed: root === undefined };
}

interface Slot {
  readonly event: EventName;
  readonly file: string;
  readonly place: Place;
  readonly definitions: Draft[];
  readonly diagnostics: Diagnostic[];
}

/** Per event a list of `{ path }` entries, or of Claude's `{ matcher, hooks: [] }` groups. */
export async function hookMap(map: Located, file: string, place: Place): Promise<DraftReading> {
  const definitions: Draft[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, { keyLine, node }] of map.entries ?? []) {
    const event = eventNamed(name, keyLine, file, diagnostics);
    if (!event) continue;
    const slot: Slot = { event, file, place, definitions, diagnostics };
    for (const item of node.items ?? [node]) await readItem(item, slot);
  }
  return { definitions, diagnostics };
}

function eventNamed(
  name: string,
  line: number,
  file: string,
  out: Diagnostic[],
): EventName | undefined {
  const report = reportOn(file, "");
  const found = events.read({ value: name, line }, (code, message, hint) =>
    report.say("error", line, code, message, hint),
  );
  out.push(...report.diagnostics);
  return found?.[0];
}

async function readItem(item: Located, slot: Slot): Promise<void> {
  const group = item.entries?.get("hooks")?.node.items;
  if (group) {
    const matcher = item.entries?.get("matcher");
    for (const handler of group) await readClaude(handler, matcher, slot);
    return;
  }
  if (item.entries?.has("path")) return readPath(item, slot);
  const report = reportOn(slot.file, "");
  const hint =
    'write { "path": "…" }, or { "matcher": "…", "hooks": [ { "type": "command", "command": "…" } ] }';
  report.say(
    "error",
    item.line,
    "bad-entry",
    `an entry of ${slot.event} has neither path nor hooks`,
    hint,
  );
  slot.diagnostics.push(...report.diagnostics);
}

/** `{ path, timeout (ms), matcher {} }` (S3.17–21). */
async function readPath(item: Located, slot: Slot): Promise<void> {
  const report = reportOn(slot.file, "");
  const fields = { ...readFields(item.entries!, report), events: [slot.event] };
  await register("settings", item.line, fields, report, slot);
}

/** What Claude has and we do not need. */
const SILENT: readonly string[] = ["statusMessage", "continueOnBlock"];
const IGNORED: readonly string[] = ["if", "shell", "asyncRewake", "rewakeMessage", "rewakeSummary"];
const TYPES: readonly string[] = ["command", "http", "prompt", "agent"];

async function readClaude(
  item: Located,
  matcher: LocatedEntry | undefined,
  slot: Slot,
): Promise<void> {
  const report = reportOn(slot.file, "");
  const own = new Map(item.entries);
  const type = String(own.get("type")?.node.value ?? "command");
  if (!item.entries)
    report.say(
      "error",
      item.line,
      "bad-entry",
      "a hook is not a map of fields",
      'write { "type": "command", "command": "…" }',
    );
  else if (!TYPES.includes(type)) {
    report.say(
      "warning",
      item.line,
      "unsupported-type",
      `hooks of type "${type}" are not run`,
      didYouMean(type, TYPES),
    );
  }
  if (!item.entries || !TYPES.includes(type))
    return void slot.diagnostics.push(...report.diagnostics);
  reportIgnored(own, report);
  if (matcher) own.set("matcher", matcher);
  asSeconds(own);
  const fields = {
    ...readFields(own, report, [...SILENT, ...IGNORED, "allowedEnvVars"]),
    events: [slot.event],
  };
  await register("claude", item.line, fields, report, slot);
}

function reportIgnored(own: ReadonlyMap<string, LocatedEntry>, report: Report): void {
  for (const key of IGNORED.filter((name) => own.has(name))) {
    const hint =
      key === "if" ? 'say it in the matcher: { "tool_input.command": "/…/" }' : `remove ${key}`;
    // Without its `if` the hook would run where nobody wanted it.
    report.say(
      key === "if" ? "error" : "warning",
      own.get(key)!.keyLine,
      "unsupported-field",
      `"${key}" has no effect here`,
      hint,
    );
  }
}

/** Claude counts seconds, and spells one field in its own way. */
function asSeconds(own: Map<string, LocatedEntry>): void {
  const timeout = own.get("timeout");
  if (typeof timeout?.node.value === "number") {
    own.set("timeout", { ...timeout, node: { ...timeout.node, value: `${timeout.node.value}s` } });
  }
  const allowed = own.get("allowedEnvVars");
  if (allowed) own.set("allowed_env", allowed);
}

type Register = (
  form: "settings" | "claude",
  line: number,
  fields: ReturnType<typeof readFields>,
  report: Report,
  slot: Slot,
) => Promise<void>;

const register: Register = async (form, line, fields, report, slot) => {
  const { file, place, definitions, diagnostics } = slot;
  const folders = [place.root, place.projectRoot].filter((folder) => folder !== "");
  const index = definitions.length;
  const one = await entry(
    { form, file, line, index, fields, report, folders, eventHint: "" },
    place,
  );
  definitions.push(one.made);
  diagnostics.push(...one.report.diagnostics);
};

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { SCOPES } from "../adapters/_settings.ts";
import { decodeRow } from "../dispatch/rows.ts";
import { EVENT_NAMES, type EventName } from "../events.ts";
import { readLedger } from "../ledger/read.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import type { Hook } from "../model.ts";
import { matching, sessionsOf, type Trace } from "./sessions.ts";
import { recordOf, type Site } from "./site.ts";

/** A hook that should have run in the last session of a harness here, and did not. */
export interface Missed {
  readonly harness: string;
  readonly title: string;
  readonly hook: string;
  readonly event: string;
  readonly at: Date;
  readonly why: string;
}

interface Session {
  readonly adapter: Adapter;
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[];
  readonly hooksAt: (manifest: string, event: string) => readonly Hook[];
}

const DAY = 86_400_000;

/**
 * The last session of each harness in one project, against the hooks that were compiled then. Only
 * what the ledger can tell for certain: it keeps no inputs, so that hooks with a matcher on more than
 * the tool are never missed here.
 */
export async function missed(
  adapters: readonly Adapter[],
  site: Site,
  project: string,
  now = Date.now(),
): Promise<Missed[]> {
  const sessions = lastSessions(adapters, project, now);
  const all = await Promise.all(
    sessions.map(async (session) => [
      ...session.entries.flatMap((entry) => unlisted(session, entry)),
      ...(await uncalled(session, site, project)),
    ]),
  );
  const keyed = all.flat().map((one) => [`${one.harness} ${one.event} ${one.hook}`, one] as const);
  return [...new Map(keyed).values()];
}

function lastSessions(adapters: readonly Adapter[], project: string, now: number): Session[] {
  const found = new Map<string, LedgerEntry[]>();
  for (const entry of readLedger(join(project, "ledger"))) {
    if (Date.parse(entry.time) < now - DAY) break;
    const { harness, session, depth, lane } = entry;
    if (session === "" || depth > 0 || lane === "async") continue;
    const list = found.get(harness);
    if (!list) found.set(harness, [entry]);
    else if (list[0]!.session === session) list.push(entry);
  }
  const hooksAt = readHooks(project);
  return adapters.flatMap((adapter) => {
    const entries = found.get(adapter.id)?.toReversed();
    return entries ? [{ adapter, entries, hooksAt }] : [];
  });
}

/** Generations are kept for a while after the next one, each worktree has its own. */
function readHooks(project: string): Session["hooksAt"] {
  const known = new Map<string, readonly Hook[]>();
  return (manifest, event) => {
    const key = `${manifest}/index/${event}`;
    if (!known.has(key)) {
      const texts = matching(join(project, "trees", "*", "gen", key)).flatMap(textOf);
      const rows = (texts[0] ?? "").split("\n").slice(1);
      known.set(
        key,
        rows.flatMap((row) => decodeRow(row) ?? []),
      );
    }
    return known.get(key)!;
  };
}

function textOf(file: string): string[] {
  try {
    return [readFileSync(file, "utf8")];
  } catch {
    return [];
  }
}

/** Called, but not every hook of the event was run, or none had the time. */
function unlisted({ adapter, hooksAt }: Session, entry: LedgerEntry): Missed[] {
  if (entry.notes.length > 0) return [];
  const { manifest, event, tool, hooks } = entry;
  const lost = hooksAt(manifest, event)
    .filter((hook) => concerns(hook, adapter, tool))
    .filter(({ name }) => !hooks.some((one) => one.name === name))
    .map(({ name }) => miss(adapter, name, entry, event, "the event came, and it was not run"));
  const late = hooks
    .filter(({ status, note }) => status === "skipped" && note.startsWith("no time left"))
    .map(({ name, note }) => miss(adapter, name, entry, event, note));
  return [...lost, ...late];
}

/** Certain without the payload: no condition, or only exact names of tools. */
const concerns = ({ harness, matcher }: Hook, { id }: Adapter, tool: string): boolean =>
  (harness.length === 0 || harness.includes(id)) &&
  matcher.every((one) => one.path === "tool_name" && one.op === "eq" && one.values.includes(tool));

const miss = (
  { id, title }: Adapter,
  hook: string,
  { time }: LedgerEntry,
  event: string,
  why: string,
): Missed => ({ harness: id, title, hook, event, at: new Date(time), why });

/** What cannot happen without something before it. */
const AFTER: Readonly<Partial<Record<EventName, EventName>>> = {
  PostToolUse: "PreToolUse",
  PostToolUseFailure: "PreToolUse",
  SubagentStop: "SubagentStart",
  PostCompact: "PreCompact",
};

/** Events that must have happened, because what follows them did, and that nobody told us of. */
async function uncalled(session: Session, site: Site, project: string): Promise<Missed[]> {
  const { adapter, entries, hooksAt } = session;
  const since = connectedSince(adapter, site);
  const first = entries[0]!;
  if (since === undefined || Date.parse(first.time) + 1000 < since) return [];
  const hasStart = entries.some(({ event }) => event === "SessionStart");
  const trace = (await sessionsOf(adapter, site, since)).find(({ id }) =>
    id.includes(first.session),
  );
  // Hooks that came in mid-session explain why nothing is known of what was before.
  if (!hasStart && !(trace && isOlder(project, first.manifest, trace))) return [];
  const expected = (event: EventName, entry: LedgerEntry): Missed[] => {
    if (!adapter.surfaces[event]) return [];
    const before = hooksAt(first.manifest, event).map(({ name }) => name);
    return hooksAt(entry.manifest, event)
      .filter((hook) => concerns(hook, adapter, entry.tool) && before.includes(hook.name))
      .map(({ name }) => miss(adapter, name, entry, event, `only ${entry.event} came`));
  };
  return [
    ...(hasStart ? [] : expected("SessionStart", first)),
    ...orphans(entries).flatMap((entry) => expected(AFTER[entry.event as EventName]!, entry)),
  ];
}

function connectedSince(adapter: Adapter, site: Site): number | undefined {
  const times = SCOPES.flatMap(
    (scope) =>
      statSync(recordOf(site, adapter.id, scope), { throwIfNoEntry: false })?.mtimeMs ?? [],
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

function isOlder(project: string, manifest: string, { born }: Trace): boolean {
  const [made] = matching(join(project, "trees", "*", "gen", manifest)).flatMap(
    (folder) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? [],
  );
  return made !== undefined && made < born;
}

/**
 * Entries whose cause never came. Of calls that have an id, where ids pair up at all: the one without
 * its pair. Else only if there was no such event in the whole session.
 */
function orphans(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return EVENT_NAMES.flatMap((event) => {
    const cause = AFTER[event];
    if (cause === undefined) return [];
    const [causes, effects] = [cause, event].map((name) =>
      entries.filter((entry) => entry.event === name),
    ) as [LedgerEntry[], LedgerEntry[]];
    const keys = new Set(causes.map(callOf));
    const alone = effects.filter((entry) => !keys.has(callOf(entry)));
    const pairsUp = alone.length < effects.length;
    return alone.filter(({ tool }) => pairsUp || !causes.some((one) => one.tool === tool));
  });
}

/** An event's id is `session:event:call`, and the session has no colon in it. */
const callOf = ({ id }: LedgerEntry): string => id.split(":").slice(2).join(":");

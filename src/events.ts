/** The canonical events: what may happen there, and by which other names people know them. */

export interface EventFacts {
  readonly block: boolean;
  readonly context: boolean;
  readonly rewrite: boolean;
  readonly aliases: readonly string[];
  /** The payload field that a bare matcher string compares, as the harnesses do. */
  readonly subject: string;
}

const event = (
  block: boolean,
  context: boolean,
  rewrite: boolean,
  subject: string,
  ...aliases: string[]
): EventFacts => ({ block, context, rewrite, aliases, subject });

export const EVENTS = {
  SessionStart: event(false, true, false, "source"),
  SessionEnd: event(false, false, false, "reason"),
  UserPromptSubmit: event(true, true, false, "prompt", "user-prompt", "BeforeAgent"),
  PreToolUse: event(true, true, true, "tool_name", "BeforeTool", "tool.execute.before"),
  PermissionRequest: event(true, false, true, "tool_name"),
  PostToolUse: event(false, true, true, "tool_name", "AfterTool", "tool.execute.after"),
  PostToolUseFailure: event(false, true, false, "tool_name"),
  Notification: event(false, false, false, "notification_type"),
  SubagentStart: event(false, true, false, "agent_type"),
  SubagentStop: event(true, false, false, "agent_type"),
  Stop: event(true, false, false, "", "AfterAgent", "session.idle"),
  PreCompact: event(true, false, false, "trigger", "PreCompress"),
  PostCompact: event(false, false, false, "trigger"),
  TaskCompleted: event(true, false, false, ""),
} as const satisfies Record<string, EventFacts>;

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** What can be done at an event beyond the table, under a harness's own name: look on. */
const OBSERVED: EventFacts = event(false, false, false, "");

/** Facts of any event, canonical or native; a native one is a name that an adapter observes. */
export const factsOf = (name: EventName): EventFacts =>
  (EVENTS as Readonly<Record<string, EventFacts>>)[name] ?? OBSERVED;

/** `pre-tool-use`, `PRE_TOOL_USE`, `tool.execute.before` … all fold to one key. */
const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

const BY_FOLDED: ReadonlyMap<string, EventName> = new Map(
  EVENT_NAMES.flatMap((name) =>
    [name, ...EVENTS[name].aliases].map((alias) => [fold(alias), name] as const),
  ),
);

/** The canonical name for anything a user may write, or undefined. */
export function resolveEvent(name: string): EventName | undefined {
  return BY_FOLDED.get(fold(name));
}

/** The nearest of `known` to what was written, when it is near enough to be a slip. */
export function suggest(written: string, known: readonly string[]): string | undefined {
  // Nobody's slip is that long, and the distance of two texts costs the product of their lengths.
  if (written.length > 100) return undefined;
  const target = fold(written);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(target.length / 3)) + 1;
  for (const candidate of known) {
    const d = distance(target, fold(candidate));
    if (d < bestDistance) [best, bestDistance] = [candidate, d];
  }
  return best;
}

/** Edits between two short words, a swap of neighbours counting as one. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let d = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) d = Math.min(d, before[j - 2]! + 1);
      row.push(d);
    }
    [before, previous] = [previous, row];
  }
  return previous[b.length]!;
}

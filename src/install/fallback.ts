import type { EventName } from "../events.ts";

/** What stands in for an event where a harness has no hooks (S2.6–S2.12). */
export interface StandIn {
  readonly text: string;
  readonly can: { readonly block?: boolean; readonly context?: boolean };
}

type Table<T> = Readonly<Partial<Record<EventName, (harness: string) => T>>>;

/** Called by a skill or by a person: once per session, with the hooks of that event. */
const LIFECYCLE: Table<StandIn> = {
  SessionStart: (id) => ({
    text: `anyhook lifecycle ${id} ensure-start, at the beginning of a skill`,
    can: { context: true },
  }),
  SessionEnd: (id) => ({
    text: `anyhook lifecycle ${id} ensure-stop, at the end of a skill`,
    can: {},
  }),
  Stop: (id) => ({
    text: `anyhook lifecycle ${id} stop --close-loop`,
    can: { block: true },
  }),
  UserPromptSubmit: (id) => ({
    text: `the skill's preamble: anyhook lifecycle ${id} prompt`,
    can: { context: true },
  }),
  TaskCompleted: (id) => ({
    text: `the skill's epilogue: anyhook lifecycle ${id} task-completed`,
    can: { block: true },
  }),
};

const COMMIT = "a git pre-commit gate: anyhook install --git-hooks";

/** Nothing calls us there; this is the next best thing, and it is not the same. */
const FALLBACKS: Table<string> = {
  SessionStart: (id) => `anyhook lifecycle ${id} start, by hand or from a skill`,
  SessionEnd: (id) => `anyhook lifecycle ${id} stop, by hand or from a skill`,
  UserPromptSubmit: (id) => `anyhook lifecycle ${id} prompt, from a skill's preamble`,
  Stop: (id) => `anyhook lifecycle ${id} stop --close-loop, by hand or from a skill`,
  PreToolUse: () => `${COMMIT}, or checks in the steps of a skill`,
  PermissionRequest: () => "PreToolUse, where there is one; else the harness's own permissions",
  PostToolUse: () => `${COMMIT}, or checks in the steps of a skill`,
  PostToolUseFailure: () => "PostToolUse, where it is called for failures as well",
  SubagentStart: () => "PreToolUse of the tool that starts the agent, where there is one",
  SubagentStop: () => "Stop, where there is one",
  PreCompact: () => "anyhook hook pre-compact by hand, before compacting",
  PostCompact: () => "anyhook inject by hand, after a compaction",
  TaskCompleted: (id) => `anyhook lifecycle ${id} task-completed, from a skill's epilogue`,
};

export const lifecycleAt = (harness: string, event: EventName): StandIn | undefined =>
  LIFECYCLE[event]?.(harness);

export const fallbackAt = (harness: string, event: EventName): string =>
  FALLBACKS[event]?.(harness) ?? "none";

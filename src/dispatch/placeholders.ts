import type { EventName } from "../events.ts";

/** What a payload has at every event, on one harness or another. */
const EVERYWHERE = [
  ...["session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode"],
  ...["prompt_id", "turn_id", "model", "agent_id", "agent_type"],
] as const;

const TOOL = ["tool_name", "tool_input"] as const;

/** And at one: from payloads that real clients sent, and Claude Code's own reference. */
const ONLY_AT = {
  SessionStart: ["source"],
  SessionEnd: ["reason"],
  UserPromptSubmit: ["prompt"],
  PreToolUse: [...TOOL, "tool_use_id", "mcp_server"],
  PermissionRequest: [...TOOL, "permission_suggestions"],
  PostToolUse: [...TOOL, "tool_response", "tool_use_id", "duration_ms", "mcp_server"],
  PostToolUseFailure: [...TOOL, "tool_use_id", "error", "is_interrupt", "duration_ms"],
  Notification: ["message", "title", "notification_type"],
  SubagentStart: [],
  SubagentStop: ["stop_hook_active", "agent_transcript_path", "last_assistant_message"],
  Stop: ["stop_hook_active", "last_assistant_message"],
  PreCompact: ["trigger", "custom_instructions"],
  PostCompact: ["trigger", "compact_summary"],
  TaskCompleted: ["task_id", "task_subject", "task_description"],
} as const satisfies Record<EventName, readonly string[]>;

/** Which fields a payload can have there; undefined for an event beyond the table. */
export const fieldsAt = (event: string): readonly string[] | undefined =>
  Object.hasOwn(ONLY_AT, event) ? [...EVERYWHERE, ...ONLY_AT[event as EventName]] : undefined;

/** Names without a dot that stand for the payload's text; shell/placeholders.awk has the same list. */
export const PLACEHOLDERS: readonly string[] = [
  ...["file", "args", "result"],
  ...new Set([...EVERYWHERE, ...Object.values(ONLY_AT).flat()]),
];

/** Everything in braces that could be one; `${file}` is the shell's, and stays so everywhere. */
export const BRACED = /(?<!\$)\{([a-z_][A-Za-z0-9_.-]*)\}/g;

/** A field that payloads are known to have, or a path with a dot; `{a,b}` and `{print}` are not. */
export const isPlaceholder = (name: string): boolean =>
  PLACEHOLDERS.includes(name) || /^[a-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)+$/.test(name);

/** What an environment variable may hold, and no half character at the end. */
const MOST = 100_000;

export function bounded(text: string): string {
  const bytes = Buffer.from(text.replaceAll("\0", ""));
  let end = Math.min(MOST, bytes.length);
  while (end > 0 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString("utf8");
}

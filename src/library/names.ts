import type { EventName } from "../events.ts";

/** The events by their UPPER_SNAKE names; the values are the canonical ones. */
export const HookEvents = {
  SESSION_START: "SessionStart",
  SESSION_END: "SessionEnd",
  USER_PROMPT_SUBMIT: "UserPromptSubmit",
  PRE_TOOL_USE: "PreToolUse",
  PERMISSION_REQUEST: "PermissionRequest",
  POST_TOOL_USE: "PostToolUse",
  POST_TOOL_USE_FAILURE: "PostToolUseFailure",
  NOTIFICATION: "Notification",
  SUBAGENT_START: "SubagentStart",
  SUBAGENT_STOP: "SubagentStop",
  STOP: "Stop",
  PRE_COMPACT: "PreCompact",
  POST_COMPACT: "PostCompact",
  TASK_COMPLETED: "TaskCompleted",
} as const satisfies Record<string, EventName>;

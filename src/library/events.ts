import type { EventName } from "../events.ts";

/** What every event has, whatever happened. Fields of single harnesses are there too, untyped. */
export interface AnyEvent {
  readonly harness: string;
  /** Same for the same occurrence, however often it is delivered. */
  readonly id: string;
  readonly session_id: string;
  readonly cwd: string;
  /** Files that the tool touches, absolute; empty where there is no tool. */
  readonly paths: readonly string[];
  /** The payload as the harness sent it, decoded. */
  readonly native: Readonly<Record<string, unknown>>;
  readonly transcript_path?: string | null;
  readonly permission_mode?: string;
  readonly model?: string;
  readonly [field: string]: unknown;
}

/** Fields that tools have in common; which ones are there depends on the tool. */
export interface ToolInput {
  readonly command?: string;
  readonly description?: string;
  readonly file_path?: string;
  readonly content?: string;
  readonly old_string?: string;
  readonly new_string?: string;
  readonly pattern?: string;
  readonly path?: string;
  readonly url?: string;
  readonly query?: string;
  readonly prompt?: string;
  readonly [field: string]: unknown;
}

interface ToolEvent extends AnyEvent {
  /** Canonical: Bash, Read, Write, Edit, Glob, Grep, WebFetch, WebSearch, Agent, mcp__server__tool. */
  readonly tool_name: string;
  readonly tool_input: ToolInput;
  readonly tool_use_id?: string;
}

/** The payload of each event, as a module gets it. */
export interface Payloads {
  SessionStart: AnyEvent & { readonly source: string };
  SessionEnd: AnyEvent & { readonly reason: string };
  UserPromptSubmit: AnyEvent & { readonly prompt: string };
  PreToolUse: ToolEvent;
  PermissionRequest: ToolEvent;
  PostToolUse: ToolEvent & { readonly tool_response: unknown; readonly duration_ms?: number };
  PostToolUseFailure: ToolEvent & { readonly error: string; readonly is_interrupt?: boolean };
  Notification: AnyEvent & { readonly message: string; readonly notification_type?: string };
  SubagentStart: AnyEvent & { readonly agent_id: string; readonly agent_type: string };
  SubagentStop: AnyEvent & {
    readonly agent_id: string;
    readonly agent_type: string;
    readonly stop_hook_active: boolean;
    readonly last_assistant_message?: string | null;
  };
  Stop: AnyEvent & {
    readonly stop_hook_active: boolean;
    readonly last_assistant_message?: string | null;
  };
  PreCompact: AnyEvent & { readonly trigger: string; readonly custom_instructions?: string | null };
  PostCompact: AnyEvent & { readonly trigger: string; readonly compact_summary?: string };
  TaskCompleted: AnyEvent & { readonly task_id?: string; readonly task_subject?: string };
}

/** One event, or a union of several that `event.event` tells apart. */
export type EventOf<E extends EventName> = E extends EventName
  ? Payloads[E] & { readonly event: E }
  : never;

import type { EventName } from "../../events.ts";
import type { Call, ToolCall } from "../model/script.ts";
import type { Files, Stage } from "../stage.ts";

/**
 * How to start one client headless against a model at `url`, with a stage for a home. What a client
 * sends to hooks and how it takes their replies stands in its adapter, not here.
 */
export interface Driver {
  readonly harness: string;
  /** What it is called on the search path. */
  readonly program: string;
  /** Its own settings, and the hooks registered in them in its own way, if it can do that. */
  settings(around: Surroundings): Files;
  argv(prompt: string, around: Surroundings): readonly string[];
  env(around: Surroundings): Readonly<Record<string, string>>;
  readonly tools: Tools;
  /** How many tokens make it compact. */
  readonly fullAt: number;
  /** What the client itself says about replies, in order, where it says so. */
  taken?(stdout: string, stderr: string): readonly Taken[];
  /** Events that no session without a person reaches, or none of this client at all, and why. */
  readonly unreachable: Readonly<Partial<Record<EventName, string>>>;
}

export interface Surroundings {
  readonly stage: Stage;
  readonly url: string;
  /** The client is not told beforehand that it may use its tools. */
  readonly strict: boolean;
  readonly hooks: readonly NativeHook[];
}

/** A command registered with the client itself, in the client's own words. */
export interface NativeHook {
  readonly event: string;
  readonly matcher?: string;
  readonly command: string;
}

/** `PreToolUse blocked`: how the client took one reply. `failed` means that it did not like it. */
export type Taken = `${string} ${"completed" | "blocked" | "failed"}`;

/** Calls in the words of the client's tools; for what is left out it has no tool. */
export interface Tools {
  shell(call: Of<"shell">): ToolCall;
  read?(call: Of<"read">): ToolCall;
  write?(call: Of<"write">): ToolCall;
  edit?(call: Of<"edit">): ToolCall;
  agent?(call: Of<"agent">): ToolCall;
  mcp?(call: Of<"mcp">): ToolCall;
}

type Of<Kind extends string> = Extract<Call, { readonly [K in Kind]: unknown }>;

const KINDS = ["shell", "read", "write", "edit", "agent", "mcp"] as const;

export function toTool(tools: Tools, call: Call): ToolCall | undefined {
  const kind = KINDS.find((one) => one in call);
  if (kind !== undefined) return (tools[kind] as ((call: Call) => ToolCall) | undefined)?.(call);
  return "tool" in call ? { name: call.tool, input: call.input } : undefined;
}

export const DUMMY = "dummy";

export const AGENT_WORDS = "Do your part of the work.";

/** `{event: [{matcher, hooks: [{type, command}]}]}`: the form that most clients took over. */
export function nested(hooks: readonly NativeHook[]): Record<string, unknown[]> {
  const events: Record<string, unknown[]> = {};
  for (const { event, matcher, command } of hooks)
    (events[event] ??= []).push({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: "command", command }],
    });
  return events;
}

/** `hooks` as a member of a settings object; no member when there are none. */
export const withHooks = (hooks: readonly NativeHook[]): object =>
  hooks.length === 0 ? {} : { hooks: nested(hooks) };

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

import type { EventName } from "../events.ts";
import type { Chain, FailurePolicy, PayloadForm } from "../model.ts";
import type { Answer } from "./answers.ts";

/** The decoded event: the canonical payload's fields, and the raw one as `native`. */
export interface HookEvent {
  readonly event: EventName;
  readonly harness: string;
  /** Same for the same occurrence, however often it is delivered. */
  readonly id: string;
  readonly session_id: string;
  readonly cwd: string;
  /** Canonical: Bash, Read, Write, Edit, Glob, Grep, WebFetch, WebSearch, Agent, mcp__server__tool. */
  readonly tool_name?: string;
  readonly tool_input?: Readonly<Record<string, unknown>>;
  readonly tool_response?: unknown;
  readonly prompt?: string;
  readonly source?: string;
  readonly trigger?: string;
  readonly stop_hook_active?: boolean;
  /** Files that the tool touches, absolute. */
  readonly paths: readonly string[];
  readonly native: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

type Result = Answer | string | undefined | null | void;

export interface HookModule {
  readonly name?: string;
  readonly description?: string;
  readonly event?: EventName | string;
  readonly events?: readonly (EventName | string)[];
  readonly matcher?:
    | string
    | Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly order?: number;
  readonly block?: boolean;
  readonly timeout?: number;
  readonly on_failure?: FailurePolicy;
  readonly chain?: Chain;
  readonly async?: boolean;
  readonly harness?: string | readonly string[];
  readonly reentrant?: boolean;
  readonly payload?: PayloadForm;
  readonly once?: boolean;
  readonly enabled?: boolean;
  run(event: HookEvent): Result | Promise<Result>;
}

/** Types for an editor, and nothing else: the object is the hook. */
export const defineHook = (hook: HookModule): HookModule => hook;

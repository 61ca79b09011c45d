import type { EventName } from "../events.ts";
import type { Chain, FailurePolicy, PayloadForm } from "../model.ts";
import type { Answer } from "./answers.ts";
import type { AnyEvent, EventOf, ToolInput } from "./events.ts";

/** Any event, when it is not known which: what only some have is optional. */
export interface HookEvent extends AnyEvent {
  readonly event: EventName;
  readonly tool_name?: string;
  readonly tool_input?: ToolInput;
  readonly tool_response?: unknown;
  readonly prompt?: string;
  readonly source?: string;
  readonly trigger?: string;
  readonly stop_hook_active?: boolean;
}

/** What `run` gets beside the event. */
export interface RunContext {
  /** Aborted when nobody waits for the answer any more: the time is up, or the call was aborted. */
  readonly signal: AbortSignal;
}

type Result = Answer | string | undefined | null | void;

/** `E` are the events it is for: `run` gets their payloads. */
export interface HookModule<E extends EventName = EventName> {
  readonly name?: string;
  readonly description?: string;
  readonly event?: E;
  readonly events?: readonly E[];
  readonly matcher?:
    | string
    | Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly order?: number;
  readonly block?: boolean;
  readonly timeout?: number;
  readonly on_failure?: FailurePolicy;
  readonly chain?: Chain;
  readonly async?: boolean;
  readonly notify?: "context";
  readonly harness?: string | readonly string[];
  readonly reentrant?: boolean;
  readonly payload?: PayloadForm;
  readonly once?: boolean;
  readonly enabled?: boolean;
  run(event: EventOf<E>, context: RunContext): Result | Promise<Result>;
}

/** Events by one of their other names (`pre-tool-use`, `BeforeTool`): any payload may come. */
export interface AliasedModule extends Omit<HookModule, "event" | "events" | "run"> {
  readonly event?: string;
  readonly events?: readonly string[];
  run(event: HookEvent, context: RunContext): Result | Promise<Result>;
}

/** Types for an editor, and nothing else: the object is the hook. */
export function defineHook<const E extends EventName>(hook: HookModule<E>): HookModule<E>;
export function defineHook(hook: AliasedModule): AliasedModule;
export function defineHook(hook: unknown): unknown {
  return hook;
}

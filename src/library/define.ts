import type { EventName } from "../events.ts";
import type { Chain, FailurePolicy, PayloadForm } from "../model.ts";
import type { Answer } from "./answers.ts";
import type { Canonical, EventSpelling } from "./spellings.ts";
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

/** Milliseconds, or a text such as "5s". */
export type Duration = number | `${number}${"" | " "}${"ms" | "s" | "m"}`;

type Scalar = string | number | boolean;

/** Text that the harnesses compare with, or a value for each path. */
export type Matcher = string | Readonly<Record<string, Scalar | RegExp | readonly Scalar[]>>;

/** What every hook may say, whatever it runs. `S` are the events it is for. */
export interface HookBasics<S extends EventSpelling = EventSpelling> {
  readonly name?: string;
  readonly description?: string;
  readonly event?: S | readonly S[];
  readonly events?: S | readonly S[];
  readonly matcher?: Matcher;
  readonly order?: number;
  readonly block?: boolean;
  readonly timeout?: Duration;
  readonly on_failure?: FailurePolicy;
  readonly chain?: Chain;
  readonly async?: boolean;
  readonly notify?: "context";
  readonly harness?: string | readonly string[];
  readonly reentrant?: boolean;
  readonly payload?: PayloadForm;
  readonly once?: boolean;
  readonly enabled?: boolean;
  readonly status?: "active" | "pending";
}

/** `run` gets the payloads of the events that it is for. */
export interface HookModule<S extends EventSpelling = EventSpelling> extends HookBasics<S> {
  run(event: EventOf<Canonical<S>>, context: RunContext): Result | Promise<Result>;
}

/** Types for an editor, and nothing else: the object is the hook. */
export const defineHook = <const S extends EventSpelling>(hook: HookModule<S>): HookModule<S> =>
  hook;

import type { HookNote } from "../dispatch/merge.ts";
import type { EventName } from "../events.ts";
import type { Duration, HookBasics, HookEvent, HookModule, RunContext } from "../library/define.ts";
import type { EventOf } from "../library/events.ts";
import type { Canonical, EventSpelling } from "../library/spellings.ts";
import type { Chain, Decision, Diagnostic } from "../model.ts";

/** An entry of a hooks file, as an object. */
export interface HookFields extends HookBasics {
  readonly run?: undefined;
  readonly type?: "command" | "module" | "http" | "prompt" | "agent";
  /** A line for sh, or a program and its arguments. */
  readonly command?: string | readonly string[];
  readonly args?: readonly string[];
  readonly script?: string;
  readonly path?: string;
  readonly module?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowed_env?: readonly string[];
  readonly prompt?: string;
  readonly provider?: Provider;
  readonly model?: string;
  readonly base_url?: string;
  readonly key_env?: string;
  readonly max_tokens?: number;
  readonly max_turns?: number;
  readonly token_budget?: number;
  readonly cache_ttl?: Duration;
  readonly stream?: boolean;
}

/** Who is asked: an interface, or the program of a harness. */
export type Provider = "auto" | "anthropic" | "openai" | `${string}-cli`;

type KnownKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] };
/** What the executor makes of a payload, and no part of it. */
type Derived = "event" | "harness" | "id" | "paths" | "native";

/** What a program says about an occurrence: the fields of its events, and any others. */
export type PayloadFor<S extends EventSpelling = EventSpelling> = {
  readonly [K in Exclude<KnownKeys<EventOf<Canonical<S>>>, Derived>]?: K extends "tool_input"
    ? unknown
    : EventOf<Canonical<S>>[K];
} & {
  // Not unknown: an interface of the program's own would have to declare an index signature.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [field: string]: any;
};

/** The fields of a hooks file, or `defineHook({ …, run })`. */
export type HookObject = HookModule | HookFields;

export type PermissionAnswer = "allow" | "deny" | "ask";

/** Asked about a tool call; `event` is the call as it would be made. No answer in time is a no. */
export type Permit = (
  event: HookEvent,
  context: RunContext,
) => Asked<PermissionAnswer | { readonly answer: PermissionAnswer; readonly reason?: string }>;

type Asked<T> = T | Promise<T>;

/** A tool of the program: which canonical one it is, and which members of its input are paths. */
export interface ToolFacts {
  readonly name: string;
  readonly paths?: readonly string[];
}

export interface HookWarning {
  /** All of it as text, ready to print. */
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface HookExecutorOptions {
  /** A YAML or JSON file with a `hooks:` list; looked at before every call. */
  readonly hooksFile?: string;
  readonly hooks?: readonly HookObject[];
  /** A folder with `.anyhook/`: its hooks and those of the user and the machine, as a harness runs them. */
  readonly project?: string;
  /** What happens after a block, everywhere or by event; `run-all` when omitted. */
  readonly chain?: Chain | Readonly<Partial<Record<EventSpelling, Chain>>>;
  /** The events that may be blocked; all that the table of events allows when omitted. */
  readonly blocking?: readonly EventSpelling[];
  /** Whether `permit` is asked before or after the PreToolUse hooks; `after` when omitted. */
  readonly permission?: "before" | "after";
  readonly permit?: Permit;
  /** Where hooks run; the current folder when omitted. */
  readonly cwd?: string;
  /** What hooks are told is calling: an id such as that of an adapter; `library` when omitted. */
  readonly harness?: string;
  /** Names of the program's own tools. */
  readonly tools?: Readonly<Record<string, string | ToolFacts>>;
  /** The environment of hooks; that of the process when omitted. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for a hook that names none; by its kind when omitted. */
  readonly timeout?: number;
  /** Milliseconds for all hooks of one event. */
  readonly budget?: number;
  /** Characters of context per event. */
  readonly contextLimit?: number;
  /** Anything else that a settings.json may say to hooks; `project` brings its own. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Told once per change what is wrong with the hooks; a process warning when omitted. */
  readonly onWarning?: (warning: HookWarning) => void;
  /** Told how a hook with `async: true` ended. */
  readonly onAsync?: (outcome: HookOutcome) => void;
}

export interface ExecuteOptions {
  readonly chain?: Chain;
  /** Ends the hooks under way and rejects with its reason; hooks with `async: true` go on. */
  readonly signal?: AbortSignal;
}

export type HookOutcome = HookNote;

export interface HookResult {
  readonly event: EventName;
  readonly blocked: boolean;
  /** Why; "" when nothing was blocked. */
  readonly reason: string;
  /** Merged and clamped; `decision.reason` is also that of an ask. */
  readonly decision: Decision;
  /** One per chosen hook, in order, those that were passed over included. */
  readonly outcomes: readonly HookOutcome[];
  /** What hooks want the model to read; "" when nothing. */
  readonly context: string;
  /** The rewritten input (at PostToolUse: output); undefined when nothing was rewritten. */
  readonly input: unknown;
  /** What a person should be told: failures, refused blocks, what hooks wrote to stderr. */
  readonly warnings: string;
  /** What is wrong with the hooks, as `check()` says it: what is named there as an error did not run. */
  readonly problems: readonly Diagnostic[];
  /** What `permit` said; undefined when it was not asked. */
  readonly permission: Permission | undefined;
}

export interface Permission {
  readonly when: "before" | "after";
  readonly answer: PermissionAnswer;
  readonly reason: string;
}

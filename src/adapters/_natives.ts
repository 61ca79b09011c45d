import type { EventName } from "../events.ts";
import type { Json, NativeCommand, Scope } from "./_settings.ts";

/** How a harness reads what people's own hooks say, so that they can move in and run as before. */
export interface Natives {
  /** Files beyond `settings.files` in which they stand; `*` is one name. */
  readonly files?: Readonly<Partial<Record<Scope, readonly string[]>>>;
  /** Where those files have another form than ours: how they are read. */
  readonly form?: {
    readonly format: "json" | "jsonc";
    readonly at: (native: string) => readonly string[];
    readonly commands: (entry: Json) => readonly NativeCommand[];
  };
  /** What runs a command. */
  readonly shell: "sh" | "bash";
  /**
   * What its matcher is to the tool's own name. words: as in Claude Code; search: a regular expression
   * that is found in it, also where its page does not say more; whole: one that is all of it; names: a
   * name, or what only the harness understands; none: whatever is written is not looked at.
   */
  readonly matcher: "words" | "search" | "whole" | "names" | "none";
  /** A matcher with which it never runs there. */
  readonly dead?: string;
  /** Where lists of hooks stand that a person has switched off, by name or by command. */
  readonly disabled?: readonly (readonly string[])[];
  /** Variables that the harness sets for these files only. */
  readonly variables?: readonly string[];
  /** Where a hook may do there what none can do here: it stays, with this reason. */
  readonly stays?: Readonly<Partial<Record<EventName, string>>>;
  readonly answers: Answers;
  /** Instead of `answers`, at one event. */
  readonly answersAt?: Readonly<Partial<Record<EventName, Answers>>>;
}

export interface Answers {
  /** When JSON on stdout is read; first: before the exit code, and instead of it. */
  readonly json: "never" | "exit 0" | "any exit" | "first";
  /** If there is nothing on stdout, JSON on stderr is read. */
  readonly jsonOnStderr?: boolean;
  /** What exit codes mean (`*`: every other but 0); the rest are failures. tell: stderr is for the model. */
  readonly exits: Readonly<Record<string, "deny" | "halt" | "tell" | "fail">>;
  /** An exit code without a word is no block. */
  readonly quiet?: "pass";
  /** What text on stdout is with exit 0, if it is no JSON. */
  readonly text: "" | "context" | "notice" | "deny";
  /** Members of the JSON, as dotted paths; `path=value` counts only with that value. */
  readonly says: Readonly<Record<string, Says>>;
}

/** holds: a text that is a deny and its reason; merge: members of the input; unsaid: nobody here can. */
export type Says =
  | ("deny" | "ask" | "allow" | "halt")
  | ("reason" | "context" | "notice" | "holds" | "input" | "merge" | "unsaid");

/** Claude Code's words, which others copied. */
export const claudeSays = {
  "continue=false": "halt",
  "decision=block": "deny",
  "decision=deny": "deny",
  "decision=approve": "allow",
  "hookSpecificOutput.permissionDecision=deny": "deny",
  "hookSpecificOutput.permissionDecision=ask": "ask",
  "hookSpecificOutput.permissionDecision=allow": "allow",
  "hookSpecificOutput.permissionDecisionReason": "reason",
  reason: "reason",
  stopReason: "reason",
  "hookSpecificOutput.additionalContext": "context",
  "hookSpecificOutput.updatedInput": "input",
  systemMessage: "notice",
} as const satisfies Answers["says"];

/** After a tool a block holds nothing back: its reason is for the model. */
const { "decision=block": _block, "decision=deny": _deny, ...afterwards } = claudeSays;
export const claudeAfterTool: Answers = {
  json: "exit 0",
  exits: { "2": "tell" },
  text: "",
  says: { ...afterwards, reason: "context" },
};

/** Nothing but exit 2 counts. */
export const exitTwoOnly: Answers = { json: "never", exits: { "2": "deny" }, text: "", says: {} };

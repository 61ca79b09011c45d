/** What a hook module gets when it imports "anyhook": small, and without a dependency. */
export { allow, ask, context, deny, replaceOutput, rewrite } from "./library/answers.ts";
export { defineHook } from "./library/define.ts";
export type {
  Duration,
  HookBasics,
  HookEvent,
  HookModule,
  Matcher,
  RunContext,
} from "./library/define.ts";
export type { Canonical, EventSpelling } from "./library/spellings.ts";
export type { EventOf, Payloads, ToolInput } from "./library/events.ts";
export type { Answer } from "./library/answers.ts";

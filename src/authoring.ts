/** What a hook module gets when it imports "anyhook": small, and without a dependency. */
export { allow, ask, context, deny, rewrite } from "./library/answers.ts";
export { defineHook } from "./library/define.ts";
export type { AliasedModule, HookEvent, HookModule, RunContext } from "./library/define.ts";
export type { EventOf, Payloads, ToolInput } from "./library/events.ts";
export type { Answer } from "./library/answers.ts";

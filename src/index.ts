/** What hook authors import: `import { defineHook, deny } from "anyhook"`. */
export { allow, ask, context, deny, rewrite } from "./library/answers.ts";
export { defineHook } from "./library/define.ts";
export type { AliasedModule, HookEvent, HookModule } from "./library/define.ts";
export type { EventOf, Payloads, ToolInput } from "./library/events.ts";
export type { Answer } from "./library/answers.ts";

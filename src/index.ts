/** What programs import: everything for authors of hooks, and the engine to embed. */
export * from "./authoring.ts";
export { HookExecutor } from "./executor/executor.ts";
export { HookEvents } from "./library/names.ts";
export type * from "./executor/options.ts";
export type { EventName } from "./events.ts";
export type { Chain, Decision, Diagnostic, FailurePolicy, VerdictKind } from "./model.ts";

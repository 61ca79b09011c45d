import type { HandlerKind, Hook, Occurrence } from "../model.ts";
import { notStarted, runCommand } from "./command.ts";
import { runModule } from "./module.ts";
import type { Run } from "./_verdict.ts";

/** What a handler is given. */
export interface Work {
  readonly event: Occurrence;
  /** The payload's bytes, as rewritten so far. */
  readonly input: Buffer;
  /** The same in our form, whatever the hook reads: placeholders stand for what is in there. */
  readonly canonical: Buffer;
  readonly root: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeout: number;
  /** Ends it before its time; nobody waits for its answer any more. */
  readonly signal?: AbortSignal | undefined;
  /** Where bundles are. */
  readonly slot: string;
  readonly native: Readonly<Record<string, unknown>>;
}

export type Handler = (hook: Hook, work: Work) => Promise<Run>;

/** Loaded when first needed: an event without such a hook does not pay for networks and models. */
const later =
  (load: () => Promise<Handler>): Handler =>
  async (hook, work) =>
    hook.broken === "" ? (await load())(hook, work) : notStarted(hook.broken);

export const HANDLERS = {
  script: runCommand,
  shell: runCommand,
  exec: runCommand,
  module: runModule,
  http: later(async () => (await import("./http.ts")).runHttp),
  prompt: later(async () => (await import("./prompt.ts")).runPrompt),
  agent: later(async () => (await import("./agent.ts")).runAgent),
} as const satisfies Record<HandlerKind, Handler>;

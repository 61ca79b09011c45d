import type { HandlerKind, Hook, Occurrence } from "../model.ts";
import { notStarted, runCommand } from "./command.ts";
import { runModule } from "./module.ts";
import type { Run } from "./_verdict.ts";

/** What a handler is given. */
export interface Work {
  readonly event: Occurrence;
  /** The payload's bytes, as rewritten so far. */
  readonly input: Buffer;
  readonly root: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeout: number;
  /** Where bundles are. */
  readonly slot: string;
  readonly native: Readonly<Record<string, unknown>>;
}

export type Handler = (hook: Hook, work: Work) => Promise<Run>;

const absent: Handler = async (hook) =>
  notStarted(`${hook.kind} hooks are not supported by this version`);

export const HANDLERS = {
  script: runCommand,
  shell: runCommand,
  exec: runCommand,
  module: runModule,
  http: absent,
  prompt: absent,
  agent: absent,
} as const satisfies Record<HandlerKind, Handler>;

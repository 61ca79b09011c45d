import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DRIVERS } from "../../src/prove/clients/_all.ts";
import type { NativeHook } from "../../src/prove/clients/_driver.ts";
import type { Client } from "../../src/prove/session.ts";
import { makeStage, type Stage } from "../../src/prove/stage.ts";
import { DISPATCH } from "../_dispatch.ts";

export interface Pinned {
  readonly harness: string;
  readonly package: string;
  readonly version: string;
}

export const PINNED = JSON.parse(
  readFileSync(join(import.meta.dirname, "clients.json"), "utf8"),
) as readonly Pinned[];

const PROGRAMS = JSON.parse(process.env["ANYHOOK_CLIENT_PROGRAMS"] ?? "{}") as Readonly<
  Record<string, readonly string[]>
>;

/** The client as it is driven; its command is empty when it is not there. */
export const clientOf = ({ harness, version }: Pinned): Client => ({
  driver: DRIVERS.find((driver) => driver.harness === harness)!,
  version,
  command: PROGRAMS[harness] ?? [],
});

/** The events that are connected: the same six on every client of Claude's family. */
export const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SessionEnd",
] as const;

export const commandOf = (harness: string, event: string): string =>
  `'${DISPATCH}' ${harness} ${event}`;

/** One entry per event, in the form that docs/connecting.md tells people to paste. */
export const stanza = (harness: string): NativeHook[] =>
  EVENTS.map((event) => ({ event, command: commandOf(harness, event) }));

/** The project that every client works in: a copy of test/clients/project, with its own home. */
export function makeProjectStage(): Stage {
  const stage = makeStage();
  cpSync(join(import.meta.dirname, "project"), stage.project, { recursive: true });
  mkdirSync(join(stage.project, "packages/web"), { recursive: true });
  return stage;
}

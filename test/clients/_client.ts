import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DISPATCH, type Project } from "../_dispatch.ts";

/** How to start one client headless, in a project whose home it may fill, against a model at `url`. */
export interface Driver {
  /** Writes the client's own settings into the project's home. */
  prepare(project: Project, url: string): void;
  argv(prompt: string): readonly string[];
  env(url: string): Readonly<Record<string, string>>;
  /** What the client itself says about our replies, in order: see `Taken`. */
  taken(stdout: string, stderr: string): readonly Taken[];
}

/** `PreToolUse blocked`: how the client took one reply. `failed` means that it did not like it. */
export type Taken = `${string} ${"completed" | "blocked" | "failed"}`;

export interface Pinned {
  readonly harness: string;
  readonly package: string;
  readonly version: string;
}

export const PINNED = JSON.parse(
  readFileSync(join(import.meta.dirname, "clients.json"), "utf8"),
) as readonly Pinned[];

const PROGRAMS = JSON.parse(process.env["ANYHOOK_CLIENT_PROGRAMS"] ?? "{}") as Readonly<
  Record<string, string>
>;

/** The client's program, or "" when it is not there; scripts/clients.mjs installs it and tells us. */
export const programOf = ({ harness }: Pinned): string => PROGRAMS[harness] ?? "";

/** The events that are connected: the same six on every client. */
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

/** One entry per event, as a person would write it by hand; install.test.ts has what install writes. */
export function stanza(harness: string): Record<string, unknown> {
  const entry = (event: string): unknown => [
    { hooks: [{ type: "command", command: commandOf(harness, event) }] },
  ];
  return { hooks: Object.fromEntries(EVENTS.map((event) => [event, entry(event)])) };
}

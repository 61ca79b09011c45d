import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
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
  /** Below node_modules; `*` stands for the platform. */
  readonly binary: readonly string[];
}

export const PINNED = JSON.parse(
  readFileSync(join(import.meta.dirname, "clients.json"), "utf8"),
) as readonly Pinned[];

/** The client's program, or "" when it is not installed; scripts/clients.mjs puts it there. */
export function programOf({ harness, version, binary }: Pinned): string {
  const { ANYHOOK_CLIENTS, XDG_CACHE_HOME } = process.env;
  const cache =
    ANYHOOK_CLIENTS || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "anyhook-clients");
  return findPath(join(cache, `${harness}-${version}`, "node_modules"), binary);
}

function findPath(folder: string, [segment, ...rest]: readonly string[]): string {
  if (segment === undefined || !existsSync(folder)) return existsSync(folder) ? folder : "";
  const [before = "", after] = segment.split("*");
  const fits = (name: string): boolean =>
    after === undefined ? name === segment : name.startsWith(before) && name.endsWith(after);
  const found = readdirSync(folder)
    .filter(fits)
    .map((name) => findPath(join(folder, name), rest));
  return found.find((path) => path !== "") ?? "";
}

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

/** One entry per event, in the form that docs/connecting.md tells people to paste. */
export function stanza(harness: string): Record<string, unknown> {
  const entry = (event: string): unknown => [
    { hooks: [{ type: "command", command: commandOf(harness, event) }] },
  ];
  return { hooks: Object.fromEntries(EVENTS.map((event) => [event, entry(event)])) };
}

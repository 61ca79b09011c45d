import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { REPO, type Project } from "../_dispatch.ts";

/** The events that are connected; the same in every client. */
export const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SessionEnd",
] as const;

/** How to start one client in a project whose home it may fill, against a model at `url`. */
export interface Driver {
  /** Writes the client's own settings into the project's home. */
  prepare(project: Project, url: string): void;
  argv(prompt: string): readonly string[];
  env(url: string): Readonly<Record<string, string>>;
  /** What the client itself found wrong with our replies, read from its output. */
  complaints(stdout: string, stderr: string): readonly string[];
}

export interface Pinned {
  readonly harness: string;
  readonly package: string;
  readonly version: string;
  readonly binary: readonly string[];
}

export const PINNED = JSON.parse(
  readFileSync(join(import.meta.dirname, "clients.json"), "utf8"),
) as readonly Pinned[];

export const isOptional = process.env["ANYHOOK_CLIENTS_OPTIONAL"] === "1";

/** The client's program, or "" when it is not installed; scripts/clients.mjs puts it there. */
export function programOf(client: Pinned): string {
  return resolve(
    join(cacheFolder(), `${client.harness}-${client.version}`, "node_modules"),
    client.binary,
  );
}

function cacheFolder(): string {
  const { ANYHOOK_CLIENTS, XDG_CACHE_HOME } = process.env;
  return ANYHOOK_CLIENTS || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "anyhook-clients");
}

/** The first path that fits: `*` in a segment stands for the platform's name. */
function resolve(folder: string, [segment, ...rest]: readonly string[]): string {
  if (segment === undefined) return folder;
  if (!existsSync(folder)) return "";
  const [before = "", after] = segment.split("*");
  const fits = (name: string): boolean =>
    after === undefined ? name === segment : name.startsWith(before) && name.endsWith(after);
  return (
    readdirSync(folder)
      .filter(fits)
      .map((name) => resolve(join(folder, name), rest))
      .find((path) => path !== "") ?? ""
  );
}

/** One entry per event, as docs/connecting.md has it. */
export function stanza(harness: string): Record<string, unknown> {
  const entry = (event: string): unknown => [
    { hooks: [{ type: "command", command: commandOf(harness, event) }] },
  ];
  return { hooks: Object.fromEntries(EVENTS.map((event) => [event, entry(event)])) };
}

export const commandOf = (harness: string, event: string): string =>
  `'${join(REPO, "shell/dispatch.sh")}' ${harness} ${event}`;

import { existsSync } from "node:fs";
import type { Adapter } from "../adapters/_contract.ts";
import { programVersion, type Asked } from "./program-version.ts";
import { pathAt, programPath } from "./site.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What can be seen of one harness on this machine, before anybody judges it. */
export interface Seen {
  readonly program: string;
  /** Of the installed program; empty when it could not be found out. */
  readonly version: string;
  /** What the program said when it could not start; empty when it can, or was not asked. */
  readonly trouble: string;
  /** Files and folders that are there, with ~ for the home folder. */
  readonly traces: readonly string[];
  /** Variables that point to it. */
  readonly signs: readonly string[];
  /** Variables that it sets for its own hooks: we are inside it. */
  readonly inside: readonly string[];
}

export function presenceOf({ presence }: Adapter, env: Env): Seen {
  const program = presence.programs.map((name) => programPath(name, env)).find(Boolean) ?? "";
  const site = { env, home: env["HOME"] ?? "", root: "/" };
  const set = (name: string): boolean => (env[name] ?? "") !== "";
  const asked = program === "" ? NOTHING : programVersion(program, presence.version, env);
  return {
    program,
    ...asked,
    traces: presence.traces
      .map((place) => pathAt(place, site))
      .filter((path) => existsSync(path))
      .map((path) => shownPath(path, site.home)),
    signs: (presence.signs ?? [])
      .filter(({ set: is, unset }) => set(is) && !(unset && set(unset)))
      .map(({ set: is }) => is),
    inside: presence.inside.filter(set),
  };
}

const shownPath = (path: string, home: string): string =>
  home !== "" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

const NOTHING: Asked = { version: "", trouble: "" };

import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import type { Scope } from "../adapters/_settings.ts";
import { encodePath, projectRoot, storeRoot } from "../dispatch/layout.ts";
import { Fault } from "../fault.ts";
import { VERSION } from "../version.ts";

/** What an install is about: this machine, this person, this project, this package. */
export interface Site {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Where files of the scopes project and local are. */
  readonly root: string;
  readonly store: string;
  /** The folder that holds our shell/ and dist/. */
  readonly package: string;
  readonly node: string;
  readonly version: string;
}

export function siteOf(env: Site["env"], from: string, shell: string): Site {
  // Node replaces what is not UTF-8: the folder would be another one, in which nobody looks.
  for (const name of ["HOME", "ANYHOOK_HOME", "XDG_STATE_HOME"])
    if (env[name]?.includes("\uFFFD") && !existsSync(env[name]))
      throw new Fault("not-utf8", `${name} is not UTF-8: ${env[name]}`, {
        hint: "nothing was written; use a folder whose name is UTF-8",
      });
  return {
    env,
    home: env["HOME"] ?? "",
    root: projectRoot(from) || repositoryOf(from),
    store: storeRoot(env),
    package: dirname(resolve(shell)),
    node: process.execPath,
    version: VERSION,
  };
}

/** The nearest folder with .git, else where we stand. */
function repositoryOf(from: string): string {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    if (existsSync(join(dir, ".git"))) return dir;
    if (dirname(dir) === dir) return resolve(from);
  }
}

/** What every harness calls; its path stays the same whatever becomes of the package. */
export const shimOf = ({ store }: Pick<Site, "store">): string => join(store, "bin", "dispatch");

/** Its existence says that the harness is connected in the settings of the user. */
export const recordOf = (site: Site, harness: string, scope: Scope): string =>
  scope === "user"
    ? join(site.store, "installed", harness)
    : join(site.store, "installed", "projects", encodePath(site.root), `${harness}.${scope}`);

/** `~/…`, `${VAR:-~/…}/…` and `/…`; anything else is below the project's root. */
export function pathAt(template: string, site: Pick<Site, "env" | "home" | "root">): string {
  const [, name, otherwise, rest] = /^\$\{(\w+):-([^}]*)\}(.*)$/.exec(template) ?? [];
  if (name !== undefined) {
    const given = site.env[name];
    return join(given ? resolve(given) : pathAt(otherwise!, site), rest!);
  }
  if (template === "~" || template.startsWith("~/")) {
    if (site.home === "") throw new Fault("no-home", "HOME is not set", { hint: "set HOME" });
    return join(site.home, template.slice(1));
  }
  return isAbsolute(template) ? template : join(site.root, template);
}

/** Whether the harness is, or was, on this machine. */
export const isPresent = ({ presence }: Adapter, site: Site): boolean =>
  presence.traces.some((trace) => existsSync(pathAt(trace, site))) ||
  presence.programs.some((program) => programPath(program, site.env) !== "");

export function programPath(program: string, env: Site["env"]): string {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const files = folders.map((folder) => join(folder, program));
  return files.find((file) => isExecutable(file)) ?? "";
}

function isExecutable(file: string): boolean {
  try {
    const stat = statSync(file);
    return stat.isFile() && (stat.mode & 0o111) !== 0;
  } catch {
    // Not there, or in a folder that is not ours to look into.
    return false;
  }
}

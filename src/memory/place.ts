import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { layoutOf, projectRoot, storeRoot } from "../dispatch/layout.ts";
import type { Env } from "./_memory.ts";
import { excludeFromGit } from "./git-exclude.ts";
import { optionsOf, type Options } from "./options.ts";

/** Where the memory of one folder lives. */
export interface Place {
  readonly cwd: string;
  /** The project: the nearest folder with .anyhook/, else the repository, else the folder itself. */
  readonly root: string;
  readonly ledger: string;
  readonly store: string;
  /** The project's database, shared by its work trees. */
  readonly projectFile: string;
  readonly userFile: string;
  readonly options: Options;
}

export function placeOf(cwd: string, env: Env = process.env): Place {
  const root = rootOf(cwd, env);
  const layout = layoutOf(root, env);
  const store = storeRoot(env);
  return {
    cwd: real(cwd),
    root,
    // Dispatches outside of a project have a ledger of their own, and ours belongs beside them.
    ledger: projectRoot(cwd) === "" ? layoutOf("", env).ledger : layout.ledger,
    store,
    projectFile: join(layout.project, "memory", "memory.db"),
    userFile: join(store, "memory", "user.db"),
    options: optionsOf(root, env),
  };
}

/**
 * The folder that buffers state between events: the distill queue, what each session was told. In
 * the store, one per work tree; in the tree as `.spool/` only on request, and then git does not see it.
 */
export function projectRuntimeDir(place: Place, env: Env = process.env): string {
  const inTree = place.options.runtime === "tree";
  const folder = inTree
    ? join(place.root, ".spool")
    : join(layoutOf(place.root, env).slot, "memory");
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (inTree) excludeFromGit(place.root, "/.spool/");
  }
  return folder;
}

/** Relative to the project; "" is its root, and what lies outside stays absolute. */
export function folderIn(place: Place, path: string): string {
  if (path === "") return "";
  const full = isAbsolute(path) ? path : join(place.cwd, path);
  const local = relative(place.root, full);
  return local.startsWith("..") ? full : local;
}

function rootOf(cwd: string, env: Env): string {
  const named = env["ANYHOOK_PROJECT_DIR"];
  if (named && existsSync(named)) return real(named);
  return projectRoot(cwd) || repository(cwd) || real(cwd);
}

function repository(from: string): string {
  for (let dir = real(from); ; dir = dirname(dir)) {
    if (existsSync(join(dir, ".git"))) return dir;
    if (dirname(dir) === dir) return "";
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

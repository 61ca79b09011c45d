import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { layoutOf, projectRoot, storeRoot } from "../dispatch/layout.ts";
import type { Env } from "./_memory.ts";
import { excludeFromGit, repositoryOf } from "./git-exclude.ts";
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
  const spool = join(place.root, ".spool");
  const inTree = place.options.runtime === "tree" && [spool, join(spool, "sessions")].every(isOwn);
  const folder = inTree ? spool : storedRuntimeDir(place, env);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (inTree) excludeFromGit(place.root, ".spool");
  return folder;
}

const storedRuntimeDir = (place: Place, env: Env): string =>
  join(layoutOf(place.root, env).slot, "memory");

/** What a repository brings along may be a link to anywhere: nothing is written or deleted there. */
const isOwn = (folder: string): boolean =>
  lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true;

/**
 * Where tags wait while the database cannot be written. Never in the tree: what lies here is accepted
 * when it is read, and a repository could bring it along.
 */
export const waitingDir = (place: Place, env: Env = process.env): string =>
  join(storedRuntimeDir(place, env), "waiting");

/** Every folder of the store that may hold a signal or a tag, of all projects and work trees. */
export function allBuffers(place: Place, env: Env = process.env): string[] {
  const projects = join(place.store, "projects");
  const stored = foldersIn(projects).flatMap((project) =>
    foldersIn(join(projects, project, "trees")).map((tree) =>
      join(projects, project, "trees", tree, "memory"),
    ),
  );
  return [...new Set([...stored, projectRuntimeDir(place, env)])];
}

const foldersIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

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
  return projectRoot(cwd) || repositoryOf(real(cwd)) || real(cwd);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

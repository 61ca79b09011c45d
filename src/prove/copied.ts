import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  type Stats,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { userRoot } from "../dispatch/layout.ts";
import type { Stage } from "./stage.ts";

/** Of a project that is larger than this only what hooks are made of is copied. */
const MOST_BYTES = 50_000_000;
const MOST_FILES = 5000;

export interface Origin {
  /** "" when there is no project. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Copied {
  /** What is not on the stage, in words; empty when everything is. */
  readonly without: string;
}

/** The person's project and user hooks on a stage: copies, so that nothing of theirs is touched. */
export function copied({ root, env }: Origin, stage: Stage): Copied {
  const user = userRoot(env);
  if (user !== "" && existsSync(user)) copyTree(user, join(stage.home, ".config/anyhook"));
  if (root === "") return { without: "" };
  const without = tooMuch(root);
  if (without === "") for (const file of filesOf(root)) copy(root, file, stage.project);
  // What git ignores may still be a hook, or what one needs.
  copyTree(join(root, ".anyhook"), join(stage.project, ".anyhook"));
  linkPackages(join(root, "node_modules"), join(stage.project, "node_modules"));
  return { without };
}

/** Too many to copy. Caches, which hooks may write, begin with a dot and are not linked. */
function linkPackages(from: string, to: string): void {
  const names = namesIn(from).filter((name) => name === ".bin" || !name.startsWith("."));
  if (names.length === 0 || existsSync(to)) return;
  mkdirSync(to);
  for (const name of names) symlinkSync(join(from, name), join(to, name));
}

function tooMuch(root: string): string {
  const files = filesOf(root);
  if (files.length > MOST_FILES) return `the project has ${files.length} files`;
  const bytes = files.reduce((sum, file) => sum + (statOf(join(root, file))?.size ?? 0), 0);
  return bytes > MOST_BYTES ? `the project has ${Math.round(bytes / 1_000_000)} MB` : "";
}

/** Folders of hooks: kept elsewhere and linked to, they come along. */
function copyTree(from: string, to: string): void {
  const root = realpathSync(from);
  mkdirSync(to, { recursive: true });
  for (const file of walk(root, "", [], [root])) copy(root, file, to);
}

/** Whatever cannot be read, is no file, or is gone by now is not there. */
function copy(root: string, name: string, to: string): void {
  const [from, there] = [join(root, name), join(to, name)];
  try {
    mkdirSync(dirname(there), { recursive: true });
    if (isOwnLink(root, from)) symlinkSync(readlinkSync(from), there);
    else if (statSync(from).isFile()) copyFileSync(from, there);
  } catch (error) {
    if (!PASSED_OVER.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

const PASSED_OVER = new Set(["EACCES", "EPERM", "ENOENT", "EEXIST", "ENOTDIR", "ELOOP"]);

/** A link that leads to the same place on the stage. Through any other, a client could write in what is theirs. */
function isOwnLink(root: string, path: string): boolean {
  if (!lstatSync(path).isSymbolicLink() || isAbsolute(readlinkSync(path))) return false;
  return realpathSync(path).startsWith(`${realpathSync(root)}/`);
}

const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

/** What git knows or would add; without git, everything but what is never written by hand. */
const filesOf = (root: string): string[] => gitFiles(root) ?? walk(root, "", SKIPPED, []);

function gitFiles(root: string): string[] | undefined {
  try {
    // A repository may name a program that git starts to look for changes.
    const args = ["-c", "core.fsmonitor=false", "ls-files", "-z"];
    const out = execFileSync("git", [...args, "--cached", "--others", "--exclude-standard"], {
      ...{ cwd: root, encoding: "utf8", stdio: "pipe", maxBuffer: 256_000_000 },
    });
    return out.split("\0").filter((file) => file !== "" && !file.endsWith("/"));
  } catch {
    return undefined;
  }
}

const SKIPPED = ["node_modules", ".git", ".venv", "target", "dist"];

/** `above`: where we came through, for links to folders; none are followed when it is empty. */
function walk(
  root: string,
  folder: string,
  skipped: readonly string[],
  above: readonly string[],
): string[] {
  const found: string[] = [];
  for (const name of namesIn(join(root, folder))) {
    const path = join(folder, name);
    const inside = folderAt(root, path, above);
    if (inside === undefined) found.push(path);
    else if (!skipped.includes(name)) found.push(...walk(root, path, skipped, inside));
    if (found.length > MOST_WALKED) break;
  }
  return found;
}

const MOST_WALKED = 100_000;

/** undefined: no folder, or a link that is taken as it is. */
function folderAt(root: string, path: string, above: readonly string[]): string[] | undefined {
  const full = join(root, path);
  if (statOf(full)?.isDirectory()) return [...above];
  if (above.length === 0) return undefined;
  try {
    const real = realpathSync(full);
    const isLoop = above.some((one) => `${one}/`.startsWith(`${real}/`));
    if (isLoop || isOwnLink(root, full)) return undefined;
    return statSync(real).isDirectory() ? [...above, real] : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

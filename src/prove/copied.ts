import { execFileSync } from "node:child_process";
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { userRoot } from "../dispatch/layout.ts";
import type { Stage } from "./stage.ts";

/** Bytes of a project that are copied; of a larger one, only what hooks are made of. */
const MOST = 50_000_000;

export interface Origin {
  /** "" when there is no project. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The person's project and user hooks on a stage: copies, so that nothing of theirs is touched. */
export function copied({ root, env }: Origin, stage: Stage): { readonly whole: boolean } {
  const user = userRoot(env);
  if (user !== "" && existsSync(user)) copy(user, join(stage.home, ".config/anyhook"));
  if (root === "") return { whole: true };
  const files = filesOf(root);
  const whole = sizeOf(root, files) <= MOST;
  if (whole) for (const file of files) copy(join(root, file), join(stage.project, file));
  // What git ignores may still be a hook.
  copy(join(root, ".anyhook"), join(stage.project, ".anyhook"));
  return { whole };
}

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, dereference: false, verbatimSymlinks: true, force: true });
};

/** What git knows or would add; without git, everything but what is never written by hand. */
function filesOf(root: string): string[] {
  const listed = gitFiles(root) ?? walk(root, root);
  return listed.filter((file) => lstatSync(join(root, file), { throwIfNoEntry: false })?.isFile());
}

function gitFiles(root: string): string[] | undefined {
  try {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const out = execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" });
    return out.split("\0").filter((file) => file !== "");
  } catch {
    return undefined;
  }
}

const SKIPPED = ["node_modules", ".git", ".venv", "target", "dist"];

function walk(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name);
    if (one.isDirectory()) return SKIPPED.includes(one.name) ? [] : walk(root, path);
    return one.isFile() ? [relative(root, path)] : [];
  });
}

const sizeOf = (root: string, files: readonly string[]): number =>
  files.reduce((sum, file) => sum + lstatSync(join(root, file)).size, 0);

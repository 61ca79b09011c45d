import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { redact } from "../dispatch/redact.ts";

/** One line in the repository's own exclude file, once; a folder without git needs none. */
export function excludeFromGit(root: string, name: string): void {
  const top = repositoryOf(root);
  const git = top === "" ? "" : gitFolder(top);
  // Only what is a repository: a file that names a folder as one proves nothing.
  if (git === "" || !existsSync(join(git, "HEAD"))) return;
  const pattern = `/${quoted(relative(top, join(root, name)))}/`;
  const file = join(git, "info", "exclude");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (text.split("\n").includes(pattern)) return;
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${pattern}\n`);
}

/** The nearest folder at or above this one with a `.git`, or "". */
export function repositoryOf(from: string): string {
  for (let dir = from; ; dir = dirname(dir)) {
    if (existsSync(join(dir, ".git"))) return dir;
    if (dirname(dir) === dir) return "";
  }
}

const quoted = (path: string): string => path.replaceAll(/[\\*?[\]!# ]/g, "\\$&");

/** The folder that all work trees of a repository share: only its info/exclude is read. */
function gitFolder(root: string): string {
  const dot = join(root, ".git");
  const stat = statSync(dot, { throwIfNoEntry: false });
  if (!stat) return "";
  if (stat.isDirectory()) return dot;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(dot, "utf8"))?.[1] ?? "";
  const own = resolve(root, named);
  const common = join(own, "commondir");
  return existsSync(common) ? resolve(own, readFileSync(common, "utf8").trim()) : own;
}

/** What is checked out, read from HEAD itself: no program is started. */
export function branchOf(root: string): string {
  const top = repositoryOf(root);
  const dot = join(top, ".git");
  const stat = top === "" ? undefined : statSync(dot, { throwIfNoEntry: false });
  if (!stat) return "";
  const own = stat.isDirectory()
    ? dot
    : resolve(top, /^gitdir: (.+)$/m.exec(readFileSync(dot, "utf8"))?.[1] ?? "");
  const head = join(own, "HEAD");
  if (!existsSync(head)) return "";
  const name = /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(head, "utf8"))?.[1]?.trim() ?? "";
  return redact(name.slice(0, 300));
}

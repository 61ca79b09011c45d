import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** One line in the repository's own exclude file, once; a folder without git needs none. */
export function excludeFromGit(root: string, pattern: string): void {
  const git = gitFolder(root);
  if (git === "") return;
  const file = join(git, "info", "exclude");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (text.split("\n").includes(pattern)) return;
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${pattern}\n`);
}

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
  const dot = join(root, ".git");
  const stat = statSync(dot, { throwIfNoEntry: false });
  if (!stat) return "";
  const own = stat.isDirectory()
    ? dot
    : resolve(root, /^gitdir: (.+)$/m.exec(readFileSync(dot, "utf8"))?.[1] ?? "");
  const head = join(own, "HEAD");
  if (!existsSync(head)) return "";
  return /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(head, "utf8"))?.[1]?.trim() ?? "";
}

import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { refuseBorrowed } from "./_borrowed.ts";
import { Failure } from "./_settled.ts";

export interface Repository {
  /** The work tree. */
  readonly top: string;
  /** Git's own files. */
  readonly folder: string;
}

type Ask = (words: readonly string[]) => Promise<string>;

const ELSEWHERE = "git: the repository of this project is kept, or has its files, elsewhere";

/**
 * The repository that the project is in, as far as it is the project's own: its configuration, a
 * `.git` that is a file and one that is a link can all name folders anywhere on the machine.
 */
export async function repositoryOf(base: string, ask: Ask): Promise<Repository> {
  const wanted = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir"];
  const said = await ask(["rev-parse", ...wanted]);
  const lines = said.split("\n").map((line) => real(resolve(base, line)));
  const [top = "", folder = "", shared = ""] = lines;
  if (lines.length !== 3 || top === "" || top !== holderOf(base)) throw new Failure(ELSEWHERE);
  refuseBorrowed(shared);
  const isPlain = folder === join(top, ".git") && shared === folder;
  // Only who keeps the shared part can have put something there.
  const isLinked = folder !== "" && dirname(folder) === join(shared, "worktrees");
  if (isPlain || (isLinked && pointsBack(folder, top))) return { top, folder };
  if (folder !== "" && folder === shared && (await ownTree(folder, ask)) === top)
    return { top, folder };
  throw new Failure(ELSEWHERE);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return "";
  }
}

/** The nearest folder with a `.git`, which is where git looks, whatever its configuration says. */
export function holderOf(base: string): string {
  for (let folder = base; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false })) return folder;
    if (folder === dirname(folder)) return "";
  }
}

/** A linked work tree: what it is linked to knows it. */
function pointsBack(folder: string, top: string): boolean {
  try {
    const written = readFileSync(join(folder, "gitdir"), "utf8").trim();
    const back = resolve(folder, written);
    return join(real(dirname(back)), ".git") === join(top, ".git");
  } catch {
    return false;
  }
}

/** A submodule, or `git init --separate-git-dir`: its configuration names the work tree. */
async function ownTree(folder: string, ask: Ask): Promise<string> {
  const file = join(folder, "config");
  const written = await ask(["config", "--file", file, "--no-includes", "--get", "core.worktree"]);
  return written === "" ? "" : real(resolve(folder, written));
}

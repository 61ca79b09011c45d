import { git, gitText } from "./_git.ts";

export interface Staged {
  /** From the top of the work tree. */
  readonly path: string;
  /** As it is about to be committed; empty for what is not text or too long. */
  readonly content: string;
}

export interface Commit {
  readonly top: string;
  readonly files: readonly Staged[];
  /** How many files beyond the bound were left out. */
  readonly left: number;
}

const MOST_FILES = 500;
const MOST_BYTES = 1_048_576;

/** Files that the next commit adds or changes; a deletion writes nothing. */
export function stagedFiles(dir: string): Commit {
  const top = gitText(dir, "rev-parse", "--show-toplevel");
  const listed = git(
    top,
    "diff",
    "--cached",
    "--name-only",
    "-z",
    "--diff-filter=ACMRT",
    "--no-ext-diff",
  );
  const paths = listed
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "");
  const files = paths.slice(0, MOST_FILES).map((path) => ({ path, content: contentOf(top, path) }));
  return { top, files, left: paths.length - files.length };
}

function contentOf(top: string, path: string): string {
  try {
    const bytes = git(top, "cat-file", "blob", `:${path}`);
    return bytes.length > MOST_BYTES || bytes.includes(0) ? "" : bytes.toString("utf8");
  } catch {
    // A submodule has no content of its own.
    return "";
  }
}

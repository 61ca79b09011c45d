import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { branchOf, repositoryOf } from "./git-exclude.ts";
import { folderIn, type Place } from "./place.ts";
import type { Surroundings } from "./relevant.ts";

/** Longer than this a repository may not keep the session's start. */
const PATIENCE = 150;

export function surroundings(place: Place): Surroundings {
  return {
    folder: folderIn(place, place.cwd),
    branch: branchOf(place.root),
    changed: changedFiles(place.root),
  };
}

const ALONE = ["--no-ext-diff", "--ignore-submodules=dirty"];

/** Tracked files that differ from HEAD; none when git is slow, absent or unhappy. */
function changedFiles(root: string): string[] {
  if (repositoryOf(root) === "") return [];
  // Nothing that a repository's own configuration could start or fetch.
  const careful = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-C", root];
  const args = [...careful, "diff", "--name-only", "--relative", "-z", ...ALONE, "HEAD"];
  const { status, stdout } = spawnSync("git", args, {
    env: { ...process.env, GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
    timeout: PATIENCE,
    killSignal: "SIGKILL",
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? stdout.split("\0").filter(Boolean).slice(0, 50).toSorted() : [];
}

/** A sibling tool that has its own memory of this folder. */
export const trellisPresent = (cwd: string): boolean =>
  existsSync(join(cwd, ".trellis", ".developer"));

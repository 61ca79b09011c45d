// Hook: WriteProtector
// Event: PreToolUse
// Description: Secrets, lock files and git's own files are not written by hand
// Matcher: tool_name = "Write|Edit"
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { say } from "./_payload.ts";

const LOCKS = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
  "Cargo.lock",
  "poetry.lock",
  "uv.lock",
  "Gemfile.lock",
  "composer.lock",
  "go.sum",
];

// One absolute path per line, whichever tool it is: Write, Edit, or a patch that touches several.
const paths = (process.env["ANYHOOK_PATHS"] ?? "").split("\n").filter((path) => path !== "");
const refused = paths.flatMap((path) =>
  [path, target(path)].map(protectedBecause).filter((why) => why !== ""),
);

say(
  refused.length === 0
    ? { continue: true }
    : { decision: "block", message: `WriteProtector: ${[...new Set(refused)].join(" ")}` },
);

function protectedBecause(path: string): string {
  const name = basename(path);
  if (path.split("/").includes(".git")) return `${path} belongs to git: use git commands.`;
  if (LOCKS.includes(name)) return `${name} is written by its package manager: run that instead.`;
  const isSecret = /^\.env(?:\..+)?$/.test(name) && !/\.(?:example|sample|template)$/.test(name);
  return isSecret ? `${name} holds secrets: ask the user to change it.` : "";
}

/** What a link points to; the path itself when it does not exist yet. */
function target(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, resolve, sep } from "node:path";
import { refuseOutside } from "./_confine.ts";
import type { Bounds } from "./_files.ts";
import { KEPT, runProcess } from "./_process.ts";
import { holderOf, repositoryOf } from "./_repository.ts";
import { Failure, leftFor } from "./_settled.ts";
import { cut, trim } from "./_verdict.ts";

const LONGEST = 10_000;
const SHOWN = 60_000;

/** What changed since a commit, or since the index. Nothing that a repository configures is run. */
export async function gitDiffTool(
  input: Readonly<Record<string, unknown>>,
  { root, until }: Bounds,
): Promise<string> {
  const base = realpathSync(root);
  const revision = revisionOf(input["base"]);
  const paths = input["path"] === undefined ? ["."] : [pathOf(base, input["path"])];
  const top = holderOf(base) || base;
  const plain = environment([], top);
  const at = await repositoryOf(base, (words) => git(base, until, plain, words));
  const own = { GIT_DIR: at.folder, GIT_WORK_TREE: at.top };
  const asked = ["config", "--name-only", "--get-regexp", FILTERS];
  const filters = await git(base, until, { ...plain, ...own }, asked);
  const names = filters.split("\n").filter((name) => name !== "");
  if (names.length > MOST_FILTERS)
    throw new Failure("git: the repository configures too many filters");
  const staged = input["staged"] === true ? ["--cached"] : [];
  const options = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"];
  const words = ["diff", ...options, "--relative", ...staged, ...revision, "--", ...paths];
  const text = await git(base, until, { ...environment(names, top), ...own }, words);
  if (text === "") return "no difference";
  return text.length > SHOWN ? `${cut(text, SHOWN)}\n[cut]` : text;
}

/** Git runs these on the way from a file to its difference. */
const FILTERS = "^filter\\..*\\.(clean|smudge|process)$";
/** Who has more of them hopes that some are overlooked. */
const MOST_FILTERS = 100;

function revisionOf(value: unknown): string[] {
  if (value === undefined || value === "") return [];
  const isPlain = typeof value === "string" && /^[A-Za-z0-9_][\w./~^@-]{0,199}$/.test(value);
  if (!isPlain || value.includes("..")) throw new Failure("base: the name of a commit or branch");
  return [value];
}

function pathOf(base: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value.includes("\0"))
    throw new Failure("path: a text");
  const path = resolve(base, value);
  refuseOutside(base, path);
  return path;
}

/** Neither the user's configuration nor their environment; what the repository has is overruled. */
function environment(silenced: readonly string[], top: string): NodeJS.ProcessEnv {
  const config = [
    ["core.fsmonitor", "false"],
    ["core.hooksPath", "/dev/null"],
    ["core.pager", "cat"],
    ["core.attributesFile", "/dev/null"],
    ["protocol.allow", "never"],
    ["diff.external", ""],
    ...silenced.map((name) => [name, ""]),
  ];
  const pairs = config.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    PATH: pathOutside(top),
    LC_ALL: "C",
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    // A repository's protocol.<name>.allow would count before our protocol.allow; this does not ask it.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_PAGER: "cat",
    GIT_CONFIG_COUNT: String(config.length),
    ...(Object.fromEntries(pairs) as Record<string, string>),
  };
}

/** `npm run` puts folders of the project in front of everything else: a git in there is not ours. */
const pathOutside = (top: string): string =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(top, folder))
    .join(delimiter);

function isInside(top: string, folder: string): boolean {
  try {
    return `${realpathSync(folder)}${sep}`.startsWith(`${top}${sep}`);
  } catch {
    return true;
  }
}

async function git(
  cwd: string,
  until: number,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
): Promise<string> {
  const run = await runProcess({
    argv: ["git", "--no-pager", ...words],
    cwd,
    env,
    input: Buffer.alloc(0),
    timeout: Math.min(LONGEST, leftFor({ until })),
  });
  if (run.status !== "ok") throw new Failure(`git: ${run.detail}`);
  // `config --get-regexp` ends with 1 when there is nothing of the kind.
  if (words[0] === "config" && run.stdout.length >= KEPT) throw new Failure("git: too much of it");
  if (run.exit === 0 || (run.exit === 1 && words[0] === "config")) return trim(run.stdout);
  throw new Failure(`git: ${cut(trim(run.stderr), 200)}`);
}

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Fault } from "../fault.ts";
import { gitText } from "./_git.ts";

/** The lines that are ours in a pre-commit script; nothing else in it is touched. */
const BEGIN = "# >>> anyhook: checks what is about to be committed >>>";
const END = "# <<< anyhook <<<";

/** Without anyhook on PATH a commit goes through, and says so: a teammate may not have it. */
const BLOCK = `${BEGIN}
if command -v anyhook >/dev/null 2>&1; then
  anyhook gate pre-commit || exit 1
else
  echo "anyhook is not installed: this commit is not checked by its hooks" >&2
fi
${END}
`;

/** Who runs the git hooks of a repository. */
export type Keeper = "git" | "husky" | "lefthook" | "pre-commit";

export interface GitHook {
  readonly keeper: Keeper;
  /** The script to change; empty where the keeper's own configuration has to be edited by a person. */
  readonly file: string;
  /** What to add by hand, where we do not edit; what else to know, where we do. */
  readonly advice: string;
}

const ADVICE: Readonly<Partial<Record<Keeper, string>>> = {
  lefthook:
    "add to lefthook.yml:\n  pre-commit:\n    commands:\n      anyhook:\n        run: anyhook gate pre-commit",
  "pre-commit":
    "add to .pre-commit-config.yaml:\n  - repo: local\n    hooks:\n      - { id: anyhook, name: anyhook, entry: anyhook gate pre-commit, language: system, pass_filenames: false }",
};

/** Where a pre-commit check belongs here, beside whatever manages git hooks already. */
export function gitHookOf(dir: string): GitHook {
  const top = gitText(dir, "rev-parse", "--show-toplevel");
  const folder = resolve(dir, gitText(dir, "rev-parse", "--git-path", "hooks"));
  const stat = statSync(folder, { throwIfNoEntry: false });
  // An empty core.hooksPath, or /dev/null: somebody has switched hooks off.
  if (folder === top || (stat && !stat.isDirectory()))
    throw new Fault("no-hooks", `git looks for no hooks here: core.hooksPath leads to ${folder}`, {
      hint: "git config --unset core.hooksPath, if that was not meant",
    });
  const has = (...names: string[]): boolean => names.some((name) => existsSync(join(top, name)));
  if (relative(top, folder).startsWith(".husky"))
    return { keeper: "husky", file: join(top, ".husky/pre-commit"), advice: "" };
  if (
    has(
      "lefthook.yml",
      "lefthook.yaml",
      ".lefthook.yml",
      ".lefthook.yaml",
      "lefthook.toml",
      "lefthook.json",
    )
  )
    return { keeper: "lefthook", file: "", advice: ADVICE.lefthook! };
  if (has(".pre-commit-config.yaml"))
    return { keeper: "pre-commit", file: "", advice: ADVICE["pre-commit"]! };
  const common = resolve(dir, gitText(dir, "rev-parse", "--git-common-dir"));
  const isShared = [top, common].every((own) => relative(own, folder).startsWith(".."));
  const advice = isShared ? `core.hooksPath: every repository that uses ${folder} is checked` : "";
  return { keeper: "git", file: join(folder, "pre-commit"), advice };
}

export interface Change {
  readonly file: string;
  readonly before: string | undefined;
  /** undefined = the file goes away. */
  readonly after: string | undefined;
}

/** The script with our lines; undefined when they are there already. */
export function withGate(file: string): Change | undefined {
  const before = textOf(file);
  if (before === undefined) return { file, before, after: `#!/bin/sh\n${BLOCK}` };
  if (before.includes(BEGIN)) return undefined;
  const [first = "", ...rest] = before.split("\n");
  if (first.startsWith("#!") && !/\b(ba|da|z|k)?sh\b/.test(first))
    throw foreign(`${file} is not a shell script (${first})`);
  // In front of the rest, which may exit or exec.
  const after = first.startsWith("#!")
    ? [first, `${BLOCK}${rest.join("\n")}`].join("\n")
    : `${BLOCK}${before}`;
  return { file, before, after };
}

/** The script without our lines; a file that was only ours goes away. */
export function withoutGate(file: string): Change | undefined {
  const before = textOf(file);
  const [from, to] = [before?.indexOf(BEGIN) ?? -1, before?.indexOf(END) ?? -1];
  if (before === undefined || from < 0 || to < from) return undefined;
  const after = before.slice(0, from) + before.slice(to + END.length).replace(/^\n/, "");
  return { file, before, after: after === "#!/bin/sh\n" ? undefined : after };
}

/** What we cannot give back byte for byte, or is shared with others, is not ours to edit. */
function textOf(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isSymbolicLink()) throw foreign(`${file} is a link`);
  if (!stat.isFile()) throw foreign(`${file} is not a file`);
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  if (text.includes("\0") || !Buffer.from(text).equals(bytes))
    throw foreign(`${file} is not a text in UTF-8`);
  return text;
}

const foreign = (message: string): Fault =>
  new Fault("foreign-script", message, {
    hint: "nothing was changed; call `anyhook gate pre-commit` from it, and pass its exit code on",
  });

/** Whole or not at all; git wants the script to be executable. */
export function applyChange({ file, after }: Change): void {
  if (after === undefined) return rmSync(file);
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.anyhook`;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o755;
  writeFileSync(draft, after);
  chmodSync(draft, mode | 0o111);
  renameSync(draft, file);
}

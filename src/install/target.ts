import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { Refusal } from "./refusal.ts";

/** A settings file as it is now. */
export interface Target {
  /** As the harness names it. */
  readonly file: string;
  /** Where the bytes are: behind links, which stay links. */
  readonly real: string;
  /** undefined: there is no such file yet. */
  readonly bytes: Buffer | undefined;
  readonly stat: Stats | undefined;
}

/** Looks, and refuses what we must not write. `within`: where a repository's own links may lead. */
export function targetAt(file: string, within = ""): Target {
  const real = realFile(file);
  if (within !== "" && !isBelow(nearestReal(real), realpathSync(within)))
    throw new Refusal(file, `it leads out of the project, to ${real}`, {
      hint: "a repository's links must not steer what is written outside of it",
    });
  const stat = statSync(real, { throwIfNoEntry: false });
  refuseUnwritable(file, real, stat);
  return { file, real, stat, bytes: stat ? readFileSync(real) : undefined };
}

function realFile(file: string): string {
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
    return realpathSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new Refusal(file, "it is a link to a file that is not there", {
        hint: "make the file or remove the link",
      });
    if (code === "ELOOP") throw new Refusal(file, "its links lead in a circle");
    if (code === "ENOTDIR") throw notFolder(file);
    throw error;
  }
}

const notFolder = (file: string): Refusal =>
  new Refusal(file, "a file is where its folder should be", { hint: "nothing was changed" });

/** The nearest folder that exists, physical. */
function nearestReal(file: string): string {
  for (let dir = dirname(file); ; dir = dirname(dir))
    if (statSync(dir, { throwIfNoEntry: false })) return realpathSync(dir);
}

const isBelow = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** Modes count also for root: who takes away the right to write has a reason. */
function refuseUnwritable(file: string, real: string, stat: Stats | undefined): void {
  if (stat && !stat.isFile()) throw new Refusal(file, "it is not a file");
  if (stat && (stat.mode & 0o222) === 0)
    throw new Refusal(file, "it is read-only", {
      hint: `chmod u+w it, or let whatever manages it add our part`,
    });
  const folder = statSync(dirname(real), { throwIfNoEntry: false });
  if (folder && !folder.isDirectory()) throw notFolder(file);
  if (folder && (folder.mode & 0o222) === 0)
    throw new Refusal(file, `its folder is read-only: ${dirname(real)}`);
}

/** UTF-8 with or without a byte order mark, which is kept; anything else is refused. */
export function textOf({ file, bytes }: Target): { readonly mark: string; readonly text: string } {
  if (bytes === undefined) return { mark: "", text: "" };
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Refusal(file, "it is written in UTF-16", { hint: "save it as UTF-8" });
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith("\uFEFF") ? { mark: "\uFEFF", text: text.slice(1) } : { mark: "", text };
  } catch {
    throw new Refusal(file, "it is not UTF-8", { hint: "save it as UTF-8" });
  }
}

/** What only has to be looked at: without its byte order mark, and nothing where there is no file. */
export function textAt(file: string): string {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile ? readFileSync(file, "utf8").replace(/^\uFEFF/, "") : "";
}

/** Its ending is one that no harness takes for a file of its own. */
export const siblingOf = (real: string, pid: number | string): string =>
  join(dirname(real), `.anyhook-${pid}-${basename(real)}.tmp`);

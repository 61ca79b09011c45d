import { execFileSync } from "node:child_process";
import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../version.ts";
import { leadsUp, quietly } from "./discover.ts";

/** What the gate of one slot watches. */
export interface Watch {
  /** Roots that exist, and single files outside them that went into a bundle. */
  readonly paths: readonly string[];
  /** Roots that do not exist (yet). */
  readonly absent: readonly string[];
  /** Folders in which a new directory may match a `roots:` glob. */
  readonly globBases: readonly string[];
  readonly projectRoot: string;
  readonly userRoot: string;
  readonly managedRoot: string;
  readonly hash: string;
  /** Every compile has its own stamp file, so that an old gate can never be read with a new stamp. */
  readonly stamp: string;
  /** Epoch second of the stamp: a clock before it cannot be trusted. */
  readonly stamped: number;
}

/** In place of a content hash, where the project was left out: it never counts as compiled. */
export const UNTRIED = "untried";

/**
 * The question "has anything moved?", as shell text that dispatch.sh sources. One `find` looks for
 * a change time after the stamp: contents, modes, renames and deletions all set it, and nobody can
 * set it back. -exec false makes find's exit code the answer (POSIX).
 */
export function renderGate(generation: string, watch: Watch, wrong: string): string {
  const places = [
    `[ "$AH_ROOT" = ${quote(watch.projectRoot)} ]`,
    `[ "$AH_USER" = ${quote(watch.userRoot)} ]`,
    `[ "$AH_MANAGED" = ${quote(watch.managedRoot)} ]`,
  ];
  const tests = [
    "ah_same_places",
    ...watch.absent.map((path) => `[ ! -e ${quote(path)} ]`),
    ...(watch.hash === UNTRIED || watch.paths.some(isRemote) ? ["false"] : findTests(watch)),
  ];
  return [
    `AH_GEN=${quote(generation)}`,
    `AH_HASH=${quote(watch.hash)}`,
    `AH_MADE_BY=${quote(VERSION)}`,
    // Every session is told while it is so, whoever compiled.
    `AH_WRONG=${quote(wrong)}`,
    `AH_STAMPED=${watch.stamped}`,
    `AH_NODE=${quote(process.execPath)}`,
    `AH_STAMP=${quote(watch.stamp)}`,
    `ah_same_places() {\n${places.join(" &&\n")}\n}`,
    `ah_unmoved() {\n${tests.join(" &&\n")}\n}`,
    `ah_content() {\n/bin/sh "$AH_SHELL/hash.sh" "$AH_VERSION" ${hashed(watch).map(quote).join(" ")}\n}`,
    "",
  ].join("\n");
}

/** What the content hash covers: a root that is absent counts too, for the day it appears. */
export const hashed = (watch: Pick<Watch, "paths" | "absent" | "globBases">): string[] => [
  ...(follow(watch) ? [] : ["--no-follow"]),
  ...watch.paths,
  ...watch.absent,
  ...watch.globBases.map((base) => `dirs:${base}`),
];

const PRUNED = "\\( -name node_modules -o -name .git \\) -prune -o";

function findTests(watch: Watch): string[] {
  const newer = '-newercm "$AH_STAMP"';
  const fail = "-exec false {} +";
  const tests: string[] = [];
  // A folder put in another's place, or a link turned to another target, keeps its old times: the
  // inode tells.
  const others = identities(watch.paths).map(
    ([path, inode]) => `-o -path ${quote(escapeGlob(path))} ! -inum ${inode}`,
  );
  if (watch.paths.length > 0)
    tests.push(
      `find ${follow(watch) ? "-L " : ""}${watch.paths.map(quote).join(" ")} ${PRUNED} \\( ${[newer, ...others].join(" ")} \\) ${fail}`,
    );
  if (watch.globBases.length > 0)
    tests.push(`find ${watch.globBases.map(quote).join(" ")} ${PRUNED} -type d ${newer} ${fail}`);
  return tests;
}

/** Links are followed, unless one leads to a folder above itself: then only the links are watched. */
const follow = ({ paths }: Pick<Watch, "paths">): boolean =>
  !identities(paths).some(([path]) => leadsUp(path));

const escapeGlob = (path: string): string => path.replace(/[*?[\]\\]/g, "\\$&");

/** Every watched root and every link below it, with the inode of what is really there. */
function identities(paths: readonly string[]): [string, bigint][] {
  const found: [string, bigint][] = [];
  const note = (path: string): void => {
    const stat = quietly(() => statSync(path, { bigint: true }));
    if (stat) found.push([path, stat.ino]);
  };
  const walk = (folder: string, depth: number): void => {
    if (depth > 8 || found.length > 200) return;
    for (const entry of quietly(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) note(path);
      else if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git")
        walk(path, depth + 1);
    }
  };
  for (const path of paths) {
    note(path);
    if (statOf(path)?.isDirectory()) walk(path, 0);
  }
  return found;
}

/** On file systems whose clock is another machine's, change times prove nothing: always hash. */
const REMOTE = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546]);

function isRemote(path: string): boolean {
  try {
    return REMOTE.has(statfsSync(path).type);
  } catch {
    return false;
  }
}

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The hash is shell/hash.sh's by definition, so that the gate and the compiler agree. */
export function contentHash(shellFolder: string, paths: readonly string[]): string {
  const script = join(shellFolder, "hash.sh");
  return execFileSync("/bin/sh", [script, VERSION, ...paths], { encoding: "utf8" }).trim();
}

const statOf = (path: string) => quietly(() => statSync(path));

export const isThere = (path: string): boolean => path !== "" && statOf(path) !== undefined;

/** The gate's own question, asked from here: does anything carry a change time after the stamp? */
export function changedSince(paths: readonly string[], stamp: string): boolean {
  const limit = statSync(stamp).mtimeMs;
  const seen = new Set<string>();
  const newer = (path: string): boolean => {
    const stat = statOf(path);
    if (!stat) return false;
    if (stat.ctimeMs > limit) return true;
    const id = `${stat.dev}:${stat.ino}`;
    if (!stat.isDirectory() || seen.has(id)) return false;
    seen.add(id);
    return (quietly(() => readdirSync(path)) ?? [])
      .filter((name) => name !== "node_modules" && name !== ".git")
      .map((name) => join(path, name))
      .some((inside) => !leadsUp(inside) && newer(inside));
  };
  return paths.some(newer);
}

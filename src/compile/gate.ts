import { execFileSync } from "node:child_process";
import { statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../version.ts";

/** What the gate of one slot watches. */
export interface Watch {
  /** Roots that exist, and single files outside them that went into a bundle. */
  readonly paths: readonly string[];
  /** Roots that do not exist (yet). */
  readonly absent: readonly string[];
  /** Folders in which a new directory may match a `roots:` glob. */
  readonly globBases: readonly string[];
  readonly userRoot: string;
  readonly managedRoot: string;
  readonly hash: string;
  /** Epoch second of the stamp: a clock before it cannot be trusted. */
  readonly stamped: number;
}

/**
 * The question "has anything moved?", as shell text that dispatch.sh sources. One `find` looks for
 * a change time after the stamp: contents, modes, renames and deletions all set it, and nobody can
 * set it back. -exec false makes find's exit code the answer (POSIX).
 */
export function renderGate(generation: string, watch: Watch): string {
  const tests = [
    `[ "$AH_USER" = ${quote(watch.userRoot)} ]`,
    `[ "$AH_MANAGED" = ${quote(watch.managedRoot)} ]`,
    ...watch.absent.map((path) => `[ ! -e ${quote(path)} ]`),
    ...(watch.paths.some(isRemote) ? ["false"] : findTests(watch)),
  ];
  return [
    `AH_GEN=${quote(generation)}`,
    `AH_HASH=${quote(watch.hash)}`,
    `AH_MADE_BY=${quote(VERSION)}`,
    `AH_STAMPED=${watch.stamped}`,
    `AH_NODE=${quote(process.execPath)}`,
    `ah_unmoved() {\n${tests.join(" &&\n")}\n}`,
    `ah_content() {\n/bin/sh "$AH_SHELL/hash.sh" "$AH_VERSION" ${watch.paths.map(quote).join(" ")}\n}`,
    "",
  ].join("\n");
}

const PRUNED = "\\( -name node_modules -o -name .git \\) -prune -o";

function findTests(watch: Watch): string[] {
  const newer = '-newercm "$AH_SLOT/stamp" -exec false {} +';
  const tests: string[] = [];
  if (watch.paths.length > 0)
    tests.push(`find -L ${watch.paths.map(quote).join(" ")} ${PRUNED} ${newer}`);
  if (watch.globBases.length > 0)
    tests.push(`find ${watch.globBases.map(quote).join(" ")} ${PRUNED} -type d ${newer}`);
  return tests;
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

export const isThere = (path: string): boolean =>
  path !== "" && statSync(path, { throwIfNoEntry: false }) !== undefined;

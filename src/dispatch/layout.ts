import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../fault.ts";

/** Where things are. shell/dispatch.sh computes the same paths; a test compares the two. */
export interface Layout {
  /** The project's root, or "" when only user and managed layers apply. */
  readonly root: string;
  /** `<store>/projects/<enc>`: shared by the worktrees of a project. */
  readonly project: string;
  /** `<project>/trees/<enc>`: manifest, content-hash, lock, bundles of one worktree. */
  readonly slot: string;
  readonly ledger: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export const NO_PROJECT = "_";

export function layoutOf(root: string, env: Env = process.env): Layout {
  const main = root === "" ? "" : mainWorktree(root);
  const project = join(storeRoot(env), "projects", main === "" ? NO_PROJECT : encodePath(main));
  const slot = join(project, "trees", root === "" ? NO_PROJECT : encodePath(root));
  return { root, project, slot, ledger: join(project, "ledger") };
}

export function storeRoot(env: Env = process.env): string {
  if (env["ANYHOOK_HOME"]) return env["ANYHOOK_HOME"];
  if (env["XDG_STATE_HOME"]) return join(env["XDG_STATE_HOME"], "anyhook");
  if (env["HOME"]) return join(env["HOME"], ".local/state/anyhook");
  throw new Fault("no-store", "cannot tell where the store is: HOME is not set", {
    hint: "set HOME or ANYHOOK_HOME",
  });
}

export function userRoot(env: Env = process.env): string {
  if (env["ANYHOOK_CONFIG_HOME"]) return env["ANYHOOK_CONFIG_HOME"];
  return env["HOME"] ? join(env["HOME"], ".config/anyhook") : "";
}

/** ANYHOOK_MANAGED_ROOT exists for tests, and counts for nothing where there is /etc/anyhook. */
export function managedRoot(env: Env = process.env): string {
  return isDirectory("/etc/anyhook")
    ? "/etc/anyhook"
    : env["ANYHOOK_MANAGED_ROOT"] || "/etc/anyhook";
}

/** The nearest ancestor with `.anyhook/`, physical, or "". */
export function projectRoot(from: string): string {
  let dir: string;
  try {
    dir = realpathSync(from);
  } catch {
    return "";
  }
  for (;;) {
    if (isDirectory(join(dir, ".anyhook"))) return dir;
    const up = dirname(dir);
    if (up === dir) return "";
    dir = up;
  }
}

/** A linked worktree's `.git` is a file that names the main repository. */
function mainWorktree(root: string): string {
  let text: string;
  try {
    text = readFileSync(join(root, ".git"), "utf8");
  } catch {
    return root;
  }
  const line = text.split("\n", 1)[0] ?? "";
  const at = line.indexOf("/.git/worktrees/");
  return line.startsWith("gitdir: /") && at > 0 ? line.slice("gitdir: ".length, at) : root;
}

/** Injective: `/` becomes `+`, and what could be mistaken for it is escaped. */
export function encodePath(path: string): string {
  const escaped = path.replaceAll("%", "%25").replaceAll("+", "%2B").replaceAll("/", "+");
  if (Buffer.byteLength(escaped) <= 200) return escaped;
  return `~${cksum(Buffer.from(path))}`;
}

/** POSIX cksum as `crc-length`: the one checksum every shell has at hand. */
function cksum(bytes: Buffer): string {
  let crc = 0;
  const step = (byte: number): void => {
    crc ^= byte << 24;
    for (let i = 0; i < 8; i++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  };
  for (const byte of bytes) step(byte);
  for (let n = bytes.length; n > 0; n = Math.floor(n / 256)) step(n % 256);
  return `${~crc >>> 0}-${bytes.length}`;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

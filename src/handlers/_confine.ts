import {
  closeSync,
  constants,
  type Dir,
  fstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { relative, resolve, sep } from "node:path";
import { Failure } from "./_settled.ts";

/** The real path of something inside the root; whatever leads out of it is refused. */
export function confine(root: string, written: unknown): string {
  if (typeof written !== "string" || written.includes("\0")) throw new Failure("path: a text");
  const base = realpathSync(root);
  const path = resolve(base, written);
  refuseOutside(base, path);
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    throw new Failure("no such file");
  }
  refuseOutside(base, real);
  return real;
}

/** Before links are followed, and after: neither way may lead out or into git's own files. */
export function refuseOutside(base: string, path: string): void {
  const inside = path === base || path.startsWith(base === sep ? sep : base + sep);
  // Without a project the root is a folder of the user's, at worst the root of all.
  if (!inside || /^\/(?:proc|sys|dev)(?:\/|$)/.test(path))
    throw new Failure("outside of the project");
  const parts = relative(base, path).split(sep);
  if (parts.some((part) => part.toLowerCase() === ".git"))
    throw new Failure("git's own files are not shown; use git_diff");
}

export interface Opened {
  readonly bytes: Buffer;
  readonly size: number;
}

/** The beginning of a regular file. Nothing else is opened for reading, and nothing is waited for. */
export function readInside(root: string, written: unknown, most: number): Opened {
  const path = confine(root, written);
  // A FIFO would wait for a writer; a link that was put there since is not followed.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Failure("not a regular file");
    refuseElsewhere(root, path, fd);
    const bytes = Buffer.alloc(Math.min(most, stat.size));
    const read = readSync(fd, bytes, 0, bytes.length, 0);
    refuseElsewhere(root, path, fd);
    return { bytes: bytes.subarray(0, read), size: stat.size };
  } finally {
    closeSync(fd);
  }
}

/** A folder as it is, however often something else is put in its place. */
export function openFolder(root: string, path: string): Dir {
  const how = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const fd = openSync(path, how);
  try {
    refuseElsewhere(root, path, fd);
    if (placeOf(fd) !== undefined) return opendirSync(`/proc/self/fd/${fd}`);
    const directory = opendirSync(path);
    refuseElsewhere(root, path, fd);
    return directory;
  } finally {
    closeSync(fd);
  }
}

/** What is open, not what its path leads to by now: a folder on the way may have become a link. */
function refuseElsewhere(root: string, path: string, fd: number): void {
  const place = placeOf(fd);
  if (place !== undefined) return refuseOutside(realpathSync(root), place);
  const [open, there] = [fstatSync(fd), statSync(confine(root, path))];
  if (open.ino !== there.ino || open.dev !== there.dev) throw new Failure("it has just changed");
}

/** Only Linux tells. */
function placeOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8192).includes(0);

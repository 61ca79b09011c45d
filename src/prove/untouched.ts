import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Contents of files and folders, as one hash per path: asked before and after. */
export function fingerprints(paths: readonly string[]): Readonly<Record<string, string>> {
  const there = [...new Set(paths)].filter((path) => existsSync(path));
  return Object.fromEntries(there.map((path) => [path, hashOf(path)]));
}

/** Paths that are not what they were. */
export function touched(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).toSorted();
}

function hashOf(path: string): string {
  const hash = createHash("sha256");
  feed(hash, path);
  return hash.digest("hex");
}

function feed(hash: ReturnType<typeof createHash>, path: string): void {
  const stat = lstatSync(path);
  hash.update(`${path}\0${stat.mode}\0`);
  if (stat.isSymbolicLink()) hash.update(readlinkSync(path));
  else if (stat.isFile()) hash.update(readFileSync(path));
  else if (stat.isDirectory())
    for (const name of readdirSync(path).toSorted()) feed(hash, join(path, name));
}

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The directories below `base` that a pattern with `*`, `**` and `?` names, sorted. */
export function glob(base: string, pattern: string): string[] {
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  const found = new Set<string>();
  walk(base, parts, found);
  return [...found].toSorted();
}

/** The directory above the first wildcard: what must be watched for new matches. */
export function globBase(base: string, pattern: string): string {
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  return join(base, ...(wild < 0 ? parts : parts.slice(0, wild)));
}

function walk(dir: string, parts: readonly string[], found: Set<string>): void {
  const [part, ...rest] = parts;
  if (part === undefined) return void found.add(dir);
  if (part === "**") {
    walk(dir, rest, found);
    for (const name of foldersIn(dir)) if (!isSkipped(name)) walk(join(dir, name), parts, found);
    return;
  }
  if (!/[*?]/.test(part))
    return isFolder(join(dir, part)) ? walk(join(dir, part), rest, found) : undefined;
  const wanted = matcherFor(part);
  for (const name of foldersIn(dir)) if (wanted(name)) walk(join(dir, name), rest, found);
}

/** As in a shell, a leading dot must be written. */
function matcherFor(part: string): (name: string) => boolean {
  const escaped = part
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".");
  const pattern = new RegExp(`^${escaped}$`, "s");
  return (name) =>
    pattern.test(name) && (part.startsWith(".") || !name.startsWith(".")) && !isSkipped(name);
}

const isSkipped = (name: string): boolean => name === "node_modules" || name === ".git";

/** Links to folders are not followed, so there is no way round in a circle. */
function foldersIn(dir: string): string[] {
  try {
    const entries = readdirSync(dir, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

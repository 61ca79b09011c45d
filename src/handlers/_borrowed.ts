import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./_settled.ts";

const BORROWED = "git: the repository has objects from elsewhere";

/** More than any repository has that was packed now and then. */
const MOST = 50_000;

/**
 * A repository's objects can be another one's: by its alternates, or by a link in place of a folder or
 * a file. Their content would leave the project by way of a difference.
 */
export function refuseBorrowed(shared: string): void {
  const objects = join(shared, "objects");
  if (!lstatSync(objects, { throwIfNoEntry: false })?.isDirectory()) throw new Failure(BORROWED);
  let seen = 0;
  for (const folder of ["", ...foldersIn(objects)]) {
    const entries = entriesOf(join(objects, folder));
    seen += entries.length;
    const isOdd = entries.some((one) => one.isSymbolicLink() || ALTERNATES.test(one.name));
    if (isOdd || seen > MOST) throw new Failure(BORROWED);
  }
}

const ALTERNATES = /^(?:http-)?alternates$/;

const foldersIn = (folder: string): string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

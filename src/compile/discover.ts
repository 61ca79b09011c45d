import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { LayerRoot } from "./_definition.ts";
import { isModuleFile } from "./source-module.ts";

/** The files of one layer root, by the form they may have; each list sorted by bytes. */
export interface Found extends LayerRoot {
  readonly scripts: readonly string[];
  readonly modules: readonly string[];
  readonly nodes: readonly string[];
  readonly lists: readonly string[];
  readonly settings: readonly string[];
  /** Files elsewhere that could be scripts. */
  readonly elsewhere: readonly string[];
  /** Folders whose content is nobody's to see. */
  readonly closed: readonly string[];
}

const LISTS: readonly string[] = ["hooks.yaml", "hooks.yml", "hooks.json"];

/** What lies below a root, apart from `skip`: other roots. A root that is not there has nothing. */
export function discover({ layer, root }: LayerRoot, skip: readonly string[] = []): Found {
  const closed = new Set<string>();
  const files = filesBelow(root, skip, closed).toSorted(byBytes);
  const inHooks = files.filter((file) => isHookFile(relative(root, file)));
  const atRoot = (names: readonly string[]): string[] =>
    names.map((name) => join(root, name)).filter((file) => files.includes(file));
  return {
    layer,
    root,
    scripts: inHooks.filter((file) => !isModuleFile(file)),
    modules: inHooks.filter(isModuleFile),
    nodes: files.filter((file) => /\.md$/i.test(file)),
    elsewhere: files.filter((file) => isScriptElsewhere(relative(root, file))),
    lists: atRoot(LISTS),
    settings: atRoot(["settings.json", "imported.json"]),
    // Below a closed root, nobody can tell whether there is a local one.
    closed: layer === "local" ? [...closed].filter((dir) => dir !== root) : [...closed],
  };
}

const DATA = /\.(?:md|json|jsonc|ya?ml|toml|txt|lock|d\.ts|d\.mts)$/i;

/** Below hooks/, and neither hidden, private, a test nor data. */
const isHookFile = (path: string): boolean =>
  path.startsWith(`hooks${sep}`) && couldBeHook(path.split(sep));

const isScriptElsewhere = (path: string): boolean =>
  !path.startsWith(`hooks${sep}`) && couldBeHook(path.split(sep)) && !isModuleFile(path);

function couldBeHook(parts: readonly string[]): boolean {
  if (parts.some((part) => /^[._]/.test(part))) return false;
  const name = parts.at(-1)!;
  return !/\.test\./.test(name) && !DATA.test(name);
}

/** Links are followed, but no directory is entered twice on the way down. */
function filesBelow(
  dir: string,
  skip: readonly string[],
  closed: Set<string>,
  above: readonly string[] = [],
): string[] {
  const look = <T>(read: () => T): T | undefined => quietly(read, () => closed.add(dir));
  const real = look(() => realpathSync(dir));
  if (real === undefined || above.includes(real)) return [];
  const way = [...above, real];
  return (look(() => readdirSync(dir)) ?? []).flatMap((name) => {
    if (name === "node_modules" || name === ".git") return [];
    const path = join(dir, name);
    const stat = look(() => statSync(path));
    if (stat?.isDirectory() && leadsUp(path)) return [];
    if (stat?.isDirectory()) return skip.includes(path) ? [] : filesBelow(path, skip, closed, way);
    return stat?.isFile() ? [path] : [];
  });
}

/** What cannot be read, or has gone in between, is not there. */
export function quietly<T>(read: () => T, denied?: () => void): T | undefined {
  try {
    return read();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EACCES") denied?.();
    return undefined;
  }
}

export const byBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A link to a folder that holds the link itself, such as /: nobody means to search all of that. */
export function leadsUp(path: string): boolean {
  const target = quietly(() => realpathSync(path));
  const home = quietly(() => realpathSync(dirname(path)));
  if (
    target === undefined ||
    home === undefined ||
    !quietly(() => lstatSync(path))?.isSymbolicLink()
  )
    return false;
  return target === "/" || home === target || home.startsWith(`${target}${sep}`);
}

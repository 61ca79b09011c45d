import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layoutOf, managedRoot, storeRoot, userRoot, type Layout } from "../dispatch/layout.ts";
import { decodeRow } from "../dispatch/rows.ts";
import { Fault } from "../fault.ts";
import type { Hook } from "../model.ts";
import { VERSION } from "../version.ts";
import type { LayerRoot } from "./_definition.ts";
import { compile, type Compiled } from "./compile.ts";
import { changedSince, contentHash, hashed, isThere, UNTRIED, type Watch } from "./gate.ts";
import { takeLock, type Lock } from "./lock.ts";
import { publishCompiled } from "./publish.ts";
import { strongOnly } from "./strong-only.ts";

/** Where our own files are; known to whoever starts us. */
export interface Installation {
  readonly shell: string;
  /** The library that modules import as "anyhook". */
  readonly library: string;
}

export interface Materialized {
  readonly layout: Layout;
  readonly compiled: Compiled;
  readonly manifest: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Strongest first. */
export function layerRoots(root: string, env: Env): LayerRoot[] {
  const all: LayerRoot[] = [
    { layer: "managed", root: managedRoot(env) },
    ...(root === ""
      ? []
      : [
          { layer: "local" as const, root: join(root, ".anyhook", "local") },
          { layer: "project" as const, root: join(root, ".anyhook") },
        ]),
    { layer: "user", root: userRoot(env) },
  ];
  return all.filter((layer) => layer.root !== "");
}

/** Compiles and publishes, under the lock unless the caller (dispatch.sh) holds it already. */
export async function materialize(
  root: string,
  installation: Installation,
  options: { locked?: boolean; env?: Env; without?: string | undefined } = {},
): Promise<Materialized> {
  const env = options.env ?? process.env;
  const layout = layoutOf(root, env);
  for (const folder of ["run", "state", "gen"])
    mkdirSync(join(layout.slot, folder), { recursive: true, mode: 0o700 });
  mkdirSync(layout.ledger, { recursive: true, mode: 0o700 });
  // Payloads and the ledger are nobody else's business, whoever made the folder.
  chmodSync(storeRoot(env), 0o700);
  const lock = options.locked ? undefined : await takeLock(layout.slot);
  if (!options.locked && !lock)
    throw new Fault("locked", "another compile has been running for 30 s", {
      hint: "if it hangs, end it; the next event compiles by itself",
    });
  try {
    return await underLock(layout, installation, env, options.without);
  } finally {
    (lock satisfies Lock | undefined)?.release();
  }
}

/** How often an edit during the compile is followed by another one before we let it be. */
const TRIES = 3;

async function underLock(
  layout: Layout,
  installation: Installation,
  env: Env,
  without?: string,
): Promise<Materialized> {
  for (let attempt = 1; ; attempt++) {
    const stamp = join(layout.slot, `stamp.${Date.now()}-${process.pid}`);
    const stamped = Math.floor(Date.now() / 1000);
    writeFileSync(stamp, `${VERSION}\n`);
    // The clock ticks before anything is read: no later edit can carry the stamp's own time.
    await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      const roots = layerRoots(layout.root, env);
      // An earlier generation goes on when a compile fails; where there is none, nothing would run.
      const isFirst = !isThere(join(layout.slot, "gate"));
      const input = {
        roots,
        projectRoot: layout.root,
        libraryFile: installation.library,
        nodePath: process.execPath,
        packsFolder: join(installation.shell, "../packs"),
        previous: previousRows(layout.slot),
      };
      const alone = isFirst || without !== undefined;
      const compiled = await (alone ? strongOnly(compile, input, without) : compile(input));
      const watch = watchOf(layout.root, roots, compiled, env);
      const content = contentHash(installation.shell, hashed(watch));
      // Edited while we read: what was hashed is not what was compiled.
      const moved = changedSince(watch.paths, stamp);
      if (moved && attempt < TRIES) {
        rmSync(stamp, { force: true });
        continue;
      }
      const hash = without === undefined ? (moved ? "moving" : content) : UNTRIED;
      const manifest = publishCompiled(layout, compiled, { ...watch, hash, stamp, stamped });
      return { layout, compiled, manifest };
    } catch (error) {
      rmSync(stamp, { force: true });
      throw error;
    }
  }
}

function watchOf(
  root: string,
  roots: readonly LayerRoot[],
  compiled: Compiled,
  env: Env,
): Omit<Watch, "hash" | "stamp" | "stamped"> {
  const known = rootPaths(roots);
  const extra = compiled.roots.map(({ root }) => root).filter((path) => isThere(path));
  const more = extra.filter((path) => !roots.some(({ root }) => root === path));
  return {
    paths: [...known, ...more, ...compiled.inputs],
    absent: roots
      .filter(({ layer }) => layer !== "local")
      .map(({ root }) => root)
      .filter((path) => !isThere(path)),
    globBases: compiled.globBases,
    projectRoot: root,
    userRoot: userRoot(env),
    managedRoot: managedRoot(env),
  };
}
/** local/ lies inside the project's root and needs no watching of its own. */
const rootPaths = (roots: readonly LayerRoot[]): string[] =>
  roots.filter(({ layer, root }) => layer !== "local" && isThere(root)).map(({ root }) => root);

/** Rows of the last compile, so that a hook that is bad now goes on as it was. */
export function previousRows(slot: string): Hook[] {
  try {
    const lines = readFileSync(join(slot, "hooks-manifest"), "utf8").split("\n");
    return lines.flatMap((line) => decodeRow(line) ?? []);
  } catch {
    return [];
  }
}

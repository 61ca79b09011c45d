import { join } from "node:path";
import type { Diagnostic, Layer } from "../model.ts";
import type { LayerRoot } from "./_definition.ts";
import type { Draft, Place } from "./draft.ts";
import type { LayerSettings } from "./event-settings.ts";
import { extraRoots } from "./extra-roots.ts";
import { inPack, packs } from "./packs.ts";
import { type RootReading, readRoot } from "./read-root.ts";
import type { SystemNode } from "./source-node.ts";

export interface Readings {
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
  readonly settings: readonly LayerSettings[];
  readonly system: readonly SystemNode[];
  readonly candidates: readonly string[];
  readonly elsewhere: readonly string[];
  readonly failed: readonly { readonly file: string; readonly layer: Layer }[];
  /** All roots, those that settings added included. */
  readonly roots: readonly LayerRoot[];
  readonly bases: readonly string[];
  readonly modules: Place["modules"];
}

type Input = Omit<Place, "layer" | "root" | "modules"> & {
  readonly roots: readonly LayerRoot[];
  readonly packsFolder?: string;
};

/** All roots, and those that the project's own settings add. */
export async function readAll(input: Input): Promise<Readings> {
  const modules: Place["modules"] = new Map();
  const { roots: _, ...known } = input;
  const { projectRoot } = input;
  const read = (roots: readonly LayerRoot[], all: readonly LayerRoot[]): Promise<RootReading[]> => {
    const places = roots.map((root) => ({ ...root, ...known, modules }));
    return Promise.all(places.map((place) => readRoot(place, othersThan(place, all))));
  };
  const first = await read(input.roots, input.roots);
  const extra = extraRoots(
    first.flatMap((one) => one.settings),
    input.roots,
    projectRoot,
  );
  const packed = packs(
    first.flatMap((one) => one.settings),
    input.packsFolder,
  );
  const added = [...extra.roots, ...packed.roots];
  const roots = [...input.roots, ...added];
  const more = (await read(added, roots)).map((one, i) => ({
    ...one,
    drafts: one.drafts.map((draft) => inPack(draft, added[i]!, input.nodePath)),
  }));
  const all = [...first, ...more];
  return {
    ...joined(all, roots),
    roots,
    bases: extra.bases,
    modules,
    diagnostics: [...all, extra, packed].flatMap((one) => one.diagnostics),
  };
}

function joined(all: readonly RootReading[], roots: readonly LayerRoot[]) {
  return {
    drafts: all.flatMap((one) => one.drafts),
    settings: all.flatMap((one) => one.settings),
    system: all.flatMap((one) => one.system),
    candidates: all.flatMap((one) => one.candidates),
    elsewhere: all.flatMap((one) => one.elsewhere),
    failed: all.flatMap((one, i) => one.failed.map((file) => ({ file, layer: roots[i]!.layer }))),
  };
}

/** A root inside another one is read once; `.anyhook/local/` is a layer of its own, asked for or not. */
function othersThan({ layer, root, projectRoot }: Place, all: readonly LayerRoot[]): string[] {
  const others = all.filter((other) => other.root !== root).map((other) => other.root);
  const isMain = layer === "project" && root === join(projectRoot, ".anyhook");
  return isMain ? [...others, join(root, "local")] : others;
}

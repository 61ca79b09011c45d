import { type Hook, LAYERS, type Layer } from "../model.ts";
import type { Draft } from "./draft.ts";
import { portable } from "./rows.ts";

/** Rows of an earlier compile, in their order. */
export type Previous = readonly Hook[];

export interface LastGood {
  readonly of: (draft: Draft) => readonly Hook[];
  /** Rows that a file gave, or all below a folder, which cannot be read now. */
  readonly ofFile: (file: string, layer: Layer) => readonly Hook[];
}

/** The last version of a hook that could run. */
export function lastGood(previous: Previous, projectRoot: string): LastGood {
  const runnable = previous.filter((row) => row.broken === "");
  return {
    of: ({ name, layer }) => runnable.filter((row) => row.name === name && row.layer === layer),
    ofFile: (file, layer) => {
      const source = portable(file, projectRoot);
      const isFrom = (row: Hook): boolean =>
        row.source.startsWith(`${source}/`) ||
        (row.source.startsWith(`${source}:`) && /^:\d+$/.test(row.source.slice(source.length)));
      return runnable.filter((row) => row.layer === layer && isFrom(row));
    },
  };
}

/** Names that kept rows own, and from which rank on. */
export function claimsOf(rows: readonly Hook[]): ReadonlyMap<string, number> {
  const claims = new Map<string, number>();
  for (const { name, layer } of rows) {
    claims.set(name, Math.min(claims.get(name) ?? LAYERS.length, LAYERS.indexOf(layer)));
  }
  return claims;
}

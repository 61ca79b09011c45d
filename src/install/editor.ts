import type { Json } from "../adapters/_contract.ts";

/** One entry of ours and the keys down to the list in which it belongs. */
export interface Entry {
  readonly at: readonly string[];
  readonly value: Json;
}

/** "all": the whole entry is ours; else those of its commands that are. */
export type Ours = (at: readonly string[], entry: Json) => "all" | readonly string[];

/** Edits of one settings file in one format; texts in, texts out. Throws a Refusal. */
export interface Editor {
  readonly entries: (text: string, at: readonly string[]) => readonly Json[];
  readonly add: (
    text: string,
    entries: readonly Entry[],
  ) => { readonly text: string; readonly made: readonly (readonly string[])[] };
  /** `made`: containers that came with us and go when they are empty; undefined when nobody knows. */
  readonly remove: (
    text: string,
    places: readonly (readonly string[])[],
    ours: Ours,
    made: readonly (readonly string[])[] | undefined,
  ) => string;
  /** Nothing of anybody's is left. */
  readonly isEmpty: (text: string) => boolean;
}

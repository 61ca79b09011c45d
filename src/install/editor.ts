import type { Json } from "../adapters/_settings.ts";

/** One entry of ours and the keys down to the list in which it belongs. */
export interface Entry {
  readonly at: readonly string[];
  readonly value: Json;
}

/** "all": the whole entry is ours; else those of its commands that are. */
export type Ours = (at: readonly string[], entry: Json) => "all" | readonly string[];

/** Between the brackets of a container that was empty. */
export interface Blank {
  readonly at: readonly string[];
  readonly text: string;
}

/** What an insertion brought along beside the entries. */
export interface Came {
  /** Containers, which go when they are empty. */
  readonly made: readonly (readonly string[])[];
  readonly blanks: readonly Blank[];
}

/** Edits of one settings file in one format; texts in, texts out. Throws a Refusal. */
export interface Editor {
  readonly entries: (text: string, at: readonly string[]) => readonly Json[];
  readonly add: (text: string, entries: readonly Entry[]) => Came & { readonly text: string };
  /** `came`: undefined when nobody knows. */
  readonly remove: (
    text: string,
    places: readonly (readonly string[])[],
    ours: Ours,
    came: Came | undefined,
  ) => string;
  /** Nothing of anybody's is left. */
  readonly isEmpty: (text: string) => boolean;
}

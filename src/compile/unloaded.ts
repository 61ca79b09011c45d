import type { Layer } from "../model.ts";
import { draft } from "./draft.ts";
import { reportOn } from "./fields.ts";
import type { LastGood } from "./last-good.ts";
import type { Placed } from "./layers.ts";
import { stem } from "./names.ts";
import { isModuleFile } from "./source-module.ts";

interface Failed {
  readonly file: string;
  readonly layer: Layer;
}

/** Files below hooks/ that could not be read or loaded and never were: listed, so that nobody misses them. */
export function unloaded(
  failed: readonly Failed[],
  candidates: readonly string[],
  good: LastGood,
): Placed[] {
  const known = new Set(candidates);
  return failed
    .filter(({ file, layer }) => known.has(file) && good.ofFile(file, layer).length === 0)
    .map(({ file, layer }) => {
      const kind = isModuleFile(file) ? "module" : "script";
      const from = { form: kind, file, line: 1, index: 0 } as const;
      const report = reportOn(file, stem(file));
      const made = draft({ layer, root: "" }, from, {}, { kind, run: file }, report);
      return { ...made, state: "bad" };
    });
}

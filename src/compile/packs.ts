import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { suggest } from "../events.ts";
import type { Diagnostic } from "../model.ts";
import type { LayerRoot } from "./_definition.ts";
import { quietly } from "./discover.ts";
import type { Draft } from "./draft.ts";
import type { LayerSettings } from "./event-settings.ts";
import { reportOn } from "./fields.ts";
import { fileText } from "./file-text.ts";

export interface Packs {
  readonly roots: readonly LayerRoot[];
  readonly diagnostics: readonly Diagnostic[];
}

const OURS = "anyhook/";

/** The built-in packs that settings ask for: folders of our own, read as the weakest layer. */
export function packs(all: readonly LayerSettings[], folder: string | undefined): Packs {
  // Programs that bring their own hooks have no packs.
  if (folder === undefined) return { roots: [], diagnostics: [] };
  const known = builtIn(folder);
  const diagnostics: Diagnostic[] = [];
  const wanted = new Set<string>();
  for (const { file, settings } of all)
    for (const name of settings.packs ?? [])
      if (known.includes(name)) wanted.add(name);
      else diagnostics.push(unknownPack(name, file, known));
  const roots = [...wanted].toSorted().map((name) => ({
    layer: "pack" as const,
    root: join(folder, name.slice(OURS.length)),
  }));
  return { roots, diagnostics };
}

function builtIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => OURS + name);
}

function unknownPack(name: string, file: string, known: readonly string[]): Diagnostic {
  const report = reportOn(file, "");
  const near = suggest(name, [...known]);
  const hint = near ? `did you mean "${near}"?` : `built in are: ${known.join(", ") || "none"}`;
  report.say(
    "error",
    lineOf(file, name),
    "unknown-pack",
    `packs: there is no pack "${name}"`,
    hint,
  );
  return report.diagnostics[0]!;
}

/** Where the settings name it; 0 when that cannot be told. */
function lineOf(file: string, name: string): number {
  const lines = (quietly(() => fileText(file)) ?? "").split("\n");
  return lines.findIndex((line) => line.includes(JSON.stringify(name))) + 1;
}

/**
 * A pack starts programs of ours. `{node}` is the Node that compiled, because a harness that was
 * started from a desktop often has none on its PATH; `{pack}` is the pack's own folder.
 */
export function inPack(draft: Draft, { root }: LayerRoot, nodePath: string): Draft {
  if (draft.layer !== "pack" || draft.kind !== "exec") return draft;
  const words = JSON.parse(draft.run) as string[];
  const filled = words.map((word) =>
    word === "{node}" ? nodePath : word.replace(/^\{pack\}\//, `${root}/`),
  );
  return { ...draft, run: JSON.stringify(filled) };
}

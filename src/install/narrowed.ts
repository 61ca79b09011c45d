import { existsSync } from "node:fs";
import type { Adapter } from "../adapters/_contract.ts";
import { editorOf } from "./editors.ts";
import type { InstallRecord } from "./record.ts";
import { textAt } from "./target.ts";

/** Entries of ours that somebody gave a matcher: they fire for that only, or for nothing. */
export function narrowed(
  adapter: Adapter,
  { commands: recorded }: InstallRecord,
  file: string,
): { readonly native: string; readonly matcher: string }[] {
  const { at = () => [], commands = () => [], render } = adapter.settings;
  if (render || !existsSync(file)) return [];
  const text = textAt(file);
  const editor = editorOf(adapter, file);
  return Object.values(adapter.surfaces).flatMap(({ native }) =>
    editor
      .entries(text, at(native))
      .flatMap((entry) => commands(entry))
      .filter(({ command, matcher }) => matcher !== "" && recorded.includes(command))
      .map(({ matcher }) => ({ native, matcher })),
  );
}

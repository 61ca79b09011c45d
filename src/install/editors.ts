import type { Adapter } from "../adapters/_contract.ts";
import { Fault } from "../fault.ts";
import { jsonEditor } from "./edit-json.ts";
import { tomlEditor } from "./edit-toml.ts";
import type { Editor } from "./editor.ts";

type Make = (adapter: Adapter, file: string) => Editor;

const EDITORS: Readonly<Record<string, Make>> = {
  json: ({ settings }, file) => jsonEditor(file, "json", settings.base),
  jsonc: ({ settings }, file) => jsonEditor(file, "jsonc", settings.base),
  toml: (_, file) => tomlEditor(file),
};

export function editorOf(adapter: Adapter, file: string): Editor {
  const make = EDITORS[adapter.settings.format];
  if (make) return make(adapter, file);
  throw new Fault("no-editor", `${adapter.id}: nothing edits ${adapter.settings.format}`);
}

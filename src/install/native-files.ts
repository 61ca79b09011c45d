import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import type { Scope } from "../adapters/_settings.ts";
import type { Imported } from "./imported.ts";
import { readRecord } from "./record.ts";
import { pathAt, type Site } from "./site.ts";

/** A file with people's own hooks, and its harness as one reads it there. */
export interface NativeFile {
  readonly adapter: Adapter;
  readonly file: string;
}

/** Every file in which hooks of people stand, whether it has any or not. */
export function nativeFiles(adapter: Adapter, site: Site, scope: Scope): NativeFile[] {
  const { files, natives, render } = adapter.settings;
  const own = files[scope] === undefined || render ? [] : [pathAt(files[scope], site)];
  const more = (natives?.files?.[scope] ?? []).flatMap((template) => below(pathAt(template, site)));
  return [...new Set([...own, ...more])]
    .filter((file) => existsSync(file) && !isOurs(file, adapter, site, scope))
    .map((file) => ({ adapter: asNative(adapter), file }));
}

/** The harness with the form that people's own files have. */
export function asNative(adapter: Adapter): Adapter {
  const form = adapter.settings.natives?.form;
  if (!form) return adapter;
  const { render: _render, ...settings } = adapter.settings;
  return { ...adapter, settings: { ...settings, ...form } };
}

/** What people wrote for the harness that is no command at all. */
export function fixedHooks(adapter: Adapter, site: Site, scope: Scope): Imported["left"] {
  const { fixed } = adapter.settings;
  const files = (fixed?.files[scope] ?? []).flatMap((template) => below(pathAt(template, site)));
  return files
    .filter((file) => !isOurs(file, adapter, site, scope))
    .map((file) => ({ hook: { ...NO_COMMAND, harness: adapter.id, file }, why: fixed!.why }));
}

const NO_COMMAND = {
  ...{ event: "", native: "its code", list: [], entry: 0, index: 0, value: null },
  ...{ command: "", matcher: "", timeout: undefined, rest: {} },
};

/** Written by us as a whole. */
const isOurs = (file: string, { id }: Adapter, site: Site, scope: Scope): boolean =>
  readRecord(site, id, scope)?.files.some((one) => one.part === "own" && one.file === file) ??
  false;

/** `*` is one name, in one place of the path. */
function below(pattern: string): string[] {
  if (!pattern.includes("*")) return [pattern];
  const folder = dirname(pattern.slice(0, pattern.indexOf("*") + 1));
  const [head = "", ...rest] = pattern.slice(folder.length + 1).split("/");
  const [before = "", after = ""] = head.split("*");
  return namesIn(folder)
    .filter((name) => name.startsWith(before) && name.endsWith(after) && !name.startsWith("."))
    .map((name) => join(folder, name, ...rest))
    .filter((file) => existsSync(file));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

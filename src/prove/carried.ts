import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parse as parseJson, type ParseError } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import type { Adapter } from "../adapters/_contract.ts";
import type { Json } from "../adapters/_settings.ts";
import { oursIn } from "../install/ours.ts";
import { readRecord } from "../install/record.ts";
import { pathAt, type Site } from "../install/site.ts";
import { tomlKeys, tomlLiteral } from "../install/toml-text.ts";

/**
 * The person's own connection on a stage: of their settings only what decides whether hooks run, so
 * that neither keys nor habits come along. false: this harness was never connected by us.
 */
export function carried(adapter: Adapter, from: Site, to: Site): boolean {
  const record = readRecord(from, adapter.id, "user");
  if (!record) return false;
  const { settings } = adapter;
  if (settings.render) {
    for (const { file } of record.files) {
      const there = moved(file, from, to);
      if (existsSync(file)) copy(file, there);
    }
    return true;
  }
  carrySettings(adapter, record.commands, from, to);
  for (const { file, format, at } of settings.off ?? [])
    if (format === "toml") carryToml(file, [at], from, to);
  if (settings.trusted) carryToml(settings.trusted.file, [["hooks", "state"]], from, to);
  return true;
}

const moved = (path: string, from: Site, to: Site): string =>
  path.startsWith(`${from.home}/`) ? to.home + path.slice(from.home.length) : path;

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

/** A file that is no JSON is carried as it is: the client must meet it too. */
function carrySettings(adapter: Adapter, recorded: readonly string[], from: Site, to: Site): void {
  const { settings, surfaces } = adapter;
  const template = settings.files.user!;
  const [source, target] = [pathAt(template, from), pathAt(template, to)];
  if (!existsSync(source)) return;
  const text = readFileSync(source, "utf8");
  const theirs = members(text);
  if (theirs === undefined) return writeAt(target, text);
  const places = Object.values(surfaces).map(({ native }) => settings.at?.(native) ?? []);
  const keys = new Set([
    ...places.map(([first = ""]) => first),
    ...(settings.off ?? []).map(({ at }) => at[0] ?? ""),
    ...Object.keys(settings.base ?? {}),
  ]);
  const ours = existsSync(target) ? members(readFileSync(target, "utf8")) : undefined;
  // A file that the client does not need by itself is about hooks only, and is taken whole.
  const kept = Object.entries(theirs).filter(([key]) => !ours || keys.has(key));
  const whole = { ...ours, ...Object.fromEntries(kept) } as Json;
  const foreign = foreignCommands(adapter, from, recorded, theirs, places);
  writeAt(target, JSON.stringify(silenced(whole, foreign), undefined, 2));
}

/** Hooks that are not ours do nothing on a stage; they keep their place, which trust counts. */
const silenced = (value: Json, foreign: ReadonlySet<string>): Json => {
  if (typeof value === "string") return foreign.has(value) ? "true" : value;
  if (Array.isArray(value)) return value.map((one: Json) => silenced(one, foreign));
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).map(([key, one]) => [key, silenced(one, foreign)]);
  return Object.fromEntries(pairs) as Json;
};

function foreignCommands(
  adapter: Adapter,
  site: Site,
  recorded: readonly string[],
  theirs: Readonly<Record<string, unknown>>,
  places: readonly (readonly string[])[],
): Set<string> {
  const isOurs = oursIn(adapter, site, recorded);
  const commands = places.flatMap((at) => {
    const list = at.reduce<unknown>(
      (now, key) => (now as Record<string, unknown> | undefined)?.[key],
      theirs,
    );
    return (Array.isArray(list) ? (list as Json[]) : []).flatMap((entry) => {
      const found = isOurs(at, entry);
      const all = adapter.settings.commands?.(entry).map(({ command }) => command) ?? [];
      return found === "all" ? [] : all.filter((command) => !found.includes(command));
    });
  });
  return new Set(commands);
}

function members(text: string): Record<string, unknown> | undefined {
  const errors: ParseError[] = [];
  const value: unknown = parseJson(text.replace(/^\uFEFF/, ""), errors, {
    allowTrailingComma: true,
  });
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return errors.length === 0 && isObject ? (value as Record<string, unknown>) : undefined;
}

/** Values below some keys, added to the stage's own file; paths of the home become the stage's. */
function carryToml(
  template: string,
  places: readonly (readonly string[])[],
  from: Site,
  to: Site,
): void {
  const [source, target] = [pathAt(template, from), pathAt(template, to)];
  if (!existsSync(source) || source === target) return;
  const text = readFileSync(source, "utf8");
  const lines = places.flatMap((at) => linesAt(parsed(text), at, (key) => moved(key, from, to)));
  if (lines.length === 0) return;
  const before = existsSync(target) ? readFileSync(target, "utf8") : "";
  writeAt(target, `${before}\n${lines.join("\n")}\n`);
}

function parsed(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return {};
  }
}

/** One `[table]` with one line per value that is not a table itself. */
function linesAt(root: unknown, at: readonly string[], rename: (key: string) => string): string[] {
  const value = at.reduce<unknown>(
    (now, key) => (now as Record<string, unknown> | undefined)?.[key],
    root,
  );
  if (value === undefined) return [];
  if (!isTable(value))
    return [`[${tomlKeys(at.slice(0, -1))}]`, `${tomlKeys(at.slice(-1))} = ${tomlLiteral(value)}`];
  return Object.entries(value).flatMap(([key, one]) => {
    if (!isTable(one)) return [];
    const leaves = Object.entries(one).filter(([, leaf]) => !isTable(leaf));
    const lines = leaves.map(([name, leaf]) => `${tomlKeys([name])} = ${tomlLiteral(leaf)}`);
    return [`[${tomlKeys([...at, rename(key)])}]`, ...lines];
  });
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function writeAt(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

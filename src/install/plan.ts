import type { Adapter } from "../adapters/_contract.ts";
import type { Call, Scope } from "../adapters/_settings.ts";
import { editorOf } from "./editors.ts";
import type { Came, Editor, Entry, Ours } from "./editor.ts";
import { planOwnFiles } from "./own-files.ts";
import { oursIn, writtenFor } from "./ours.ts";
import {
  backedUp,
  cameWith,
  type FileRecord,
  hashOf,
  type InstallRecord,
  readRecord,
} from "./record.ts";
import { type Change } from "./replace-file.ts";
import { pathAt, shimOf, type Site } from "./site.ts";
import { callsOf } from "./stanza.ts";
import { targetAt, type Target, textOf } from "./target.ts";
import { planTrust } from "./trust.ts";

/** One file of a plan: what happens to it, and what the record will say about it. */
export interface FilePlan {
  readonly change: Change;
  readonly part: FileRecord["part"];
  /** What the file is without us; undefined when there would be none. */
  readonly original: Buffer | undefined;
  readonly came: Came;
}

export const NOTHING_CAME: Came = { made: [], blanks: [] };

export interface Plan {
  readonly adapter: Adapter;
  readonly scope: Scope;
  readonly calls: readonly Call[];
  readonly observed: readonly string[];
  readonly files: readonly FilePlan[];
  readonly record: InstallRecord | undefined;
}

export interface Wish {
  readonly scope: Scope;
  /** Native events that hooks name. */
  readonly observed: readonly string[];
  /** The person agreed that we write the harness's own record of trust. */
  readonly trust: boolean;
}

/** What an install would write; writes nothing. Throws a Refusal. */
export function planInstall(adapter: Adapter, site: Site, wish: Wish): Plan {
  const record = readRecord(site, adapter.id, wish.scope);
  const named = new Set([...(record?.observed ?? []), ...wish.observed]);
  const observed = adapter.observes.filter((event) => named.has(event));
  const calls = callsOf(adapter, wish.scope, shimOf(site), observed);
  const base = { adapter, scope: wish.scope, calls, observed, record };
  if (adapter.settings.render) return { ...base, files: planOwnFiles(adapter, site, base) };
  const settings = planSettings(adapter, site, base);
  const trust = wish.trust ? planTrust(adapter, site, settings, record) : [];
  return { ...base, files: [settings, ...trust] };
}

type Base = Pick<Plan, "scope" | "calls" | "record">;

function planSettings(adapter: Adapter, site: Site, { scope, calls, record }: Base): FilePlan {
  const target = settingsTarget(adapter, site, scope);
  const { mark, text } = textOf(target);
  const editor = editorOf(adapter, target.file);
  const known = recordedFile(record, target.file, "settings");
  const entries = calls.map((call) => entryOf(adapter, call));
  const ours = oursIn(adapter, site, record?.commands ?? []);
  const plan = { part: "settings", came: known?.came ?? NOTHING_CAME } as const;
  if (target.bytes !== undefined && isComplete(adapter, editor, text, entries, ours)) {
    const original = known ? backedUp(known) : undefined;
    return { ...plan, original, change: unchanged(target) };
  }
  const clean = cleanText(target, text, editor, entries, ours, known);
  const grown = editor.add(clean.text, entries);
  const after = Buffer.from(mark + grown.text);
  const { made, blanks } = grown;
  const change = { ...unchanged(target), after };
  return { ...plan, came: { made, blanks }, original: clean.bytes?.(mark), change };
}

interface Clean {
  readonly text: string;
  /** undefined when there was no file. */
  readonly bytes: ((mark: string) => Buffer) | undefined;
}

/**
 * The file without us. When nothing but our part was changed since, it is known to the byte what
 * was there before; else our part is taken out.
 */
function cleanText(
  target: Target,
  text: string,
  editor: Editor,
  entries: readonly Entry[],
  ours: Ours,
  known: FileRecord | undefined,
): Clean {
  if (target.bytes === undefined) return { text: "", bytes: undefined };
  if (known && hashOf(target.bytes) === known.after) {
    if (known.before === "") return { text: "", bytes: undefined };
    const bytes = backedUp(known);
    if (bytes) return { text: textOf({ ...target, bytes }).text, bytes: () => bytes };
  }
  const left = editor.remove(text, placesOf(entries), ours, cameWith(known));
  if (known?.before === "" && editor.isEmpty(left)) return { text: "", bytes: undefined };
  return { text: left, bytes: (mark) => Buffer.from(mark + left) };
}

export const unchanged = ({ file, real, bytes }: Target): Change => ({
  file,
  real,
  before: bytes,
  after: bytes,
});

export const placesOf = (entries: readonly Entry[]): readonly (readonly string[])[] => [
  ...new Map(entries.map(({ at }) => [at.join("\0"), at])).values(),
];

export const entryOf = ({ settings }: Adapter, call: Call): Entry => ({
  at: settings.at?.(call.native) ?? [],
  value: settings.entry?.(call) ?? null,
});

/** Every command that we would write is there once, and none of ours that we would not. */
function isComplete(
  adapter: Adapter,
  editor: Editor,
  text: string,
  entries: readonly Entry[],
  ours: Ours,
): boolean {
  const { commands = () => [] } = adapter.settings;
  return placesOf(entries).every((at) => {
    const wanted = entries
      .filter((one) => one.at.join("\0") === at.join("\0"))
      .flatMap(({ value }) => commands(value).map(({ command }) => command));
    const there = editor.entries(text, at).flatMap((entry) => {
      const found = ours(at, entry);
      return found === "all" ? commands(entry).map(({ command }) => command) : found;
    });
    return there.toSorted().join("\0") === wanted.toSorted().join("\0");
  });
}

/** A repository's links must not lead us out of it. */
export function settingsTarget(adapter: Adapter, site: Site, scope: Scope): Target {
  const file = pathAt(adapter.settings.files[scope]!, site);
  return targetAt(file, scope === "user" ? "" : site.root);
}

export const recordedFile = (
  record: InstallRecord | undefined,
  file: string,
  part: FileRecord["part"],
): FileRecord | undefined => record?.files.find((one) => one.file === file && one.part === part);

export const commandsOf = (adapter: Adapter, calls: readonly Call[]): string[] => [
  ...new Set(calls.flatMap((call) => writtenFor(adapter, call))),
];

import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { type Adapter, nativeEvents } from "../adapters/_contract.ts";
import { type TrustedEntry } from "../adapters/_settings.ts";
import { withValue } from "./edit-toml.ts";
import { editorOf } from "./editors.ts";
import { oursIn } from "./ours.ts";
import type { FilePlan } from "./plan.ts";
import { backedUp, type FileRecord, hashOf, type InstallRecord } from "./record.ts";
import { pathAt, type Site } from "./site.ts";
import { targetAt, type Target, textOf } from "./target.ts";
import { tomlValue } from "./toml-text.ts";

export interface TrustValue {
  readonly keys: readonly string[];
  readonly value: string;
}

/** The harness's own record of trust, for each of our entries as they will stand in the settings. */
export function planTrust(
  adapter: Adapter,
  site: Site,
  settings: FilePlan,
  record: InstallRecord | undefined,
): FilePlan[] {
  const { trusted } = adapter.settings;
  if (!trusted) return [];
  const after = settings.change.after?.toString("utf8").replace(/^\uFEFF/, "") ?? "";
  const values = trustValues(adapter, site, settings.change.file, after, record?.commands ?? []);
  const target = targetAt(pathAt(trusted.file, site));
  const { mark, text } = textOf(target);
  const known = record?.files.find(({ part, file }) => part === "trust" && file === target.file);
  const earlier = known?.came.made ?? [];
  const plan = {
    part: "trust",
    came: { made: values.map(({ keys }) => keys), blanks: [] },
  } as const;
  const { file, real, bytes: before } = target;
  if (before && isCurrent(tomlValue(file, text), values, earlier))
    return [{ ...plan, original: before, change: { file, real, before, after: before } }];
  const clean = earlier.reduce((now, keys) => withValue(file, now, keys, ""), text);
  const original = originalBytes(target, known, mark + clean);
  const grown = values.reduce(
    (now, { keys, value }) => withValue(file, now, keys, value),
    original ? textOf({ ...target, bytes: original }).text : "",
  );
  const change = { file, real, before, after: Buffer.from(mark + grown), mode: 0o600 };
  return [{ ...plan, original, change }];
}

/** All that we want is there, and nothing that we wanted earlier and do not any more. */
function isCurrent(
  config: unknown,
  values: readonly TrustValue[],
  earlier: readonly (readonly string[])[],
): boolean {
  const wanted = new Set(values.map(({ keys }) => keys.join("\0")));
  return (
    values.every(({ keys, value }) => valueAt(config, keys) === value) &&
    earlier.every((keys) => wanted.has(keys.join("\0")))
  );
}

/** Without us: to the byte when nobody else has changed it since. */
function originalBytes(
  { bytes }: Target,
  known: FileRecord | undefined,
  clean: string,
): Buffer | undefined {
  if (bytes === undefined) return undefined;
  if (!known || hashOf(bytes) !== known.after) return Buffer.from(clean);
  return known.before === "" ? undefined : (backedUp(known) ?? Buffer.from(clean));
}

export function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (now, key) => (now as Record<string, unknown> | undefined)?.[key],
    value,
  );
}

/** Keys and hashes for what of ours stands in the text of a settings file. */
export function trustValues(
  adapter: Adapter,
  site: Site,
  file: string,
  text: string,
  recorded: readonly string[],
): TrustValue[] {
  const { trusted, at = () => [], commands = () => [] } = adapter.settings;
  const editor = editorOf(adapter, file);
  const ours = oursIn(adapter, site, recorded);
  const natives = [...nativeEvents(adapter).keys(), ...adapter.observes];
  return natives.flatMap((native) =>
    editor.entries(text, at(native)).flatMap((entry, group) => {
      const found = ours(at(native), entry);
      return commands(entry).flatMap(({ command }, handler) =>
        trusted && (found === "all" || found.includes(command))
          ? namesOf(file).map((name) =>
              hashed(trusted, { file: name, native, group, handler, entry }),
            )
          : [],
      );
    }),
  );
}

export const hashed = (
  { at, text, prefix }: NonNullable<Adapter["settings"]["trusted"]>,
  entry: TrustedEntry,
): TrustValue => ({
  keys: at(entry),
  value: prefix + createHash("sha256").update(text(entry)).digest("hex"),
});

/** By which name the harness will know the file is its business: the one given, and the physical one. */
export function namesOf(file: string): string[] {
  return existsSync(file) ? [...new Set([file, realpathSync(file)])] : [file];
}

/** Which of our entries the harness trusts now. */
export function isTrusted(adapter: Adapter, site: Site, file: string, text: string): boolean {
  const { trusted } = adapter.settings;
  if (!trusted) return true;
  const target = targetAt(pathAt(trusted.file, site));
  const value = tomlValue(target.file, textOf(target).text);
  const wanted = trustValues(adapter, site, file, text, []);
  const isKnown = ({ keys, value: hash }: TrustValue): boolean => valueAt(value, keys) === hash;
  const names = namesOf(file);
  return (
    wanted.length > 0 &&
    names.some((name) =>
      wanted.filter(({ keys }) => keys.some((key) => key.startsWith(`${name}:`))).every(isKnown),
    )
  );
}

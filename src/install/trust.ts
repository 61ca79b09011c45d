import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import type { Adapter, Scope, TrustedEntry } from "../adapters/_contract.ts";
import { withValue } from "./edit-toml.ts";
import { editorOf } from "./editors.ts";
import { oursIn } from "./ours.ts";
import type { FilePlan } from "./plan.ts";
import { type InstallRecord } from "./record.ts";
import { pathAt, type Site } from "./site.ts";
import { targetAt, textOf } from "./target.ts";
import { tomlValue } from "./toml-text.ts";

export interface TrustValue {
  readonly keys: readonly string[];
  readonly value: string;
}

/** The harness's own record of trust, for each of our entries as they will stand in the settings. */
export function planTrust(
  adapter: Adapter,
  site: Site,
  scope: Scope,
  settings: FilePlan,
  record: InstallRecord | undefined,
): FilePlan[] {
  const { trusted } = adapter.settings;
  if (!trusted) return [];
  const after = settings.change.after?.toString("utf8").replace(/^\uFEFF/, "") ?? "";
  const values = trustValues(adapter, site, settings.change.file, after, record?.commands ?? []);
  const target = targetAt(pathAt(trusted.file, site));
  const { mark, text } = textOf(target);
  const known = record?.files.find(({ part }) => part === "trust")?.came.made ?? [];
  const made = values.map(({ keys }) => [...keys]);
  const stale = known.filter((keys) => !made.some((one) => one.join("\0") === keys.join("\0")));
  const clean = stale.reduce((now, keys) => withValue(target.file, now, keys, ""), text);
  const grown = values.reduce(
    (now, { keys, value }) => withTrust(target.file, now, keys, value),
    clean,
  );
  const bytes = grown === text ? target.bytes : Buffer.from(mark + grown);
  const change = {
    file: target.file,
    real: target.real,
    before: target.bytes,
    after: bytes,
    mode: 0o600,
  };
  return [{ part: "trust", original: target.bytes, came: { made, blanks: [] }, change }];
}

function withTrust(file: string, text: string, keys: readonly string[], value: string): string {
  return valueAt(tomlValue(file, text), keys) === value ? text : withValue(file, text, keys, value);
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
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
  const natives = [
    ...Object.values(adapter.surfaces).flatMap(({ native, also = [] }) => [native, ...also]),
    ...adapter.observes,
  ];
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

const hashed = (
  { at, text, prefix }: NonNullable<Adapter["settings"]["trusted"]>,
  entry: TrustedEntry,
): TrustValue => ({
  keys: at(entry),
  value: prefix + createHash("sha256").update(text(entry)).digest("hex"),
});

/** By which name the harness will know the file is its business: the one given, and the physical one. */
function namesOf(file: string): string[] {
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

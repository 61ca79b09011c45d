import { type Adapter, nativeEvents } from "../adapters/_contract.ts";
import type { Scope } from "../adapters/_settings.ts";
import { withValue } from "./edit-toml.ts";
import { editorOf } from "./editors.ts";
import { readRecord, writeRecord } from "./record.ts";
import { type Change } from "./replace-file.ts";
import { pathAt, type Site } from "./site.ts";
import { targetAt, textOf } from "./target.ts";
import { tomlValue } from "./toml-text.ts";
import { hashed, namesOf, type TrustValue, trustValues, valueAt } from "./trust.ts";

export interface Carried {
  readonly change: Change;
  /** Hashes that were trusted and have no place in the settings any more. */
  readonly gone: readonly string[];
}

/**
 * Trust is by place in the list: where entries go or come, others get another place. What the person
 * trusts stays trusted there, ours and theirs; nothing else becomes so. `back`: hashes that were
 * trusted when their entries were taken out.
 */
export function carriedTrust(
  adapter: Adapter,
  site: Site,
  { file, before, after }: Change,
  back: readonly string[] = [],
): Carried | undefined {
  const { trusted } = adapter.settings;
  if (!trusted) return undefined;
  const target = targetAt(pathAt(trusted.file, site));
  if (target.bytes === undefined) return undefined;
  const { mark, text } = textOf(target);
  const config = tomlValue(target.file, text);
  const now = valuesIn(adapter, file, textIn(before)).filter(
    ({ keys, value }) => valueAt(config, keys) === value,
  );
  const hashes = new Set([...now.map(({ value }) => value), ...back]);
  const then = valuesIn(adapter, file, textIn(after)).filter(({ value }) => hashes.has(value));
  const clean = now.reduce((rest, { keys }) => withValue(target.file, rest, keys, ""), text);
  const grown = then.reduce(
    (rest, { keys, value }) => withValue(target.file, rest, keys, value),
    clean,
  );
  const kept = new Set(then.map(({ value }) => value));
  const isSame = JSON.stringify(now) === JSON.stringify(then);
  return {
    gone: [...hashes].filter((hash) => !kept.has(hash)),
    change: {
      ...{ file: target.file, real: target.real, before: target.bytes },
      after: isSame ? target.bytes : Buffer.from(mark + grown),
    },
  };
}

const textIn = (bytes: Buffer | undefined): string =>
  bytes?.toString("utf8").replace(/^\uFEFF/, "") ?? "";

/** Of every command, whosever it is. */
function valuesIn(adapter: Adapter, file: string, text: string): TrustValue[] {
  const { trusted, at = () => [], commands = () => [] } = adapter.settings;
  const editor = editorOf(adapter, file);
  const natives = [...nativeEvents(adapter).keys(), ...adapter.observes];
  return natives.flatMap((native) =>
    editor
      .entries(text, at(native))
      .flatMap((entry, group) =>
        commands(entry).flatMap((_one, handler) =>
          namesOf(file).map((name) =>
            hashed(trusted!, { file: name, native, group, handler, entry }),
          ),
        ),
      ),
  );
}

/** The record names the keys of ours, so that an uninstall takes out these and no others. */
export function noteCarried(adapter: Adapter, site: Site, scope: Scope, settings: Change): void {
  const record = readRecord(site, adapter.id, scope);
  if (!record?.files.some(({ part }) => part === "trust")) return;
  const values = trustValues(adapter, site, settings.file, textIn(settings.after), record.commands);
  const made = values.map(({ keys }) => keys);
  const files = record.files.map((one) =>
    one.part === "trust" ? { ...one, came: { ...one.came, made } } : one,
  );
  writeRecord(site, { ...record, files });
}

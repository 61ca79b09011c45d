import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import type { Adapter } from "../adapters/_contract.ts";
import { editorOf } from "../install/editors.ts";
import { previewInstall } from "../install/install.ts";
import { type InstallRecord, readRecord } from "../install/record.ts";
import { Refusal } from "../install/refusal.ts";
import { same } from "../install/replace-file.ts";
import { pathAt, shimOf, type Site } from "../install/site.ts";
import { switchedOff } from "../install/switches.ts";
import { isTrusted } from "../install/trust.ts";

/** What is wrong with the person's own connection, as far as looking at it can tell. */
export function causes(adapter: Adapter, site: Site): string[] {
  const record = readRecord(site, adapter.id, "user");
  if (!record) return [];
  const file = pathAt(adapter.settings.files.user!, site);
  const off = switchedOff(adapter, site).map(
    (one) => `hooks are switched off: ${one.says} in ${one.file}`,
  );
  try {
    return [...off, ...shimCauses(site), ...entryCauses(adapter, site, record, file)];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [...off, `${file}: ${error.message}`];
  }
}

function shimCauses(site: Site): string[] {
  const shim = shimOf(site);
  if (!existsSync(shim)) return [`${shim}, which the entries call, does not exist`];
  try {
    accessSync(shim, constants.X_OK);
  } catch {
    return [`${shim}, which the entries call, is not executable`];
  }
  const [, script = ""] = /^d='(.*)'$/m.exec(readFileSync(shim, "utf8")) ?? [];
  return script === "" || existsSync(script.replaceAll(`'\\''`, "'"))
    ? []
    : [`${shim} calls ${script}, which does not exist`];
}

function entryCauses(adapter: Adapter, site: Site, record: InstallRecord, file: string): string[] {
  const wish = { scope: "user", observed: record.observed, trust: false } as const;
  const [outcome] = previewInstall(site, [adapter], wish);
  if (outcome?.refusal) throw outcome.refusal;
  const moved = outcome?.plan?.files.some(({ change }) => !same(change.before, change.after));
  const text = existsSync(file) && !adapter.settings.render ? readFileSync(file, "utf8") : "";
  return [
    ...(moved ? [`entries of ours are missing or changed in ${file}: anyhook install again`] : []),
    ...(text === "" ? [] : narrowed(adapter, record, file, text)),
    ...(text === "" || isTrusted(adapter, site, file, text)
      ? []
      : [
          `${adapter.title} does not trust our entries, and skips them without a word: ${adapter.settings.trust}`,
        ]),
  ];
}

/** An entry of ours that somebody gave a matcher fires for that only, or for nothing. */
function narrowed(
  adapter: Adapter,
  { commands: recorded }: InstallRecord,
  file: string,
  text: string,
): string[] {
  const { at = () => [], commands = () => [] } = adapter.settings;
  const editor = editorOf(adapter, file);
  return Object.values(adapter.surfaces).flatMap(({ native }) =>
    editor
      .entries(text, at(native))
      .flatMap((entry) => commands(entry))
      .filter(({ command, matcher }) => matcher !== "" && recorded.includes(command))
      .map(({ matcher }) => `our entry for ${native} in ${file} has the matcher "${matcher}"`),
  );
}

import type { Scope } from "../adapters/_settings.ts";
import type { Outcome } from "./install.ts";
import { plugged } from "./plugged.ts";
import { readRecord } from "./record.ts";
import { Refusal } from "./refusal.ts";
import { same } from "./replace-file.ts";
import { pathAt, type Site } from "./site.ts";
import { switchedOff } from "./switches.ts";
import { textAt } from "./target.ts";
import { isTrusted } from "./trust.ts";

/** What a person has to know, or do, before our entries have an effect. */
export function notesOn({ adapter, plan }: Outcome, site: Site): string[] {
  const scope: Scope = plan?.scope ?? "user";
  return [
    ...switchedOff(adapter, site).map(
      ({ file, says }) => `its hooks are switched off: ${says} in ${file}; that is left as it is`,
    ),
    ...(plan?.files.some(({ part }) => part === "trust") ? [] : trustNote(adapter, site, scope)),
    ...(adapter.settings.reload === "live" || !isNew(plan)
      ? []
      : ["sessions that run now do not see it; new ones do"]),
    ...overlapNote(adapter.id, adapter.settings.files, site, scope),
    ...pluginNote(adapter, site, scope),
  ];
}

/** The entries of a project do not know of the plugin, nor it of them. */
function pluginNote(adapter: Outcome["adapter"], site: Site, scope: Scope): string[] {
  if (scope === "user" || readRecord(site, adapter.id, "user")) return [];
  const plugin = plugged(adapter, site);
  if (plugin?.trouble !== "") return [];
  return [`it calls anyhook as a plugin as well (${plugin.file}): every hook will fire twice`];
}

const isNew = (plan: Outcome["plan"]): boolean =>
  plan?.files.some(({ change }) => !same(change.before, change.after)) ?? false;

function trustNote(adapter: Outcome["adapter"], site: Site, scope: Scope): string[] {
  const { trusted, trust } = adapter.settings;
  if (!trusted) return trust === "" ? [] : [`${adapter.title} wants: ${trust}`];
  const file = pathAt(adapter.settings.files[scope]!, site);
  const text = textAt(file);
  try {
    if (isTrusted(adapter, site, file, text)) return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [`what ${adapter.title} trusts cannot be read: ${error.file}: ${error.message}`];
  }
  const again = `anyhook install --harness ${adapter.id}${scope === "user" ? "" : ` --scope ${scope}`} --trust`;
  return [
    `${adapter.title} skips entries that you do not trust, without a word: ${again}, or ${trust}`,
  ];
}

/** Entries of a project step aside for those of the user; nothing fires twice. */
function overlapNote(
  id: string,
  files: Outcome["adapter"]["settings"]["files"],
  site: Site,
  scope: Scope,
): string[] {
  if (scope === "user" || !files.user || !readRecord(site, id, "user")) return [];
  return [
    "your user settings are connected as well: here those are used, the project's step aside",
  ];
}

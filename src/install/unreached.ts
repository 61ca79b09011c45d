import type { Adapter } from "../adapters/_contract.ts";
import { SCOPES, type Scope } from "../adapters/_settings.ts";
import { plugged } from "./plugged.ts";
import { readRecord } from "./record.ts";
import { Refusal } from "./refusal.ts";
import { pathAt, type Site } from "./site.ts";
import { targetAt, textOf } from "./target.ts";
import { isTrusted } from "./trust.ts";

/** Why hooks that move in here would run nowhere: the harness does not call us. undefined: it does. */
export function unreached(
  adapter: Adapter,
  site: Site,
  scope: Scope,
  file: string,
): Refusal | undefined {
  const install = `anyhook install --harness ${adapter.id}`;
  // Hooks of the user run in every project: only entries of the user are called everywhere.
  const scopes = (scope === "user" ? (["user"] as const) : SCOPES).filter((one) =>
    readRecord(site, adapter.id, one),
  );
  const plugin = plugged(adapter, site, { everywhere: scope === "user" });
  if (scopes.length === 0 && plugin?.trouble === "") return undefined;
  if (scopes.length === 0)
    return new Refusal(file, `${adapter.title} is not connected: nobody would run its hooks`, {
      hint: `${install} first`,
    });
  if (!adapter.settings.trusted) return undefined;
  const trusts = scopes.some((one) => {
    const settings = pathAt(adapter.settings.files[one]!, site);
    return isTrusted(adapter, site, settings, textOf(targetAt(settings)).text);
  });
  if (trusts) return undefined;
  return new Refusal(
    file,
    `${adapter.title} does not trust our entries: nobody would run its hooks`,
    {
      hint: `${install} --trust first`,
    },
  );
}

import type { Adapter } from "../adapters/_contract.ts";
import { SCOPES, type Scope } from "../adapters/_settings.ts";
import { plugged } from "./plugged.ts";
import { readRecord } from "./record.ts";
import type { Site } from "./site.ts";

/** By which ways a harness calls us here: settings of a scope, or the package as its plugin. */
export const connection = (adapter: Adapter, site: Site): (Scope | "plugin")[] => [
  ...connectedScopes(adapter, site),
  ...(plugged(adapter, site)?.trouble === "" ? (["plugin"] as const) : []),
];

export const connectedScopes = (adapter: Adapter, site: Site): Scope[] =>
  SCOPES.filter(
    (scope) =>
      adapter.settings.files[scope] !== undefined &&
      readRecord(site, adapter.id, scope) !== undefined,
  );

import { existsSync } from "node:fs";
import type { Adapter } from "../adapters/_contract.ts";
import { SCOPES, type Scope } from "../adapters/_settings.ts";
import { previewInstall } from "./install.ts";
import type { Refusal } from "./refusal.ts";
import { pathAt, type Site } from "./site.ts";

/** Settings files that are there and cannot be understood, in the scopes that are not connected. */
export function unreadable(adapter: Adapter, site: Site, connected: readonly Scope[]): Refusal[] {
  const { files, trusted } = adapter.settings;
  const scopes = SCOPES.filter((scope) => files[scope] !== undefined && !connected.includes(scope));
  const refusals = scopes.flatMap((scope) => {
    const own = [files[scope]!, ...(scope === "user" && trusted ? [trusted.file] : [])];
    if (!own.some((file) => existsSync(pathAt(file, site)))) return [];
    const wish = { scope, observed: [], trust: scope === "user" };
    return previewInstall(site, [adapter], wish).flatMap(({ refusal }) => refusal ?? []);
  });
  // A file that is only write-protected is understood, and no matter before somebody installs.
  const broken = refusals.filter(({ line, message }) => line > 0 || message.includes("UTF"));
  return [...new Map(broken.map((one) => [one.file, one])).values()];
}

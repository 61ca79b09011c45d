import { type Adapter } from "../adapters/_contract.ts";
import { SCOPES, type Scope } from "../adapters/_settings.ts";
import { ADAPTERS } from "../adapters/_all.ts";
import { isPresent, type Site, siteOf } from "../install/site.ts";
import { type Call, Misuse } from "./_call.ts";
import { rootHere } from "./_project.ts";
import { adapterNamed } from "./_surface.ts";
import { listed } from "./_words.ts";

export function siteHere(call: Call): Site {
  rootHere(call);
  return siteOf(call.env, call.from, call.installation.shell);
}

/** Those that were named, by any of their names; undefined when none was. */
export function harnessesNamed(call: Call): readonly Adapter[] | undefined {
  const text = call.text("harness");
  if (text === undefined || text === "all") return undefined;
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== "").map(adapterNamed))];
}

export const harnessesPresent = (site: Site): readonly Adapter[] =>
  ADAPTERS.filter((adapter) => isPresent(adapter, site));

export function scopeNamed(call: Call): Scope {
  const text = call.text("scope") ?? "user";
  const scope = SCOPES.find((one) => one === text);
  if (scope) return scope;
  throw new Misuse(`there is no scope "${text}"`, `one of ${listed(SCOPES, "or")}`);
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import type { Scope } from "../adapters/_settings.ts";
import { SCOPES } from "../adapters/_settings.ts";
import type { FilePlan, Plan } from "./plan.ts";
import { hashOf, type InstallRecord } from "./record.ts";
import { Refusal } from "./refusal.ts";
import { pathAt, shimOf, type Site } from "./site.ts";
import { callsOf } from "./stanza.ts";
import { targetAt } from "./target.ts";

/** Modules and scripts: whole files that are ours. A file of that name that is not ours is left alone. */
export function planOwnFiles(
  adapter: Adapter,
  site: Site,
  { scope, calls, record }: Pick<Plan, "scope" | "calls" | "record">,
): FilePlan[] {
  const wanted = rendered(adapter, site, scope, calls);
  const stale = (record?.files ?? []).map(({ file }) => file).filter((file) => !(file in wanted));
  return [
    ...Object.entries(wanted).map(([file, text]) =>
      planOne(adapter, site, scope, record, file, text),
    ),
    ...stale.map((file) => planGone(site, scope, file)),
  ];
}

export function rendered(
  { settings }: Adapter,
  site: Site,
  scope: Scope,
  calls: Plan["calls"],
): Readonly<Record<string, string>> {
  const place = pathAt(settings.files[scope]!, site);
  const pairs = Object.entries(settings.render?.(calls) ?? {}).map(
    ([name, text]) => [name === "" ? place : join(place, name), text] as const,
  );
  return Object.fromEntries(pairs);
}

const limitOf = (site: Site, scope: Scope): string => (scope === "user" ? "" : site.root);

function planOne(
  adapter: Adapter,
  site: Site,
  scope: Scope,
  record: InstallRecord | undefined,
  file: string,
  text: string,
): FilePlan {
  const target = targetAt(file, limitOf(site, scope));
  const { real, bytes: before } = target;
  const after = Buffer.from(text);
  if (before && !before.equals(after) && !isOurFile(adapter, site, scope, record, file))
    throw new Refusal(file, "there is a file of this name that is not ours", {
      hint: "move it away, or import it; nothing was changed",
    });
  const mode = adapter.settings.format === "scripts" ? 0o777 : 0o666;
  return {
    part: "own",
    original: undefined,
    came: { made: [], blanks: [] },
    change: { file, real, before, after, mode },
  };
}

function planGone(site: Site, scope: Scope, file: string): FilePlan {
  const { real, bytes } = targetAt(file, limitOf(site, scope));
  const change = { file, real, before: bytes, after: undefined };
  return { part: "own", original: undefined, came: { made: [], blanks: [] }, change };
}

/** As we left it by the record, or exactly what we would write. */
export function isOurFile(
  adapter: Adapter,
  site: Site,
  scope: Scope,
  record: InstallRecord | undefined,
  file: string,
): boolean {
  if (!existsSync(file)) return false;
  const bytes = readFileSync(file);
  const known = record?.files.find((one) => one.file === file);
  if (known && known.after === hashOf(bytes)) return true;
  const texts = SCOPES.flatMap((form) =>
    [[], adapter.observes].map(
      (observed) =>
        rendered(adapter, site, scope, callsOf(adapter, form, shimOf(site), observed))[file],
    ),
  );
  return texts.includes(bytes.toString("utf8"));
}

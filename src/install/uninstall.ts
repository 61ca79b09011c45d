import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import type { Scope } from "../adapters/_settings.ts";
import { withValue } from "./edit-toml.ts";
import { editorOf } from "./editors.ts";
import { attempt, type Outcome } from "./install.ts";
import { livenessFolder } from "./liveness.ts";
import { locked } from "./locked.ts";
import { oursIn } from "./ours.ts";
import { isOurFile, rendered } from "./own-files.ts";
import {
  entryOf,
  NOTHING_CAME,
  type FilePlan,
  type Plan,
  placesOf,
  recordedFile,
  settingsTarget,
  unchanged,
} from "./plan.ts";
import {
  allRecords,
  backedUp,
  backUp,
  cameWith,
  type FileRecord,
  hashOf,
  type InstallRecord,
  readRecord,
  removeRecord,
  withdraw,
  writeRecord,
} from "./record.ts";
import { removeFolders, replaceFile, same } from "./replace-file.ts";
import { removeEmpty, removeShim } from "./shim.ts";
import { pathAt, shimOf, type Site } from "./site.ts";
import { callsOf } from "./stanza.ts";
import { targetAt, type Target, textOf } from "./target.ts";
import { trustValues } from "./trust.ts";

/** What an uninstall would write; writes nothing. Throws a Refusal. */
export function planUninstall(adapter: Adapter, site: Site, scope: Scope): Plan {
  const record = readRecord(site, adapter.id, scope);
  const calls = callsOf(adapter, scope, shimOf(site), adapter.observes);
  const base = { adapter, scope, calls, observed: [], record };
  if (adapter.settings.render) return { ...base, files: ownFiles(adapter, site, base) };
  const target = settingsTarget(adapter, site, scope);
  const settings = settingsWithout(adapter, site, target, base);
  return { ...base, files: [settings, ...trustWithout(adapter, site, target, record)] };
}

type Base = Pick<Plan, "scope" | "calls" | "record">;

function settingsWithout(
  adapter: Adapter,
  site: Site,
  target: Target,
  { calls, record }: Base,
): FilePlan {
  const plan = { part: "settings", original: undefined, came: NOTHING_CAME } as const;
  if (target.bytes === undefined) return { ...plan, change: unchanged(target) };
  const known = recordedFile(record, target.file, "settings");
  const restored = asItWas(target, known);
  if (restored) return { ...plan, change: { ...unchanged(target), after: restored.bytes } };
  const { mark, text } = textOf(target);
  const editor = editorOf(adapter, target.file);
  const places = placesOf(calls.map((call) => entryOf(adapter, call)));
  const ours = oursIn(adapter, site, record?.commands ?? []);
  const left = editor.remove(text, places, ours, cameWith(known));
  if (left === text) return { ...plan, change: unchanged(target) };
  const isGone = known?.before === "" && editor.isEmpty(left);
  const after = isGone ? undefined : Buffer.from(mark + left);
  return { ...plan, change: { ...unchanged(target), after } };
}

/** Nobody else has changed it since: then every byte is known. */
function asItWas(
  target: Target,
  known: FileRecord | undefined,
): { readonly bytes: Buffer | undefined } | undefined {
  if (!known || hashOf(target.bytes) !== known.after) return undefined;
  if (known.before === "") return { bytes: undefined };
  const bytes = backedUp(known);
  return bytes && { bytes };
}

function trustWithout(
  adapter: Adapter,
  site: Site,
  settings: Target,
  record: InstallRecord | undefined,
): FilePlan[] {
  const { trusted } = adapter.settings;
  if (!trusted) return [];
  const target = targetAt(pathAt(trusted.file, site));
  if (target.bytes === undefined) return [];
  const known = recordedFile(record, target.file, "trust");
  const restored = asItWas(target, known);
  const { mark, text } = textOf(target);
  const now = trustValues(
    adapter,
    site,
    settings.file,
    textOf(settings).text,
    record?.commands ?? [],
  );
  const keys = [...(known?.came.made ?? []), ...now.map((one) => one.keys)];
  const left = keys.reduce((rest, one) => withValue(target.file, rest, one, ""), text);
  const after = restored ? restored.bytes : left === text ? target.bytes : Buffer.from(mark + left);
  const change = { ...unchanged(target), after };
  return [{ part: "trust", original: undefined, came: NOTHING_CAME, change }];
}

/** By the record, or by what we would write; an edited file of ours goes too, and a copy is kept. */
function ownFiles(adapter: Adapter, site: Site, { scope, calls, record }: Base): FilePlan[] {
  const recorded = (record?.files ?? []).map(({ file }) => file);
  const found = Object.keys(rendered(adapter, site, scope, calls)).filter((file) =>
    isOurFile(adapter, site, scope, record, file),
  );
  return [...new Set([...recorded, ...found])].map((file) => {
    const target = targetAt(file, scope === "user" ? "" : site.root);
    const change = { ...unchanged(target), after: undefined };
    return { part: "own", original: undefined, came: NOTHING_CAME, change };
  });
}

export interface Spot {
  readonly adapter: Adapter;
  readonly site: Site;
  readonly scope: Scope;
}

export const previewUninstall = (spots: readonly Spot[]): Outcome[] =>
  spots.map(({ adapter, site, scope }) =>
    attempt(adapter, () => planUninstall(adapter, site, scope)),
  );

export const uninstall = (site: Site, spots: readonly Spot[]): Promise<Outcome[]> =>
  locked(site, () => {
    const done = spots.map((spot) =>
      attempt(spot.adapter, () => apply(spot, planUninstall(spot.adapter, spot.site, spot.scope))),
    );
    if (allRecords(site).length === 0) {
      removeShim(site);
      sweep(join(site.store, "installed"));
      rmSync(livenessFolder(site), { recursive: true, force: true });
    }
    return done;
  });

function apply({ site, adapter, scope }: Spot, plan: Plan): Plan {
  const changes = plan.files
    .map(({ change }) => change)
    .filter(({ before, after }) => !same(before, after));
  for (const { file, before } of changes) if (before) backUp(site, file, before);
  if (plan.record) withdraw(site, plan.record);
  for (const [done, change] of changes.entries())
    try {
      replaceFile(change);
    } catch (error) {
      if (done === 0 && plan.record) writeRecord(site, plan.record);
      throw error;
    }
  const gone = plan.files.filter(({ change }) => change.after === undefined);
  removeFolders(
    gone.flatMap(({ change, part }) => recordedFile(plan.record, change.file, part)?.folders ?? []),
  );
  removeRecord(site, adapter.id, scope);
  return plan;
}

/** No record is left in it. */
function sweep(folder: string): void {
  rmSync(join(folder, "projects"), { recursive: true, force: true });
  removeEmpty(folder);
}

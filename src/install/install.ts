import { dirname } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { locked } from "./locked.ts";
import {
  commandsOf,
  type FilePlan,
  type Plan,
  planInstall,
  recordedFile,
  type Wish,
} from "./plan.ts";
import {
  backUp,
  type FileRecord,
  hashOf,
  isSettled,
  meanNothing,
  meanTo,
  UNKNOWN,
  writeRecord,
} from "./record.ts";
import { Refusal } from "./refusal.ts";
import { missingFolders, replaceFile, same } from "./replace-file.ts";
import { writeShim } from "./shim.ts";
import type { Site } from "./site.ts";

/** What became, or would become, of one harness. */
export interface Outcome {
  readonly adapter: Adapter;
  readonly plan: Plan | undefined;
  readonly refusal: Refusal | undefined;
}

/** Looks only. */
export const previewInstall = (site: Site, adapters: readonly Adapter[], wish: Wish): Outcome[] =>
  adapters.map((adapter) => attempt(adapter, () => planInstall(adapter, site, wish)));

/** Under the lock, from the files as they are then. A harness that is refused does not stop others. */
export const install = (site: Site, adapters: readonly Adapter[], wish: Wish): Promise<Outcome[]> =>
  locked(site, () => {
    return adapters.map((adapter) =>
      attempt(adapter, () => apply(site, planInstall(adapter, site, wish))),
    );
  });

export function attempt(adapter: Adapter, plan: () => Plan): Outcome {
  try {
    return { adapter, plan: plan(), refusal: undefined };
  } catch (error) {
    if (error instanceof Refusal) return { adapter, plan: undefined, refusal: error };
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw error;
    const refusal = new Refusal(path ?? "", "we are not permitted to read or write it");
    return { adapter, plan: undefined, refusal };
  }
}

/** The shim first: an entry must never name what is not there. */
function apply(site: Site, plan: Plan): Plan {
  writeShim(site, [plan.adapter]);
  const { id } = plan.adapter;
  const files = plan.files.map((file) => fileRecord(site, plan, file));
  const known = plan.record?.files ?? [];
  const kept = known.filter(
    ({ file, part }) => part === "trust" && !files.some((one) => one.file === file),
  );
  const record = {
    ...{ harness: plan.adapter.id, scope: plan.scope },
    root: plan.scope === "user" ? "" : site.root,
    ...{ version: site.version, package: site.package, node: site.node },
    observed: plan.observed,
    commands: [
      ...new Set([...(plan.record?.commands ?? []), ...commandsOf(plan.adapter, plan.calls)]),
    ],
    files: [...files.filter(({ after }) => after !== ""), ...kept],
  };
  const changes = plan.files
    .map(({ change }) => change)
    .filter(({ before, after }) => !same(before, after));
  if (changes.length > 0) meanTo(site, record);
  for (const [done, change] of changes.entries())
    try {
      replaceFile(change);
    } catch (error) {
      if (done === 0) meanNothing(site, id, plan.scope);
      throw error;
    }
  const isNew = JSON.stringify(record) !== JSON.stringify(plan.record);
  if (isNew || !isSettled(site, id, plan.scope)) writeRecord(site, record);
  return plan;
}

/** What is to be remembered of a file; what was there is kept now. */
function fileRecord(site: Site, { record }: Plan, plan: FilePlan): FileRecord {
  const { change, part, original, came } = plan;
  const known = recordedFile(record, change.file, part);
  const { file, after } = change;
  if (same(change.before, after))
    return (
      known ?? {
        ...{ file, part, before: UNKNOWN, after: hashOf(after) },
        ...{ backup: "", folders: [], came },
      }
    );
  // What was there is kept even when it is not what uninstall will give back.
  const current = change.before === undefined ? "" : backUp(site, file, change.before);
  const isOriginal = same(original, change.before);
  const backup = original === undefined ? "" : isOriginal ? current : backUp(site, file, original);
  const folders = after === undefined ? [] : missingFolders(dirname(change.real));
  return {
    ...{ file, part, before: hashOf(original), after: hashOf(after), backup, came },
    folders: [...(known?.folders ?? []), ...folders],
  };
}

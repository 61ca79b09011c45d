import { statSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { readLedger } from "../ledger/read.ts";
import { matching, sessionsOf } from "./sessions.ts";
import { recordOf, type Site } from "./site.ts";

/** A harness that we are connected to had a session and called nothing. */
export interface Silent {
  readonly harness: string;
  readonly title: string;
  /** When that session was last written to. */
  readonly at: Date;
  /** Where the harness keeps it. */
  readonly file: string;
}

/** A session that has just begun may still call us. */
const GRACE = 10_000;

/** What sessions left behind, against what the ledger says: who should have called, and did not? */
export async function liveness(
  adapters: readonly Adapter[],
  site: Site,
  now = Date.now(),
): Promise<Silent[]> {
  const all = await Promise.all(adapters.map((adapter) => silenceOf(adapter, site, now)));
  return all.flat();
}

/** The last session that was begun after we were connected: older ones may not know us yet. */
async function silenceOf(adapter: Adapter, site: Site, now: number): Promise<Silent[]> {
  const { id, title } = adapter;
  const since = statSync(recordOf(site, id, "user"), { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined) return [];
  const [last] = await sessionsOf(adapter, site, since);
  if (!last || now - last.at < GRACE || hasCalled(id, site, last.born)) return [];
  return [{ harness: id, title, at: new Date(last.at), file: last.file }];
}

/** Where dispatch.sh leaves the moment of a call that concerned no hook and so has no ledger. */
export const livenessFolder = ({ store }: Pick<Site, "store">): string => join(store, "liveness");

/** In any project: whoever called at all is alive. */
function hasCalled(harness: string, site: Site, since: number): boolean {
  const from = since - GRACE;
  const mark = statSync(join(livenessFolder(site), `called.${harness}`), { throwIfNoEntry: false });
  if (mark && mark.mtimeMs >= from) return true;
  return matching(join(site.store, "projects", "*", "ledger")).some((folder) => {
    for (const entry of readLedger(folder)) {
      if (Date.parse(entry.time) < from) return false;
      if (entry.harness === harness) return true;
    }
    return false;
  });
}

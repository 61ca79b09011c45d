import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { segments } from "./read.ts";

/**
 * Days that are over are sealed: one line each in `seals`, holding the hash of the day's file and
 * of everything before it. A line changed, removed or added later shows. Done when something is
 * compiled or asked, never while an event waits.
 */
interface Seal {
  readonly day: string;
  readonly sha256: string;
  readonly chain: string;
  /** Removed by age or size, by us: its absence is no sign of tampering. */
  readonly dropped?: boolean;
}

export interface Checked {
  readonly day: string;
  readonly state: "intact" | "changed" | "missing" | "dropped" | "broken chain" | "not sealed yet";
}

const KEPT_DAYS = 90;
const KEPT_BYTES = 200 * 1024 * 1024;

/** An event that began before midnight is written down with that day, minutes later. */
const LATE_MS = 15 * 60_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export function sealLedger(folder: string, today = dayOf(Date.now() - LATE_MS)): void {
  const seals = readSeals(folder);
  let chain = seals.findLast(isWhole)?.chain ?? "";
  for (const file of segments(folder)) {
    const day = file.slice(0, 10);
    if (day >= today || seals.some((seal) => seal.day === day)) continue;
    const sha256 = hashOf(join(folder, file));
    chain = link(chain, day, sha256);
    append(folder, { day, sha256, chain });
  }
  dropOld(folder, today);
}

/** Every sealed day against its file, oldest first, then the days that are still open. */
export function verifyLedger(folder: string): Checked[] {
  const seals = readSeals(folder);
  const files = segments(folder).map((file) => file.slice(0, 10));
  const dropped = new Set(seals.filter((seal) => seal.dropped).map(({ day }) => day));
  let chain = "";
  const sealed = seals
    .filter((seal) => !seal.dropped)
    .map((seal): Checked => {
      if (!isWhole(seal)) return { day: "seals", state: "broken chain" };
      chain = link(chain, seal.day, seal.sha256);
      if (chain !== seal.chain) return { day: seal.day, state: "broken chain" };
      if (dropped.has(seal.day)) return { day: seal.day, state: "dropped" };
      if (!files.includes(seal.day)) return { day: seal.day, state: "missing" };
      const same = hashOf(join(folder, `${seal.day}.jsonl`)) === seal.sha256;
      return { day: seal.day, state: same ? "intact" : "changed" };
    });
  const open = files.filter((day) => !seals.some((seal) => seal.day === day));
  return [...sealed, ...open.map((day): Checked => ({ day, state: "not sealed yet" }))];
}

const sha = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");
const hashOf = (file: string): string => sha(readFileSync(file));
const link = (chain: string, day: string, sha256: string): string =>
  sha(`${chain} ${day} ${sha256}`);

const append = (folder: string, seal: Seal): void =>
  appendFileSync(join(folder, "seals"), `${JSON.stringify(seal)}\n`);

function readSeals(folder: string): Seal[] {
  let text = "";
  try {
    text = readFileSync(join(folder, "seals"), "utf8");
  } catch {}
  // The same line twice in a row: two worktrees have sealed the same day at the same moment.
  const lines = text.split("\n").filter((line, at, all) => line !== "" && line !== all[at - 1]);
  return lines.map(parsed);
}

const NO_SEAL: Seal = { day: "", sha256: "", chain: "" };

/** A line that is none is no reason to believe that nothing was sealed. */
function parsed(line: string): Seal {
  try {
    return { ...NO_SEAL, ...(JSON.parse(line) as Partial<Seal>) };
  } catch {
    return NO_SEAL;
  }
}

const isWhole = ({ day }: Seal): boolean => day !== "";

/** Capped by age and by size; what goes is said in the chain. */
function dropOld(folder: string, today: string): void {
  const limit = new Date(Date.parse(today) - KEPT_DAYS * 86_400_000).toISOString().slice(0, 10);
  const seals = readSeals(folder);
  let bytes = 0;
  for (const file of segments(folder).toReversed()) {
    bytes += statSync(join(folder, file)).size;
    const seal = seals.find(({ day }) => day === file.slice(0, 10));
    if (!seal || (seal.day >= limit && bytes <= KEPT_BYTES)) continue;
    append(folder, { ...seal, dropped: true });
    rmSync(join(folder, file), { force: true });
  }
}

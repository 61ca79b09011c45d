import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { liveness, livenessFolder, type Silent } from "./liveness.ts";
import { missed, type Missed } from "./missed.ts";
import type { Site } from "./site.ts";

/** Who was silent, and which hooks were missed in one project. */
export interface Findings {
  readonly silent: readonly Silent[];
  readonly missed: readonly Missed[];
}

export const findings = async (
  adapters: readonly Adapter[],
  site: Site,
  project: string,
): Promise<Findings> => ({
  silent: await liveness(adapters, site),
  missed: await missed(adapters, site, project),
});

export const silentText = ({ title, harness }: Silent, when: string): string =>
  `${title} is connected and had a session ${when}, but called nothing: anyhook prove --harness ${harness}`;

export const missedText = ({ hook, event, title, why, harness }: Missed, when: string): string =>
  `${hook} should have run at ${event} in ${title} ${when}, and did not (${why}): anyhook prove --harness ${harness} --event ${event}`;

/** Where an event does not come, all its hooks are missed: one line for them. */
export function grouped(lost: readonly Missed[]): Missed[] {
  const groups = new Map<string, Missed[]>();
  for (const one of lost) {
    const key = `${one.harness} ${one.event} ${one.why}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((all) => ({ ...all[0]!, hook: named(all) }));
}

function named(all: readonly Missed[]): string {
  const names = all.map(({ hook }) => hook);
  return names.length <= 3
    ? names.join(", ")
    : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}

/**
 * What is new waits in `found`, one line each, until a session begins whose harness shows notices:
 * shell/liveness.sh takes it. `known` holds what was found before, so that it is said once; what is
 * no longer so is forgotten, and would be said again.
 */
export function keepFindings(site: Site, at: string, { silent, missed: lost }: Findings): void {
  // Whoever took the store away meanwhile does not want it back.
  if (!existsSync(site.store)) return;
  // Empty is the place of what is true everywhere.
  const [folder, root] = [livenessFolder(site), at || "/"];
  const now: [string, string][] = [
    ...silent.map((one): [string, string] => [keyOf(one.harness), silentText(one, on(one.at))]),
    ...grouped(lost).map((one): [string, string] => [
      keyOf(root, one.harness, one.event, one.hook),
      missedText(one, `${on(one.at)} in ${root}`),
    ]),
  ];
  const [known, waiting] = [linesOf(folder, "known"), linesOf(folder, "found")];
  const isStill = ([key]: readonly [string, string]): boolean => now.some(([one]) => one === key);
  // What was missed in another project is not looked for here.
  const others = known.filter(
    ([key, where]) => where !== "" && where !== root && !isStill([key, ""]),
  );
  const fresh = now.filter(([key]) => !known.some(([one]) => one === key));
  const kept = waiting.filter((one) => isStill(one) || others.some(([key]) => key === one[0]));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lostKeys = new Set(now.slice(silent.length).map(([key]) => key));
  put(folder, "known", [
    ...others,
    ...now.map(([key]): [string, string] => [key, lostKeys.has(key) ? root : ""]),
  ]);
  put(folder, "found", [...kept, ...fresh]);
}

const keyOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 16);

/** Read at another time than it is written. */
const on = (at: Date): string => `on ${at.toISOString().slice(0, 16).replace("T", " at ")} UTC`;

function linesOf(folder: string, name: string): (readonly [string, string])[] {
  try {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    return lines
      .filter((line) => line.includes("\t"))
      .map((line) => [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)]);
  } catch {
    return [];
  }
}

function put(folder: string, name: string, lines: readonly (readonly [string, string])[]): void {
  const file = join(folder, name);
  if (lines.length === 0) return rmSync(file, { force: true });
  const text = lines.map(([key, rest]) => `${key}\t${rest.replace(/[\t\n\r]+/g, " ")}\n`).join("");
  writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}

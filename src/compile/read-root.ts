import { join as pathOf } from "node:path";
import type { Diagnostic } from "../model.ts";
import { type Found, discover } from "./discover.ts";
import type { Draft, DraftReading, Place } from "./draft.ts";
import type { LayerSettings } from "./event-settings.ts";
import { reportOn } from "./fields.ts";
import { Unfit } from "./file-text.ts";
import { inspectModules } from "./inspect-module.ts";
import { stem } from "./names.ts";
import { sourceList } from "./source-list.ts";
import { roleOf, sourceModule } from "./source-module.ts";
import { type SystemNode, sourceNode } from "./source-node.ts";
import { sourceScript } from "./source-script.ts";
import { sourceSettings } from "./source-settings.ts";

/** Everything one root says. */
export interface RootReading {
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
  readonly settings: readonly LayerSettings[];
  readonly system: readonly SystemNode[];
  /** Files of which nothing could be understood. */
  readonly failed: readonly string[];
  /** Files below hooks/ that are a hook only if they say so. */
  readonly candidates: readonly string[];
  /** Files elsewhere that could be scripts. */
  readonly elsewhere: readonly string[];
}

type Reader = (file: string, place: Place) => Promise<DraftReading & Partial<Extras>>;

interface Extras {
  readonly settings: LayerSettings["settings"];
  readonly system: readonly SystemNode[];
}

/** Reads all files of a root; `skip` are other roots that lie inside it. */
export async function readRoot(place: Place, skip: readonly string[]): Promise<RootReading> {
  const found = discover(place, skip);
  const roles = new Map(found.modules.map((file) => [file, roleOf(file)] as const));
  const withRole = (role: string): string[] =>
    found.modules.filter((file) => roles.get(file) === role);
  await inspectModules(withRole("module"), place);
  const work: [Reader, readonly string[]][] = [
    [sourceSettings, found.settings],
    [sourceList, found.lists],
    [sourceNode, found.nodes],
    [sourceScript, [...found.scripts, ...withRole("script")]],
    [sourceModule, withRole("module")],
  ];
  const readings = work.flatMap(([read, files]) =>
    files.map(async (file) => ({ file, ...(await readSafely(read, file, place)) })),
  );
  return join(await Promise.all(readings), place, found);
}

/** Whatever is wrong with one file must not take the others with it. */
async function readSafely(read: Reader, file: string, place: Place): ReturnType<Reader> {
  try {
    return await read(file, place);
  } catch (cause) {
    const isHook = read === sourceScript || read === sourceModule;
    const report = reportOn(file, isHook ? stem(file) : "");
    report.say("error", 0, "unreadable", ...troubleWith(cause));
    return { definitions: [], diagnostics: report.diagnostics, failed: true };
  }
}

function troubleWith(cause: unknown): [message: string, hint: string] {
  const { message, hint } = cause as Partial<Unfit>;
  if (cause instanceof Unfit) return [message!, hint!];
  if (typeof (cause as NodeJS.ErrnoException).syscall === "string")
    return [`cannot be read: ${message}`, "check the file's permissions"];
  return [`cannot be understood: ${message ?? String(cause)}`, "simplify the file"];
}

type Reading = Awaited<ReturnType<Reader>> & { readonly file: string };

function join(readings: readonly Reading[], place: Place, found: Found): RootReading {
  const { layer, root } = place;
  return {
    drafts: readings.flatMap((reading) => reading.definitions),
    diagnostics: [
      ...closedFolders(found),
      ...severalLists(found),
      ...readings.flatMap((reading) => reading.diagnostics),
    ],
    settings: readings.flatMap(({ settings, file }) =>
      settings ? [{ layer, root, file, settings }] : [],
    ),
    system: layer === "project" ? readings.flatMap(({ system }) => system ?? []) : [],
    failed: [
      ...readings.filter((reading) => reading.failed).map((reading) => reading.file),
      ...found.closed,
      ...(found.closed.includes(root) ? [pathOf(root, "settings.json")] : []),
    ],
    candidates: [...found.scripts, ...found.modules],
    elsewhere: found.elsewhere,
  };
}

/** What is in it stays in force as it was; nobody knows what it says now. */
function closedFolders({ closed }: Found): Diagnostic[] {
  return closed.flatMap((folder) => {
    const report = reportOn(folder, "");
    const hint = "check the folder's owner and permissions";
    report.say("error", 0, "unreadable", "the folder cannot be read", hint);
    return report.diagnostics;
  });
}

function severalLists({ lists }: Found): Diagnostic[] {
  const [first, ...others] = lists;
  return others.flatMap((file) => {
    const report = reportOn(file, "");
    report.say(
      "warning",
      0,
      "several-lists",
      `${first} is there as well; both are read`,
      "put the hooks into one file",
    );
    return report.diagnostics;
  });
}

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** The floor plan as rules over the text of the sources; `files` maps src/… to its text. */
export type Sources = Readonly<Record<string, string>>;

export interface Import {
  readonly from: string;
  /** src/… for one of our files, node:…, or the name of a package. */
  readonly to: string;
  /** Types leave no trace in the bundle. */
  readonly typeOnly: boolean;
  /** Loaded later, by `import()`. */
  readonly dynamic: boolean;
}

export const HOT_ROOMS = ["dispatch", "handlers", "adapters", "library", "resident"] as const;
export const HOT_FILES = ["authoring", "model", "events", "fault", "version"] as const;
const MOST_LINES = 250;
const NOT_USED = /manager|service|util|helper|common|misc/i;

/** Where a harness's id may stand beside its own adapter, and why. */
export const MAY_NAME_A_HARNESS: Readonly<Record<string, string>> = {
  "src/cli/_facts-lifecycle.ts": "a verb is called after the harness for which it stands in",
  "src/cli/demo-payloads.ts": "the demonstration plays harnesses, in their own words",
};

export function sourcesBelow(root: string): Sources {
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".ts")).map((name) => posix.join("src", name));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

const STATIC = /^\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?["']([^"']+)["']/gm;
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']\s*\)/g;

export function importsOf(sources: Sources): Import[] {
  return Object.entries(sources).flatMap(([from, text]) => [
    ...[...text.matchAll(STATIC)].map(([, type, to]) =>
      found(from, to!, type !== undefined, false),
    ),
    ...[...text.matchAll(DYNAMIC)].map(([, to]) => found(from, to!, false, true)),
  ]);
}

const found = (from: string, to: string, typeOnly: boolean, dynamic: boolean): Import => ({
  from,
  to: to.startsWith(".") ? posix.join(dirname(from), to) : to,
  typeOnly,
  dynamic,
});

const roomOf = (file: string): string => /^src\/([^/]+)\//.exec(file)?.[1] ?? "";

const isHot = (file: string): boolean =>
  (HOT_ROOMS as readonly string[]).includes(roomOf(file)) ||
  HOT_FILES.some((name) => file === `src/${name}.ts`);

const isOurs = (to: string): boolean => to.startsWith("src/");
const isNode = (to: string): boolean => to.startsWith("node:");
const isPackage = (to: string): boolean => !isOurs(to) && !isNode(to);

/** Every way in which the sources break the floor plan, as sentences. */
export function violations(
  sources: Sources,
  harnessIds: readonly string[],
  excepted: readonly string[] = Object.keys(MAY_NAME_A_HARNESS),
): string[] {
  return [
    ...importsOf(sources).flatMap(badImport),
    ...Object.entries(sources).flatMap(([file, text]) =>
      badFile(file, text, excepted.includes(file) ? [] : harnessIds),
    ),
  ];
}

function badImport({ from, to, typeOnly }: Import): string[] {
  const wrong = (why: string): string => `${from} imports ${to}: ${why}`;
  const found: string[] = [];
  if (isHot(from) && isPackage(to)) found.push(wrong("the hot floor has no dependencies"));
  if (isHot(from) && isOurs(to) && !isHot(to) && !typeOnly)
    found.push(wrong("the hot floor does not start the cold one"));
  if (roomOf(from) === "adapters" && isNode(to)) found.push(wrong("an adapter is pure"));
  if (roomOf(to) === "cli" && roomOf(from) !== "cli") found.push(wrong("nobody imports cli"));
  if (to === "src/dispatch/entry.ts") found.push(wrong("nobody imports entry"));
  if (isOurs(to) && !to.endsWith(".ts")) found.push(wrong("the extension is missing"));
  return found;
}

/** What it says and hears; and, apart from that, how it is started. */
const isAbout = (file: string, id: string): boolean =>
  file === `src/adapters/${id}.ts` || file === `src/prove/clients/${id}.ts`;

function badFile(file: string, text: string, harnessIds: readonly string[]): string[] {
  const lines = text.split("\n").length - 1;
  const name = file.split("/").at(-1)!;
  const named = harnessIds.filter((id) => !isAbout(file, id) && literals(text).has(id));
  return [
    ...(lines > MOST_LINES ? [`${file} has ${lines} lines: ${MOST_LINES} at most`] : []),
    ...(NOT_USED.test(name) ? [`${file}: not a word that says what it is`] : []),
    ...named.map((id) => `${file} names ${id}: only its adapter and its driver may`),
  ];
}

function literals(text: string): Set<string> {
  return new Set([...text.matchAll(/(["'`])([\w-]+)\1/g)].map(([, , literal]) => literal!));
}

import type { Memory } from "./_memory.ts";
import type { Database } from "./database.ts";
import { COLUMNS, memoryOf } from "./memories.ts";
import { databasesOf, type Store } from "./store.ts";
import { placesOf } from "./terms.ts";

/** Where the session stands. */
export interface Surroundings {
  /** Relative to the project. */
  readonly folder: string;
  readonly branch: string;
  readonly changed: readonly string[];
}

/** How many are looked at: the newest, and those that mention where we are. */
const NEWEST = 150;
const NEARBY = 100;

/** Accepted memories by how much they matter here, best first; the same every time. */
export function relevant(store: Store, here: Surroundings): { memories: Memory[]; total: number } {
  let total = 0;
  const found = databasesOf(store).flatMap(([prefix, database]) => {
    total += Number(
      database.get("SELECT count(*) AS n FROM memories WHERE status = 'accepted'")?.["n"] ?? 0,
    );
    return considered(database, here).map((row) => memoryOf(row, prefix));
  });
  const times = found.map(({ at }) => at).toSorted();
  const scored = found
    .filter((memory) => appliesTo(memory, here))
    .map((memory) => ({ memory, score: scoreOf(memory, here, times) }));
  scored.sort(
    (a, b) =>
      b.score - a.score || compare(b.memory.at, a.memory.at) || compare(a.memory.ref, b.memory.ref),
  );
  return { memories: scored.map(({ memory }) => memory), total };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function considered(database: Database, here: Surroundings) {
  const newest = database.all(
    `SELECT ${COLUMNS} FROM memories m WHERE status = 'accepted' ORDER BY at DESC, id DESC LIMIT ${NEWEST}`,
  );
  const words = placesOf([here.folder, ...here.changed.slice(0, 20)]).slice(0, 30);
  if (words.length === 0) return newest;
  const near = database.all(
    `SELECT ${COLUMNS} FROM words w JOIN memories m ON m.id = w.rowid
     WHERE words MATCH ? AND m.status = 'accepted' ORDER BY bm25(words, 0.5, 0, 1.0), m.id LIMIT ${NEARBY}`,
    `{stems places} : (${words.map((word) => `"${word}"`).join(" OR ")})`,
  );
  const seen = new Set(newest.map(({ id }) => id));
  return [...newest, ...near.filter(({ id }) => !seen.has(id))];
}

const WEIGHT = {
  constraint: 1,
  decision: 0.9,
  preference: 0.85,
  remember: 0.7,
  page: 0.6,
  incident: 0.55,
};

/** What was said for one branch holds on that branch only. */
const appliesTo = ({ scope }: Memory, { branch }: Surroundings): boolean =>
  !scope.startsWith("branch:") || scope === `branch:${branch}`;

function scoreOf(memory: Memory, here: Surroundings, times: readonly string[]): number {
  const rank = times.length < 2 ? 1 : times.lastIndexOf(memory.at) / (times.length - 1);
  const isBranch = memory.branch !== "" && memory.branch === here.branch;
  return (
    WEIGHT[memory.kind] +
    0.5 * rank +
    nearness(memory, here) +
    (isBranch ? 0.15 : 0) +
    (memory.author === "user" ? 0.1 : 0) +
    Math.min(0.2, 0.05 * (memory.seen - 1))
  );
}

/** Its scope, its files or its folder are where we are; a scope elsewhere speaks against it. */
function nearness(
  { scope, paths, folder }: Memory,
  { folder: cwd, changed }: Surroundings,
): number {
  const ours = [cwd, ...changed].filter((path) => path !== "");
  const isScoped = scope !== "project" && scope !== "user" && !scope.startsWith("branch:");
  if (isScoped) return ours.some((path) => within(path, scope) || within(scope, path)) ? 0.8 : -0.6;
  const isTouched = paths.some(
    (path) => changed.includes(path) || (cwd !== "" && within(path, cwd)),
  );
  return (isTouched ? 0.5 : 0) + (folder !== "" && folder === cwd ? 0.3 : 0);
}

const within = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Item } from "../../src/memory/_memory.ts";
import { openDatabase, type Database } from "../../src/memory/database.ts";
import { keep } from "../../src/memory/memories.ts";
import { search } from "../../src/memory/search.ts";
import type { Store } from "../../src/memory/store.ts";
import { wordsOf } from "../../src/memory/terms.ts";
import { quality, readSet } from "./_retrieval.ts";

const base = mkdtempSync(join(tmpdir(), "anyhook-retrieval-"));
const set = readSet();
const idOf = new Map<string, string>();
let store: Store;
let database: Database;

const item = (text: string, n: number): Item => ({
  ...{ kind: "remember", text, scope: "project", status: "accepted", author: "user", paths: [] },
  ...{ harness: "", session: "s", branch: "", folder: "", key: "", evidence: `e${n}` },
  // All equally old, so that only the words count.
  at: "2026-01-01T00:00:00.000Z",
});

beforeAll(async () => {
  database = await openDatabase(join(base, "memory.db"));
  const user = await openDatabase(join(base, "user.db"));
  store = { project: database, user, close: () => {} };
  // Noise first and last, so that no order of insertion helps.
  const entries = [...set.memories].toSorted(([a], [b]) => (a.length % 3) - (b.length % 3));
  const kept = database.write(() =>
    keep(
      database,
      entries.map(([, text], n) => item(text, n)),
    ),
  );
  for (const [i, { id }] of kept.entries()) idOf.set(String(id), entries[i]![0]);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** What one would write without an index: any word of the question, most words first. */
function byLike(text: string): string[] {
  const words = wordsOf(text).filter((word) => word.length > 3);
  const hits = words.map((word) => `(text LIKE '%${word}%')`).join(" + ");
  return database
    .all(`SELECT id, ${hits || "0"} AS n FROM memories WHERE n > 0 ORDER BY n DESC, id LIMIT 10`)
    .map(({ id }) => idOf.get(String(id))!);
}

const bySearch = (text: string): string[] =>
  search(store, text, { limit: 10 }).map(({ memory }) => idOf.get(memory.ref)!);

describe("retrieval, on questions that avoid the words of their answers", () => {
  test("the set is large enough and every answer exists", () => {
    expect(set.memories.size).toBeGreaterThanOrEqual(300);
    expect(set.questions.length).toBeGreaterThanOrEqual(60);
    const unknown = set.questions.flatMap(({ answers }) =>
      answers.filter((id) => !set.memories.has(id)),
    );
    expect(unknown).toEqual([]);
  });

  test.each([
    ["the set", set.questions, 0.3],
    // Easier in their words, so LIKE does better here.
    ["the held out part", set.heldOut, 0.1],
  ])("finds far more than LIKE does: %s", (name, questions, margin) => {
    const ours = quality(questions, bySearch);
    const like = quality(questions, byLike);
    const percent = (n: number): string => `${Math.round(n * 100)} %`;
    console.log(
      `${name}: ${questions.length} questions, ${set.memories.size} memories, recall@5 ${percent(ours.recallAt5)} (LIKE ${percent(like.recallAt5)}), MRR ${ours.mrr.toFixed(2)} (LIKE ${like.mrr.toFixed(2)})`,
    );
    expect(ours.recallAt5).toBeGreaterThan(like.recallAt5 + margin);
    expect(ours.mrr).toBeGreaterThan(like.mrr + margin);
  });

  test.each([
    ["a slip of the pen", "postgers for unit tests", "db8"],
    ["the beginning of a word", "partit month", "db6"],
    ["another form of the word", "how are webhook calls retrying", "api6"],
    ["an identifier in pieces", "sameSite", "auth2"],
  ])("%s", (_, question, answer) => {
    expect(bySearch(question).slice(0, 5)).toContain(answer);
    expect(bySearch("zebra giraffe okapi")).toEqual([]);
  });
});

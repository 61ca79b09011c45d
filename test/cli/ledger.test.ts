import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { costsOf } from "../../src/ledger/costs.ts";
import { type LedgerEntry, parseEntry } from "../../src/ledger/entry.ts";
import { follow } from "../../src/ledger/follow.ts";
import { readLedger } from "../../src/ledger/read.ts";
import { NO_RUNS, runsOf } from "../../src/ledger/runs.ts";

function folder(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), "anyhook-ledger-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

const line = (id: string, more: object = {}): string =>
  `${JSON.stringify({
    ...{ v: 1, time: "2026-01-02T10:00:00Z", id, harness: "codex", event: "Stop", session: "s" },
    ...{ tool: "", manifest: "m", depth: 0, lane: "shell", ms: 3, hooks: [] },
    decision: { verdict: "pass" },
    ...more,
  })}\n`;

const ids = (entries: Iterable<LedgerEntry>): string[] => [...entries].map(({ id }) => id);

test("an entry, with what was not written filled in", () => {
  const hook = { name: "a", status: "failed", exit: null, verdict: "pass", ms: 2 };
  const decision = { verdict: "deny", reason: "no", clampedFrom: "ask", unenforced: "x" };
  const { raw, ...entry } = parseEntry(line("i", { hooks: [hook], decision }))!;
  expect(entry).toEqual({
    ...{ time: "2026-01-02T10:00:00Z", id: "i", harness: "codex", event: "Stop", session: "s" },
    ...{ tool: "", manifest: "m", depth: 0, lane: "shell", ms: 3, notes: [], decision },
    hooks: [{ ...hook, reason: "", note: "", trace: [] }],
  });
  expect(raw["v"]).toBe(1);
});

test.each(["", "{", "[]", "null", '{"v":2}', '{"v":1,"event":"Stop"}', '{"v":1,"fault":"x"}'])(
  "no entry: %s",
  (text) => expect(parseEntry(text)).toBeUndefined(),
);

test("newest first, over files, and nothing but ledger files", () => {
  const dir = folder({
    "2026-01-02.jsonl": line("c") + line("d"),
    "2026-01-01.jsonl": line("a") + line("b"),
    "notes.jsonl": line("x"),
  });
  expect(ids(readLedger(dir))).toEqual(["d", "c", "b", "a"]);
  expect(ids(readLedger(join(dir, "nowhere")))).toEqual([]);
});

test("what hooks took: the median of their newest runs, skipped ones left out", () => {
  const runs = [900, 10, 30, 20].map((ms) => ({ name: "a", status: "ok", verdict: "pass", ms }));
  const idle = { name: "b", status: "skipped", verdict: "pass", ms: 0 };
  const dir = folder({
    "2026-01-01.jsonl": runs.map((hook, at) => line(String(at), { hooks: [hook, idle] })).join(""),
  });
  expect([...costsOf(readLedger(dir))]).toEqual([["a", { runs: 4, median: 30 }]]);
});

test("damaged and torn lines are passed over and counted", () => {
  const text = `${line("a")}garbage\n${line("b")}\n${line("c").slice(0, 50)}`;
  const tally = { damaged: 0 };
  expect(ids(readLedger(folder({ "2026-01-01.jsonl": text }), tally))).toEqual(["b", "a"]);
  expect(tally.damaged).toBe(2);
});

test("lines that are longer than a block, and characters on its edge", () => {
  const long = (id: string): string => line(id, { notes: ["ä€😀".repeat(20_000)] });
  const many = Array.from({ length: 2000 }, (_, at) => line(`n${at}`));
  const dir = folder({ "2026-01-01.jsonl": long("x") + many.join("") + long("y") });
  const tally = { damaged: 0 };
  const read = [...readLedger(dir, tally)];
  expect(tally.damaged).toBe(0);
  expect(ids(read)).toEqual(["y", ...many.map((_, at) => `n${1999 - at}`), "x"]);
  expect(read.at(-1)!.notes).toEqual(["ä€😀".repeat(20_000)]);
});

test("following: nothing twice, nothing lost, over midnight and a torn line", () => {
  const dir = folder({ "2026-01-01.jsonl": line("a") });
  const file = join(dir, "2026-01-01.jsonl");
  const { ends, poll } = follow(dir);
  appendFileSync(file, line("b"));
  expect(ids(readLedger(dir, undefined, ends))).toEqual(["a"]);
  expect(ids(poll())).toEqual(["b"]);
  expect(poll()).toEqual([]);
  appendFileSync(file, line("c").slice(0, 30));
  expect(poll()).toEqual([]);
  appendFileSync(file, line("c").slice(30));
  writeFileSync(join(dir, "2026-01-02.jsonl"), line("d"));
  expect(ids(poll())).toEqual(["c", "d"]);
  appendFileSync(file, line("late"));
  expect(ids(poll())).toEqual(["late"]);
  writeFileSync(file, line("new"));
  expect(ids(poll())).toEqual(["new"]);
});

test("runs: today, failures in a row, and since when", () => {
  const run = (time: string, status: string): LedgerEntry =>
    parseEntry(
      line("i", { time, hooks: [{ name: "a", status, exit: 0, verdict: "pass", ms: 1 }] }),
    )!;
  const newestFirst = [
    run("2026-01-02T12:00:00Z", "skipped"),
    run("2026-01-02T11:00:00Z", "timeout"),
    run("2026-01-02T10:00:00Z", "failed"),
    run("2026-01-01T10:00:00Z", "ok"),
    run("2026-01-01T09:00:00Z", "failed"),
    run("2026-01-01T08:00:00Z", "async"),
  ];
  const of = (entries: readonly LedgerEntry[]) =>
    runsOf(entries, new Date("2026-01-02T00:00:00Z")).get("a") ?? NO_RUNS;
  expect(of(newestFirst)).toMatchObject({
    ...{ runs: 4, today: 2, failures: 3, inARow: 2, failingSince: "2026-01-02T10:00:00Z" },
    last: { time: "2026-01-02T11:00:00Z", status: "timeout" },
  });
  expect(of(newestFirst.slice(3))).toMatchObject({ runs: 2, failures: 1, inARow: 0 });
  expect(of([newestFirst[0]!])).toEqual(NO_RUNS);
});

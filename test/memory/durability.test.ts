import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Driver from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { byRef, judge, listed } from "../../src/memory/browse.ts";
import { forget } from "../../src/memory/forget.ts";
import { readAccepted } from "../../src/memory/journal.ts";
import { keep } from "../../src/memory/memories.ts";
import { distilPages } from "../../src/memory/pages.ts";
import { openSafely } from "../../src/memory/store.ts";
import { makeProject, type Project } from "../_dispatch.ts";
import {
  bytesBelow,
  item,
  line,
  list,
  result,
  tempStore,
  texts,
  verb,
  verbLater,
} from "./_memory.ts";

let project: Project;
let made: Awaited<ReturnType<typeof tempStore>>;
beforeEach(async () => {
  project = makeProject();
  made = await tempStore();
});
afterEach(() => {
  project.remove();
  made.remove();
});

const database = (): string => join(project.layout.project, "memory/memory.db");
const prompt = (text: string, session_id = "s1") =>
  verb(project, "user-prompt", { session_id, cwd: project.root, prompt: text });
const all = { limit: 1000 };
const journalled = (): string[] => readAccepted(made.project.file).map(({ text }) => text);

test("all files of the memory are their owner's alone", () => {
  prompt("#decision use pnpm");
  for (const name of readdirSync(dirname(database())))
    expect([name, statSync(join(dirname(database()), name)).mode & 0o077]).toEqual([name, 0]);
  expect(readdirSync(dirname(database()))).toContain("memory.db");
});

describe("what was accepted comes back", () => {
  test.each([
    ["emptied", (file: string) => truncateSync(file, 0)],
    ["deleted", (file: string) => rmSync(file)],
  ])("when the file was %s", (_, damage) => {
    prompt("#decision use pnpm\n#constraint(src) no default exports");
    for (const tail of ["-wal", "-shm"]) rmSync(database() + tail, { force: true });
    damage(database());
    const told = verb(project, "session-start", { session_id: "s2", cwd: project.root });
    expect(told.stdout).toContain("use pnpm");
    expect(told.stderr).toMatch(/2 accepted memories were missing and came back from the journal/);
    expect(texts(project)).toEqual(["no default exports", "use pnpm"]);
    expect(verb(project, "session-start", { session_id: "s3", cwd: project.root }).stderr).toBe("");
  });

  test("when its log was lost, and once only", () => {
    prompt("#decision use pnpm");
    // Somebody who reads keeps the log from being written back into the file.
    const reader = new Driver(database());
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM memories").all();
    prompt("#decision review by two");
    const before = readFileSync(database());
    expect(before.includes("review by two")).toBe(false);
    reader.exec("ROLLBACK");
    reader.close();
    for (const tail of ["-wal", "-shm"]) rmSync(database() + tail, { force: true });
    writeFileSync(database(), before);
    expect(texts(project)).toEqual(["review by two", "use pnpm"]);
    expect(texts(project)).toEqual(["review by two", "use pnpm"]);
  });

  test("twenty sessions that find it damaged at once mend it once and lose nothing", async () => {
    prompt("#decision use pnpm");
    for (const tail of ["-wal", "-shm"]) rmSync(database() + tail, { force: true });
    writeFileSync(database(), "no database at all ".repeat(500));
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const change = { session_id: `s${n}`, cwd: project.root, prompt: `#remember note ${n}` };
        return verbLater(project, "user-prompt", change).ended;
      }),
    );
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 0));
    const aside = readdirSync(dirname(database())).filter((name) => /damaged-.*\d$/.test(name));
    expect(aside).toHaveLength(1);
    const wanted = ["use pnpm", ...ends.map((_, n) => `note ${n}`)].toSorted();
    for (let tries = 0; tries < 60 && texts(project).length < wanted.length; tries++) {
      verb(project, "stop", { session_id: "last", cwd: project.root });
      await sleep(200);
    }
    expect(texts(project)).toEqual(wanted);
  }, 120_000);
});

describe("what was rejected", () => {
  test("is not brought back by words from before, nor by the agent; later words of a person do", () => {
    const { project: db } = made;
    const said = item("Use yarn");
    db.write(() => keep(db, [said]));
    judge(byRef(made, "1")!, "rejected");
    expect(journalled()).toEqual([]);
    // The history of a session that was resumed, in a file of its own.
    db.write(() => keep(db, [{ ...said, session: "s2", evidence: "s2" }]));
    db.write(() => keep(db, [{ ...said, author: "assistant", at: "2099-01-01T00:00:00.000Z" }]));
    expect(listed(made, all).map(({ status }) => status)).toEqual(["rejected"]);
    expect(journalled()).toEqual([]);
    db.write(() => keep(db, [{ ...said, at: "2099-01-01T00:00:00.000Z" }]));
    expect(listed(made, all).map(({ status }) => status)).toEqual(["accepted"]);
    expect(journalled()).toEqual(["Use yarn"]);
  });

  test("does not take the same words with another scope out of the journal", () => {
    const { project: db } = made;
    db.write(() => keep(db, [item("Use yarn"), item("Use yarn", { scope: "src" })]));
    judge(byRef(made, "1")!, "rejected");
    expect(readAccepted(db.file).map(({ scope }) => scope)).toEqual(["src"]);
  });
});

describe("what was forgotten", () => {
  const words = "The Xylophone cluster moves to Quixotania";
  const leaked = /xylophon|quixotan/i;

  test("is in no page that was accepted, in no other wording, and in no half written journal", async () => {
    const { project: db, base } = made;
    const about = ["Xylophone cluster Quixotania north", "Xylophone cluster Quixotania south"];
    const guess = item("THE XYLOPHONE cluster moves, to Quixotania!", { status: "candidate" });
    db.write(() => keep(db, [guess]));
    for (const text of [...about, words])
      db.write(() =>
        distilPages(
          db,
          keep(db, [item(text)]).map(({ id }) => id),
        ),
      );
    const page = listed(made, { ...all, kind: "page" })[0]!;
    judge(byRef(made, page.ref)!, "accepted");
    writeFileSync(join(base, "memory.accepted.jsonl.123"), words);
    expect(journalled().join()).toMatch(/About .*xylophone cluster moves/is);
    for (const { id, text } of listed(made, all))
      if (text !== page.text) expect(forget(db, id, [])).toEqual({ isScrubbed: true });
    expect(bytesBelow(base)).not.toMatch(leaked);
    expect(readdirSync(base)).toContain("memory.db");
  });

  test("waits in no queue of any work tree", () => {
    prompt(`#decision ${words}`);
    const file = join(project.layout.project, "trees/+another+tree/memory/queue.jsonl");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `{"payload":${JSON.stringify(JSON.stringify({ out: words }))}}\n{"kept":1}\n`,
    );
    project.cli("memory", "forget", list(project)[0]!.id);
    expect(readFileSync(file, "utf8")).toBe('{"kept":1}\n');
    expect(bytesBelow(join(project.home, ".local/state/anyhook"))).not.toMatch(leaked);
  });

  test("leaves the log as soon as nobody reads it any more", async () => {
    prompt(`#decision ${words}`);
    const reader = new Driver(database());
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM memories").all();
    const { stdout } = project.cli("memory", "forget", "1", "--json");
    expect(JSON.parse(stdout)).toEqual({ id: "1", forgotten: true, scrubbed: false });
    reader.exec("ROLLBACK");
    reader.close();
    verb(project, "stop", { session_id: "s2", cwd: project.root });
    expect(bytesBelow(dirname(database()))).not.toMatch(leaked);
    const after = await openSafely(database(), () => {});
    expect(after.all("SELECT name FROM facts ORDER BY 1").map(({ name }) => name)).not.toContain(
      "scrub",
    );
    after.close();
  });
});

test("a transcript that was written anew with the same beginning is read from its start", () => {
  const head = Array.from({ length: 30 }, () => result("the same output of the same tool"));
  const file = join(project.base, "t.jsonl");
  const stop = (...lines: string[]): void => {
    writeFileSync(file, [...head, ...lines].join(""));
    verb(project, "stop", { session_id: "s1", cwd: project.root, transcript_path: file });
  };
  stop(line("user", "Please go on"));
  stop(line("user", "#decision one"), line("user", "Please go on and on"));
  expect(texts(project)).toEqual(["one"]);
});

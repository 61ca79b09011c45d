import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Driver from "libsql";
import { afterEach, describe, expect, test } from "vitest";
import { byRef, judge, listed } from "../../src/memory/browse.ts";
import { openDatabase } from "../../src/memory/database.ts";
import { forget } from "../../src/memory/forget.ts";
import { keepSignals, incidents } from "../../src/memory/incidents.ts";
import { keep } from "../../src/memory/memories.ts";
import { append } from "../../src/memory/queue.ts";
import { MIGRATIONS } from "../../src/memory/schema.ts";
import { search } from "../../src/memory/search.ts";
import { openSafely } from "../../src/memory/store.ts";
import { distilPages } from "../../src/memory/pages.ts";
import { bytesBelow, item, tempStore } from "./_memory.ts";

const bases: string[] = [];
afterEach(() => {
  for (const base of bases.splice(0)) rmSync(base, { recursive: true, force: true });
});
const temp = (): string => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-store-")));
  bases.push(base);
  return base;
};
const store = async () => {
  const made = await tempStore();
  bases.push(made.base);
  return made;
};
const all = { limit: 1000 };

describe("keeping", () => {
  test("the same thing again is evidence, not another memory", async () => {
    const { project, ...rest } = await store();
    const one = item("Use pnpm, never npm");
    project.write(() => keep(project, [one, one]));
    project.write(() => keep(project, [one, item("use PNPM never npm.", { evidence: "later" })]));
    project.write(() => keep(project, [item("Use pnpm, never npm", { scope: "src" })]));
    const seen = listed({ project, ...rest }, all).map(({ text, scope, seen }) => ({
      text,
      scope,
      seen,
    }));
    expect(seen.toSorted((a, b) => b.seen - a.seen)).toEqual([
      { text: "Use pnpm, never npm", scope: "project", seen: 2 },
      { text: "Use pnpm, never npm", scope: "src", seen: 1 },
    ]);
  });

  test("tagged is accepted, extracted a candidate; a tag accepts it, and what was rejected stays so", async () => {
    const made = await store();
    const { project } = made;
    const guess = item("We never squash", { status: "candidate", author: "anyhook" });
    project.write(() => keep(project, [guess, item("Other thing", { status: "candidate" })]));
    expect(listed(made, all).map(({ status }) => status)).toEqual(["candidate", "candidate"]);
    project.write(() => keep(project, [item("We never squash")]));
    const other = listed(made, all).find(({ text }) => text === "Other thing")!;
    judge(byRef(made, other.ref)!, "rejected");
    project.write(() =>
      keep(project, [item("Other thing", { status: "candidate", evidence: "again" })]),
    );
    const now = Object.fromEntries(listed(made, all).map(({ text, status }) => [text, status]));
    expect(now).toEqual({ "We never squash": "accepted", "Other thing": "rejected" });
  });

  test("repeated failures and thrown away edits become candidates, once however often they are read", async () => {
    const made = await store();
    const { project } = made;
    const signal = (id: string, change: object) => ({
      ...{ id, at: `2026-01-01T00:00:0${id}Z`, session: "s1", harness: "h", tool: "Bash", cwd: "" },
      ...{
        outcome: "failed" as const,
        subject: "npm test",
        detail: "Error: no database",
        paths: [],
      },
      ...change,
    });
    const signals = [
      // What the hook was told, and then what the transcript knows.
      signal("1", { outcome: "ok" }),
      signal("1", {}),
      signal("2", {}),
      signal("3", { subject: "ls", detail: "" }),
      signal("4", { tool: "Edit", outcome: "ok", subject: "src/a.ts", paths: ["src/a.ts"] }),
      signal("5", { outcome: "ok", subject: "git checkout -- src/a.ts" }),
    ];
    for (let again = 0; again < 2; again++)
      project.write(() => {
        keepSignals(project, signals);
        keep(project, incidents(project, ["s1"], { harness: "h", branch: "", folder: "" }));
      });
    const found = listed(made, all).map(({ text, status, kind }) => ({ text, status, kind }));
    expect(found.toSorted((a, b) => (a.text < b.text ? -1 : 1))).toEqual([
      { text: "Edits of src/a.ts were taken back", status: "candidate", kind: "incident" },
      {
        text: "`npm test` failed 2 times in one session: Error: no database",
        status: "candidate",
        kind: "incident",
      },
    ]);
  });

  test("related memories become one candidate page; a forgotten one takes the page with it", async () => {
    const made = await store();
    const { project } = made;
    const about = [
      "queue broker certificate expired",
      "queue broker certificate is renewed by cron",
      "queue broker certificate lives in vault",
    ];
    const noise = ["tabs are two spaces", "reviews need one approval", "icons are sprites"];
    for (const text of [...noise, ...about])
      project.write(() =>
        distilPages(
          project,
          keep(project, [item(text)]).map(({ id }) => id),
        ),
      );
    const pages = listed(made, { ...all, kind: "page" });
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ status: "candidate", author: "anyhook" });
    for (const text of about) expect(pages[0]!.text).toContain(text);
    for (const text of noise) expect(pages[0]!.text).not.toContain(text);
    const [hit] = search(made, "certificate in vault");
    forget(project, listed(made, all).find(({ text }) => text === about[2])!.id, [
      join(made.base, "run"),
    ]);
    expect(hit!.memory.text).toBe(about[2]);
    expect(listed(made, { ...all, kind: "page" })).toEqual([]);
  });
});

describe("forgetting", () => {
  test("really removes: no file of the store has the words any more", async () => {
    const made = await store();
    const { project, base } = made;
    const text = "The Xylophone cluster moves to Quixotania in spring";
    project.write(() =>
      keep(project, [item("Use pnpm"), item(text, { at: "2026-01-02T00:00:00.000Z" })]),
    );
    append(join(base, "run"), {
      ...{
        v: 1,
        recorded_at: "",
        id: "1",
        call: "",
        session: "s",
        harness: "h",
        event: "e",
        tool: "t",
      },
      ...{
        cwd: "/",
        paths: [],
        outcome: "ok",
        subject: "",
        payload: JSON.stringify({ out: text }),
      },
    });
    writeFileSync(`${project.file}.damaged-1`, text);
    const leaked = /xylophon|quixotan/i;
    expect(bytesBelow(base)).toMatch(leaked);
    const { id } = listed(made, all).find((one) => one.text === text)!;
    expect(forget(project, id, [join(base, "run")])).toEqual({ isScrubbed: true });
    expect(bytesBelow(base)).not.toMatch(leaked);
    expect(listed(made, all).map((one) => one.text)).toEqual(["Use pnpm"]);
    expect(forget(project, id, [join(base, "run")])).toBeUndefined();
  });

  test("the same transcript does not bring it back; a person who says it again does", async () => {
    const made = await store();
    const { project, base } = made;
    const old = item("Use yarn");
    project.write(() => keep(project, [old]));
    forget(project, listed(made, all)[0]!.id, [join(base, "run")]);
    project.write(() => keep(project, [old]));
    expect(listed(made, all)).toEqual([]);
    project.write(() => keep(project, [{ ...old, at: "2099-01-01T00:00:00.000Z" }]));
    expect(listed(made, all).map(({ text }) => text)).toEqual(["Use yarn"]);
  });
});

describe("the file", () => {
  test("of the first version is migrated, with all it has", async () => {
    const file = join(temp(), "memory.db");
    const old = new Driver(file);
    old.exec(MIGRATIONS[0]!);
    old.exec("PRAGMA user_version=1");
    old.exec(
      "INSERT INTO memories (uid, kind, text, scope, status, author, harness, session, branch, folder, paths, at) VALUES ('u','decision','Use pnpm workspaces','project','accepted','user','h','s','main','','','2026-01-01T00:00:00.000Z')",
    );
    old.close();
    const project = await openSafely(file, () => {});
    const made = { project, user: await openDatabase(`${file}.user`), close: () => {} };
    expect(project.get("PRAGMA user_version")?.["user_version"]).toBe(MIGRATIONS.length);
    expect(search(made, "pnpm workspace").map(({ memory }) => memory.text)).toEqual([
      "Use pnpm workspaces",
    ]);
    expect(project.all("SELECT * FROM forgotten")).toEqual([]);
  });

  test("of a newer version is refused and left as it is", async () => {
    const file = join(temp(), "memory.db");
    const newer = new Driver(file);
    newer.exec(
      "CREATE TABLE precious (a); INSERT INTO precious VALUES (1); PRAGMA user_version=99",
    );
    newer.close();
    await expect(openSafely(file, () => {})).rejects.toThrow(
      /newer anyhook.*version 99.*left as it is/,
    );
    const again = new Driver(file);
    expect(again.prepare("SELECT a FROM precious").all()).toMatchObject([{ a: 1 }]);
  });

  test.each([
    [
      "overwritten",
      (file: string) => writeFileSync(file, "this is no database at all".repeat(500)),
    ],
    [
      "half overwritten",
      (file: string) =>
        execFileSync(
          "dd",
          [`if=/dev/zero`, `of=${file}`, "bs=4096", "seek=1", "count=12", "conv=notrunc"],
          { stdio: "ignore" },
        ),
    ],
  ])("that was %s is set aside, and what was accepted comes back", async (_, damage) => {
    const base = temp();
    const file = join(base, "memory.db");
    const before = await openSafely(file, () => {});
    before.write(() =>
      keep(before, [item("Use pnpm"), item("Guess", { status: "candidate" }), item("Never push")]),
    );
    before.all("PRAGMA wal_checkpoint(TRUNCATE)");
    before.close();
    for (const tail of ["-wal", "-shm"]) rmSync(file + tail, { force: true });
    damage(file);
    const said: string[] = [];
    const after = await openSafely(file, (text) => said.push(text));
    const made = {
      project: after,
      user: await openDatabase(join(base, "user.db")),
      close: () => {},
    };
    expect(
      listed(made, all)
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(["Never push", "Use pnpm"]);
    expect(said).toEqual([
      expect.stringMatching(/set aside as .*memory\.db\.damaged-.*2 accepted memories restored/),
    ]);
    expect(readdirSync(base).some((name) => name.startsWith("memory.db.damaged-"))).toBe(true);
  });

  test("in the tree on request, and then git does not see it", async () => {
    const { placeOf, projectRuntimeDir } = await import("../../src/memory/place.ts");
    const root = join(temp(), "shop");
    mkdirSync(join(root, ".anyhook"), { recursive: true });
    execFileSync("git", ["init", "-q", root]);
    const env = { HOME: temp(), PATH: process.env["PATH"] };
    expect(projectRuntimeDir(placeOf(root, env), env)).toContain(env.HOME);
    expect(existsSync(join(root, ".spool"))).toBe(false);
    writeFileSync(
      join(root, ".anyhook/settings.json"),
      '{ "memory": { "runtime": "tree" } } // yes',
    );
    expect(projectRuntimeDir(placeOf(root, env), env)).toBe(join(root, ".spool"));
    writeFileSync(join(root, ".spool/queue.jsonl"), "x");
    const status = execFileSync("git", ["-C", root, "status", "--porcelain"], { encoding: "utf8" });
    expect(status).toBe("?? .anyhook/\n");
  });
});

import { cpSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeProject, REPO, type Project } from "../_dispatch.ts";
import { bytesBelow, list, texts } from "../memory/_memory.ts";

let project: Project;
beforeEach(() => (project = makeProject()));
afterEach(() => project.remove());

const recorded = (harness: string): string =>
  join(REPO, "test/fixtures", harness, "transcripts/session.jsonl");
const run = (...args: string[]): string => {
  const { stdout, stderr, status } = project.cli(...args);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
};
const json = (...args: string[]): unknown => JSON.parse(run(...args, "--json"));

describe.each(["claude-code", "codex"])("without hooks, after a session of %s", (harness) => {
  test("forge takes from the transcript what is in it, once", () => {
    const first = json("forge", "transcript", recorded(harness));
    expect(first).toMatchObject({ accepted: 2, candidates: 2, signals: 2, damaged: 0, dropped: 0 });
    expect(
      list(project)
        .map(({ kind, text, status }) => `${kind} ${status}: ${text}`)
        .toSorted(),
    ).toEqual([
      "decision accepted: the API talks JSON over HTTP, never XML",
      "incident candidate: `echo one; exit 3` failed 2 times in one session: " +
        (harness === "codex" ? "Process exited with code 3" : "Exit code 3"),
      "preference candidate: No, do not use npm, use pnpm instead.",
      "remember accepted: the test database listens on port 5433",
    ]);
    expect(json("forge", "transcript", recorded(harness))).toMatchObject({
      accepted: 0,
      candidates: 0,
      signals: 0,
    });
    expect(run("inject")).toContain("the API talks JSON over HTTP, never XML");
  });

  test("the newest transcript of this folder is found", () => {
    const folder =
      harness === "codex"
        ? ".codex/sessions/2026/11/15"
        : `.claude/projects/${project.root.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
    const file = join(project.home, folder, "rollout-01a1ded2-22fa-7002-98f9-a506bf2896dd.jsonl");
    mkdirSync(dirname(file), { recursive: true });
    expect(project.cli("forge", "transcript").status).toBe(1);
    cpSync(recorded(harness), file);
    if (harness === "codex")
      writeFileSync(file, bytesBelow(dirname(file)).replaceAll("/home/dev/shop", project.root));
    expect(json("flywheel", "close-loop")).toMatchObject({ transcript: file, accepted: 2 });
    expect(list(project).map(({ text }) => text)).toContain(
      "the test database listens on port 5433",
    );
  });
});

test("the transcript that counts: the flag's, then the payload's, then the newest", () => {
  const files = Object.fromEntries(
    ["flag", "payload", "newest"].map((name) => {
      const folder =
        name === "newest"
          ? join(project.home, ".claude/projects", project.root.replaceAll(/[^A-Za-z0-9]/g, "-"))
          : project.base;
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `${name}.jsonl`),
        `{"role":"user","content":"#remember from the ${name}"}\n`,
      );
      return [name, join(folder, `${name}.jsonl`)] as const;
    }),
  );
  utimesSync(files["newest"]!, new Date(), new Date());
  const file = join(project.base, "in.json");
  const stop = (payload: object, ...flags: string[]): void => {
    writeFileSync(file, JSON.stringify({ cwd: project.root, session_id: "s", ...payload }));
    run("hook", "stop", "--payload", file, ...flags);
  };
  stop({ transcript_path: files["payload"] }, "--transcript", files["flag"]!);
  expect(texts(project)).toEqual(["from the flag"]);
  stop({ transcript_path: files["payload"] });
  expect(texts(project)).toEqual(["from the flag", "from the payload"]);
  stop({});
  expect(texts(project)).toEqual(["from the flag", "from the newest", "from the payload"]);
});

describe("memory", () => {
  beforeEach(() => {
    run("hook", "user-prompt", "--session", "s1", "--prompt", "#decision use pnpm, never npm");
    run("forge", "transcript", recorded("codex"));
  });
  const idOf = (part: string): string => list(project).find(({ text }) => text.includes(part))!.id;

  test("list, search and show", () => {
    expect(run("memory", "list")).toMatch(/^1 +decision +\S.* use pnpm, never npm$/m);
    expect(texts(project, "--status", "candidate")).toHaveLength(2);
    expect(texts(project, "--kind", "decision")).toHaveLength(2);
    const { memories } = json("memory", "search", "which", "package", "manager") as {
      memories: { text: string }[];
    };
    expect(memories[0]).toMatchObject({ text: "use pnpm, never npm" });
    expect(project.cli("memory", "search", "zebra").status).toBe(1);
    expect(json("memory", "show", "1")).toMatchObject({
      ...{
        id: "1",
        kind: "decision",
        text: "use pnpm, never npm",
        status: "accepted",
        author: "user",
        session: "s1",
      },
    });
    expect(run("memory", "show", "1")).toContain("use pnpm, never npm");
    expect(project.cli("memory", "show", "99")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("memory list"),
    });
  });

  test("accept and reject decide about candidates", () => {
    expect(run("inject")).not.toContain("use pnpm instead");
    run("memory", "accept", idOf("use pnpm instead"));
    run("memory", "reject", idOf("failed 2 times"));
    expect(run("inject")).toContain("use pnpm instead");
    expect(texts(project, "--status", "candidate")).toEqual([]);
    expect(texts(project, "--status", "rejected")).toHaveLength(1);
  });

  test("forget leaves nothing in the store", () => {
    const store = join(project.home, ".local/state/anyhook");
    expect(bytesBelow(store)).toContain("port 5433");
    run("memory", "forget", idOf("5433"));
    expect(bytesBelow(store)).not.toContain("5433");
    expect(texts(project).join()).toContain("use pnpm");
  });

  test("stats and export", () => {
    expect(json("memory", "stats")).toMatchObject({
      project: { byStatus: { accepted: 3, candidate: 2 } },
      queued: 0,
    });
    expect(run("memory", "stats")).toContain("3 accepted");
    const lines = run("memory", "export").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { text: string }).text).toSorted()).toEqual(
      texts(project),
    );
  });

  test("several at once, or none when one of them is not there", () => {
    const ids = list(project, "--status", "candidate").map(({ id }) => id);
    expect(project.cli("memory", "accept", ...ids, "99")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("no memory 99"),
    });
    expect(texts(project, "--status", "candidate")).toHaveLength(2);
    expect(json("memory", "accept", ...ids)).toEqual({ ids, status: "accepted" });
    expect(texts(project, "--status", "candidate")).toEqual([]);
    expect(json("memory", "forget", ...ids)).toEqual({ ids, forgotten: true, scrubbed: true });
    expect(texts(project)).toHaveLength(3);
  });

  test("a project that moved takes its memory along", () => {
    const before = texts(project);
    const moved = join(project.base, "moved");
    renameSync(project.root, moved);
    const there = (...args: string[]) => project.cli("-C", moved, "memory", ...args);
    mkdirSync(project.root);
    expect(there("list").stdout).toBe("Nothing.\n");
    expect(there("adopt", join(project.base, "nowhere"))).toMatchObject({ status: 3 });
    expect(there("adopt", project.root).stdout).toContain("Taken over: 3 accepted, 2 candidates.");
    expect(there("adopt", project.root).stdout).toContain("Taken over: 0 accepted, 0 candidates.");
    const { memories } = JSON.parse(there("list", "--json").stdout) as {
      memories: { text: string }[];
    };
    expect(memories.map(({ text }) => text).toSorted()).toEqual(before);
  });

  test.each([
    [["memory", "list", "--status", "candidat"], 2, "did you mean candidate?"],
    [["memory", "list", "--kind", "zzz"], 2, "one of constraint, decision"],
    [["forge"], 2, "forge needs transcript"],
    [["memory", "lst"], 2, "did you mean list?"],
    [["memory", "show"], 2, "needs the id of a memory"],
    [["memory", "list", "-n", "none"], 2, "is no number"],
    [["forge", "transcipt"], 2, "anyhook forge transcript"],
    [["forge", "transcript", "/nowhere"], 3, "there is no such file"],
    [["flywheel", "open"], 2, "flywheel close-loop"],
    [["hook", "sesion-start"], 2, "did you mean session-start?"],
  ])("%j is a mistake that is explained", (args, status, hint) => {
    const told = project.cli(...args);
    expect(told.status).toBe(status);
    expect(told.stderr).toContain(hint);
  });
});

test("nothing of this is in the tree", () => {
  run("hook", "user-prompt", "--session", "s1", "--prompt", "#decision use pnpm");
  run("hook", "session-start", "--session", "s2");
  expect(readdirSync(project.root)).toEqual([".anyhook"]);
  expect(readdirSync(join(project.root, ".anyhook"))).toEqual([]);
  expect(texts(project)).toEqual(["use pnpm"]);
});

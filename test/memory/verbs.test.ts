import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Driver from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HOOK_VERBS } from "../../src/memory/run-verb.ts";
import { runSilent } from "../../src/memory/run-silent.ts";
import { CLI, makeProject, type Project } from "../_dispatch.ts";
import { bytesBelow, list, MEMORY, texts, verb, verbLater } from "./_memory.ts";

const FIVE = Object.keys(HOOK_VERBS).filter((name) => name !== "finish");

let project: Project;
let store: string;
beforeEach(() => {
  project = makeProject();
  store = join(project.home, ".local/state/anyhook");
});
afterEach(() => project.remove());

const said = (text: string, n = 0): string =>
  `${JSON.stringify({ type: "user", message: { role: "user", content: text }, timestamp: `2026-01-01T00:00:${String(n % 60).padStart(2, "0")}.000Z` })}\n`;

const transcriptOf = (name: string, lines: readonly string[]): string => {
  const file = join(project.base, `${name}.jsonl`);
  writeFileSync(file, lines.join(""));
  return file;
};

const payload = (change: object = {}): Record<string, unknown> => ({
  ...{
    session_id: "s1",
    cwd: project.root,
    prompt: "#decision use pnpm",
    tool_name: "Bash",
    tool_use_id: "t1",
  },
  ...{ tool_input: { command: "ls" }, tool_response: "a" },
  ...change,
});

describe("any error ends with 0, a line on stderr, and in the ledger", () => {
  const newer = (): void => {
    const file = join(project.layout.project, "memory/memory.db");
    mkdirSync(dirname(file), { recursive: true });
    new Driver(file).exec("PRAGMA user_version=99");
  };

  test.each(FIVE.filter((name) => name !== "post-tool-use"))(
    "%s, with a store from the future",
    (name) => {
      newer();
      const transcript_path = transcriptOf("t", [said("#remember something")]);
      const ran = verb(project, name, payload({ transcript_path }));
      expect(ran).toMatchObject({ status: 0, stdout: "" });
      expect(ran.stderr).toMatch(/^anyhook: memory \S+: .*newer anyhook.*: update anyhook\n$/);
      const [entry] = project.ledger();
      expect(entry).toMatchObject({
        lane: "async",
        hooks: [{ name: `memory-${name}`, status: "failed" }],
      });
      const { faults } = JSON.parse(project.cli("status", "--json").stdout) as {
        faults: { count: number; last: string };
      };
      expect(faults.count).toBe(1);
      expect(faults.last).toContain("newer anyhook");
    },
  );

  test.each(FIVE)("%s, with nonsense instead of a payload", (name) => {
    for (const input of ["", "not json", "[1,2]", '{"cwd": 7, "prompt": {}, "tool_input": null}'])
      expect(verb(project, name, input)).toMatchObject({ status: 0 });
  });

  test.each(FIVE)("%s, when the store is a file", (name) => {
    rmSync(store, { recursive: true, force: true });
    mkdirSync(dirname(store), { recursive: true });
    writeFileSync(store, "");
    const ran = verb(project, name, payload());
    expect(ran.status).toBe(0);
    expect(ran.stderr).toMatch(/^anyhook: memory /);
  });

  test("a body that throws is swallowed and told, one that does not is not", async () => {
    const told: string[] = [];
    const tell = (text: string): void => void told.push(text);
    await runSilent("x", () => Promise.reject(new Error("boom")), tell);
    await runSilent("y", () => Promise.resolve(), tell);
    expect(told).toEqual(["memory x: boom"]);
  });
});

describe("no network", () => {
  const unshare = spawnSync("unshare", ["-rn", "true"]).status === 0;
  const strace = spawnSync("strace", ["-V"]).status === 0;
  if (!unshare && !strace) console.warn("NOT SHOWN: neither unshare -n nor strace works here");

  test.skipIf(!unshare).each(FIVE)("%s works without any interface", (name) => {
    const transcript_path = transcriptOf("t", [said("#remember something")]);
    const ran = verb(project, name, payload({ transcript_path }), {}, ["unshare", "-rn"]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
  });

  test.skipIf(!strace)("nobody asks for a socket to the outside", () => {
    const transcript_path = transcriptOf("t", [said("#remember something")]);
    const trace = join(project.base, "trace");
    for (const name of FIVE) {
      const prefix = ["strace", "-f", "-o", trace, "-e", "trace=connect,socket,execve"];
      expect(verb(project, name, payload({ transcript_path }), {}, prefix).status).toBe(0);
      const calls = readFileSync(trace, "utf8");
      expect(calls).toContain("execve(");
      expect(calls).not.toMatch(/AF_INET|connect\(/);
    }
  });
});

describe("twice the same", () => {
  test("a stop, a prompt and a tool call leave no duplicate", () => {
    const transcript_path = transcriptOf("t", [said("#remember one thing\n#decision two things")]);
    const all = payload({ transcript_path });
    for (let again = 0; again < 3; again++) {
      for (const name of ["user-prompt", "post-tool-use", "stop", "pre-compact"])
        verb(project, name, all);
    }
    expect(texts(project)).toEqual(["one thing", "two things", "use pnpm"]);
  });
});

test("a tag waits in the queue while the database is busy or cannot be read, without its secrets", () => {
  verb(project, "stop", payload());
  const file = join(project.layout.project, "memory/memory.db");
  const other = new Driver(file);
  other.exec("BEGIN IMMEDIATE");
  const secret = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
  const prompt = `#decision the key is ${secret}`;
  expect(verb(project, "user-prompt", payload({ prompt }))).toEqual({
    stdout: "",
    stderr: "",
    status: 0,
  });
  other.exec("ROLLBACK");
  expect(texts(project)).toEqual([]);
  const queue = readFileSync(join(project.layout.slot, "memory/waiting/queue.jsonl"), "utf8");
  expect(queue).toContain("the key is [redacted]");
  other.exec("PRAGMA user_version=99");
  verb(project, "user-prompt", payload({ prompt: "#remember later", session_id: "s2" }));
  other.exec("PRAGMA user_version=2");
  verb(project, "stop", payload());
  expect(texts(project)).toEqual(["later", "the key is [redacted]"]);
  // Not before: who reads a database's file beside the driver takes its locks away.
  expect(queue + bytesBelow(store)).not.toContain(secret.slice(4, 20));
});

test("stop reads only what is new", () => {
  const transcript_path = transcriptOf("t", [said("#remember one thing")]);
  const stop = (): void => void verb(project, "stop", payload({ transcript_path }));
  stop();
  project.cli("memory", "forget", list(project)[0]!.id);
  appendFileSync(transcript_path, said("#remember two things", 1).slice(0, 40));
  stop();
  expect(texts(project)).toEqual([]);
  appendFileSync(transcript_path, said("#remember two things", 1).slice(40));
  stop();
  expect(texts(project)).toEqual(["two things"]);
});

test("and does not look again at what it has read", () => {
  const filler = Array.from({ length: 10 }, (_, n) => said("Please go on with it", n));
  const middle = (text: string): string =>
    transcriptOf("t", [...filler, said(`#remember ${text}`), ...filler]);
  const stop = (transcript_path: string): void =>
    void verb(project, "stop", payload({ transcript_path }));
  stop(middle("one thing"));
  stop(middle("any thing"));
  expect(texts(project)).toEqual(["one thing"]);
  appendFileSync(middle("any thing"), said("#remember two things"));
  stop(join(project.base, "t.jsonl"));
  expect(texts(project)).toEqual(["one thing", "two things"]);
});

test("twenty sessions that stop at once lose nothing", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `s${n}`);
  const ends = await Promise.all(
    names.map(async (name) => {
      const transcript_path = transcriptOf(name, [
        said(`#decision from ${name}\n#decision from all of them`),
      ]);
      const change = {
        session_id: name,
        transcript_path,
        tool_use_id: name,
        prompt: `#remember prompt of ${name}`,
      };
      const all = ["post-tool-use", "user-prompt", "stop"].map(
        (one) => verbLater(project, one, payload(change)).ended,
      );
      return Promise.all(all);
    }),
  );
  expect(ends.flat().filter(({ status, stderr }) => status !== 0 || stderr !== "")).toEqual([]);
  // Who found the database busy has left the rest to a process that has time.
  const stop = (): void => void verb(project, "stop", payload({ session_id: "last" }));
  stop();
  for (let tries = 0; tries < 60 && texts(project).length < 41; tries++) {
    await sleep(500);
    stop();
  }
  expect(texts(project)).toEqual(
    [
      ...names.map((name) => `from ${name}`),
      ...names.map((name) => `prompt of ${name}`),
      "from all of them",
    ].toSorted(),
  );
  const stats = JSON.parse(project.cli("memory", "stats", "--json").stdout) as {
    queued: number;
    project: { signals: number };
  };
  expect(stats).toMatchObject({ queued: 0, project: { signals: 20 } });
}, 120_000);

test("killed at fifty random instants, stop loses no tag and doubles none", async () => {
  const tags = Array.from({ length: 60 }, (_, n) => `#decision number ${n} holds`);
  const began = performance.now();
  verb(project, "stop", payload({ session_id: "warm" }));
  const usual = performance.now() - began;
  let at = 0;
  const transcript_path = transcriptOf("t", []);
  for (let n = 0; n < 50; n++) {
    // The transcript grows while we are being killed, sometimes by half a line.
    const lines = tags.slice(at, at + 1).map((text) => said(text, at));
    at += lines.length;
    appendFileSync(transcript_path, lines.join(""));
    verb(project, "post-tool-use", payload({ tool_use_id: `t${n}` }));
    const { child, ended } = verbLater(project, "stop", payload({ transcript_path }));
    await sleep(Math.random() * usual * 1.2);
    child.kill("SIGKILL");
    await ended;
  }
  appendFileSync(
    transcript_path,
    tags
      .slice(at)
      .map((text, n) => said(text, at + n))
      .join(""),
  );
  const last = verb(project, "stop", payload({ transcript_path }));
  expect(last).toMatchObject({ stdout: "", status: 0 });
  // The one before may have been killed when the journal had more than the database.
  expect(last.stderr).toMatch(/^$|^anyhook: .* came back from the journal\n$/);
  expect(texts(project, "--kind", "decision")).toEqual(
    tags.map((text) => text.slice("#decision ".length)).toSorted(),
  );
  const { project: stats, queued } = JSON.parse(
    project.cli("memory", "stats", "--json").stdout,
  ) as { queued: number; project: { signals: number } };
  expect({ signals: stats.signals, queued }).toEqual({ signals: 50, queued: 0 });
}, 180_000);

describe("a disk that is full", () => {
  const tagIn = (line: string): string =>
    (JSON.parse(line) as { message: { content: string } }).message.content
      .slice("#decision ".length)
      .trim();
  const limited = ["sh", "-c", 'ulimit -f "$1"; shift; exec "$@"', "sh"];

  test("is told, loses nothing, and the next stop has it all", () => {
    const first = transcriptOf("t", [said("#decision the first one")]);
    verb(project, "stop", payload({ transcript_path: first }));
    const lines = Array.from({ length: 150 }, (_, n) =>
      said(`#decision number ${n} ${"and so on ".repeat(60)}`, n),
    );
    const transcript_path = transcriptOf("t2", lines);
    // Files may not grow beyond 100 KiB: the log of the database hits that in the middle of the write.
    const full = verb(project, "stop", payload({ transcript_path }), {}, [...limited, "200"]);
    expect(full.status).toBe(0);
    expect(full.stderr).toMatch(/anyhook: memory stop: .*(?:disk|full|I\/O)/i);
    // The journal may have got further than the database: then that much is there already.
    const whole = new Set(["the first one", ...lines.map((line) => tagIn(line))]);
    expect(texts(project)).toContain("the first one");
    expect(texts(project).filter((text) => !whole.has(text))).toEqual([]);
    const then = verb(project, "stop", payload({ transcript_path }));
    expect(then).toMatchObject({ status: 0, stderr: "" });
    expect(texts(project)).toHaveLength(151);
  });

  test("does not stop the session when not even the queue can be written", () => {
    verb(project, "post-tool-use", payload());
    const folder = join(project.layout.slot, "memory");
    const full = verb(project, "post-tool-use", payload({ tool_use_id: "t2" }), {}, [
      ...limited,
      "0",
    ]);
    expect(full.status).toBe(0);
    verb(project, "post-tool-use", payload({ tool_use_id: "t3" }));
    expect(readFileSync(join(folder, "queue.jsonl"), "utf8")).toContain(":t3");
    chmodSync(folder, 0o700);
  });
});

test.each([
  ["by the pack's program", (): string[] => [MEMORY]],
  [
    "by the command line, under another name",
    (): string[] => {
      symlinkSync(CLI, join(project.base, "anyhook"));
      return [join(project.base, "anyhook"), "hook"];
    },
  ],
])("a transcript of megabytes is read on detached: %s", async (_, program) => {
  const noise = JSON.stringify({
    type: "user",
    message: {
      role: "user",
      content: [{ type: "tool_result", content: "x".repeat(3000), tool_use_id: "t" }],
    },
  });
  const lines = Array.from({ length: 9000 }, (_, n) =>
    n % 1000 === 0 ? said(`#decision number ${n}`, n) : `${noise}\n`,
  );
  const transcript_path = transcriptOf("big", lines);
  const expected = Array.from({ length: 9 }, (_, n) => `number ${n * 1000}`).toSorted();
  const { status, stderr } = spawnSync(process.execPath, [...program(), "stop"], {
    ...{ cwd: project.root, env: project.env, encoding: "utf8" },
    input: JSON.stringify(payload({ transcript_path })),
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  for (let tries = 0; tries < 100 && texts(project).length < 9; tries++) await sleep(100);
  expect(texts(project)).toEqual(expected);
  expect(bytesBelow(store)).not.toContain("xxxxxxxxxx");
});

import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  dispatch,
  DISPATCH,
  makeProject,
  NODE_LANE,
  payloadOf,
  REPO,
  shellLanes,
  type Lane,
  type Project,
} from "./_dispatch.ts";

const DASH: Lane = { ...shellLanes()[0]!, real: true };
const LANES: Lane[] = [DASH, NODE_LANE];
const open: Project[] = [];
afterEach(async () => {
  for (const project of open.splice(0)) {
    await settled(project);
    project.remove();
  }
});

function project(files: Readonly<Record<string, string>>): Project {
  const made = makeProject(files);
  open.push(made);
  const { status, stderr } = made.cli("materialize", "--quiet");
  expect(status, stderr).toBe(0);
  return made;
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const queue = (p: Project, name = ""): string => join(p.layout.slot, "queue", name);

/** What is in the queue, its folder of lost jobs apart. */
const inQueue = (p: Project): string[] =>
  existsSync(queue(p)) ? readdirSync(queue(p)).filter((name) => name !== "lost") : [];

async function settled(p: Project): Promise<void> {
  for (let i = 0; i < 200 && inQueue(p).some((name) => /^(seat|who)|\.run$/.test(name)); i++)
    await pause(50);
}

async function drained(p: Project): Promise<void> {
  for (let i = 0; i < 300 && inQueue(p).length > 0; i++) await pause(50);
  expect(inQueue(p)).toEqual([]);
}

const post = (p: Project, lane: Lane, change: Record<string, unknown> = {}, env = {}) =>
  dispatch(
    p,
    lane,
    "claude-code",
    "PostToolUse",
    payloadOf("claude-code", "PostToolUse--Bash", p, change),
    env,
  );

/** No runner is left that has not yet seen that the seat is taken. */
async function idle(p: Project): Promise<void> {
  const runs = (): boolean => spawnSync("pgrep", ["-f", `async.sh ${p.base}/`]).status === 0;
  for (let i = 0; i < 100 && runs(); i++) await pause(20);
  expect(runs()).toBe(false);
}

/** An event at which there is no hook. */
const quiet = (p: Project, lane = DASH) =>
  dispatch(p, lane, "claude-code", "Stop", payloadOf("claude-code", "Stop", p));

const list = (...hooks: string[]): Record<string, string> => ({
  ".anyhook/hooks.yaml": `hooks:\n${hooks.map((hook) => `  - {${hook}, events: PostToolUse, async: true}\n`).join("")}`,
});

const asyncLines = (p: Project) => p.ledger().filter(({ lane }) => lane === "async");

/** Somebody who lives sits on the only seat, so that jobs stay where they are. */
function occupied(p: Project): void {
  mkdirSync(queue(p, "lost"), { recursive: true });
  const started = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ")[19];
  writeFileSync(queue(p, "seat.1"), `${process.pid}-${started}\n`);
}

const ONE = { ".anyhook/settings.json": '{"async_limit": 1}' };

describe.each(LANES)("from the $name lane", (lane) => {
  test("a hundred times the harness has its answer, and every job is run once", async () => {
    const p = project(list(`name: a, command: "cat >>a.out"`));
    const payload = payloadOf("claude-code", "PostToolUse--Bash", p);
    const times = lane.node ? 20 : 100;
    for (let i = 0; i < times; i++)
      expect(post(p, lane)).toEqual({ stdout: "", stderr: "", status: 0 });
    await drained(p);
    expect(readFileSync(join(p.root, "a.out"), "utf8")).toBe(payload.repeat(times));
    expect(asyncLines(p)).toHaveLength(times);
    expect(readdirSync(join(p.layout.slot, "run"))).toEqual([]);
  });

  test("no reader of the harness's pipes waits for it, not even of a fourth one", async () => {
    const p = project(list(`name: a, command: "sleep 3; echo done >done"`));
    const began = Date.now();
    const child = spawn("sh", [DISPATCH, "claude-code", "PostToolUse"], {
      cwd: p.root,
      env: { ...p.env, ...(lane.node ? { ANYHOOK_LANE: "node" } : {}) },
      stdio: ["pipe", "pipe", "pipe", "pipe", "pipe"],
    });
    child.stdin.end(payloadOf("claude-code", "PostToolUse--Bash", p));
    const ends = child.stdio
      .slice(1)
      .map(
        (pipe) => new Promise((done) => (pipe as NodeJS.ReadableStream).resume().on("close", done)),
      );
    await Promise.all(ends);
    expect(Date.now() - began).toBeLessThan(2500);
    expect(existsSync(join(p.root, "done"))).toBe(false);
    await drained(p);
    expect(existsSync(join(p.root, "done"))).toBe(true);
  });

  test("at most async_limit at once", async () => {
    const p = project({
      ...list(`name: a, command: "echo + >>log; sleep 0.2; echo - >>log"`),
      ".anyhook/settings.json": '{"async_limit": 2}',
    });
    for (let i = 0; i < 8; i++) post(p, lane);
    await drained(p);
    const marks = readFileSync(join(p.root, "log"), "utf8").trim().split("\n");
    expect(marks).toHaveLength(16);
    let [now, most] = [0, 0];
    for (const mark of marks) most = Math.max(most, (now += mark === "+" ? 1 : -1));
    expect(now).toBe(0);
    expect(most).toBeLessThanOrEqual(2);
  });

  test("those that wait are counted by status, and run in the order of their events", async () => {
    const p = project({
      ...ONE,
      ...list(`name: a, command: "echo $ANYHOOK_EVENT_ID >>order"`),
    });
    occupied(p);
    for (let i = 0; i < 6; i++) post(p, lane, { tool_use_id: `t${i}` });
    expect(JSON.parse(p.cli("status", "--json").stdout)).toMatchObject({
      queue: { waiting: 6, running: 0, givenUp: 0 },
    });
    expect(p.cli("status").stdout).toContain("6 waiting, 0 running");
    await idle(p);
    rmSync(queue(p, "seat.1"));
    quiet(p);
    await drained(p);
    const order = readFileSync(join(p.root, "order"), "utf8").match(/t\d$/gm);
    expect(order).toEqual(["t0", "t1", "t2", "t3", "t4", "t5"]);
  });

  test("a queue of a thousand takes no more, and says so", async () => {
    const p = project({ ...ONE, ...list("name: a, command: echo") });
    occupied(p);
    for (let i = 0; i < 1000; i++) writeFileSync(queue(p, `${1000 + i}-x.0.job`), "");
    const { stderr, status } = post(p, lane);
    expect({ stderr, status }).toEqual({
      stderr: "anyhook: Hook a failed: not queued: 1000 wait already (.anyhook/hooks.yaml:2)\n",
      status: 0,
    });
    expect(p.ledger()).toMatchObject([
      { hooks: [{ name: "a", status: "failed", note: "not queued: 1000 wait already" }] },
    ]);
    await idle(p);
    rmSync(queue(p), { recursive: true });
  });

  test("a hook that cannot start has failed at once", () => {
    const p = project(list("name: a, command: sh missing.sh"));
    expect(post(p, lane).stderr).toContain("missing.sh does not exist");
    expect(inQueue(p)).toEqual([]);
  });
});

test("both lanes queue the same job, byte for byte, but for the time and the process", async () => {
  const p = project({
    ...ONE,
    ".anyhook/hooks.yaml": `hooks:
  - {name: line, events: PostToolUse, async: true, notify: context, command: "echo {tool_input.command} '{file}' {result}"}
  - {name: words, events: PostToolUse, async: true, command: [echo, "{tool_input.command}", "{args}"]}
  - {name: canonical, events: PostToolUse, async: true, payload: canonical, command: "cat >c"}
`,
    ".anyhook/hooks/s.sh": "#!/bin/sh\n# Hook: s\n# Event: PostToolUse\n# Async: true\n",
    ".anyhook/hooks/m.mjs":
      'export default { name: "m", event: "PostToolUse", async: true, run() {} };\n',
  });
  const command = "a'b\n$(touch x) `touch x` \" \\ * é\u2028😀 AH_HEAD=x\nAH_HEAD=$(touch x)";
  const jobs: Record<string, string[]>[] = [];
  for (const lane of LANES) {
    occupied(p);
    const { stderr } = post(p, lane, { tool_input: { command, file_path: "a'b\nAH_HEAD=1" } });
    expect(stderr).toBe("");
    await idle(p);
    const names = inQueue(p).filter((name) => name.endsWith(".job"));
    const texts = names.map((name) =>
      readFileSync(queue(p, name), "utf8")
        .replace(/"time":"[^"]*"/, "")
        .replace(/^PATH=.*$/m, ""),
    );
    const rows = names.map((name) => name.replace(/^\d{10}-\d{13}-(\d{4})-\d+\.0\.job$/, "$1"));
    const payloads = names.map((name) =>
      readFileSync(queue(p, name.replace(".0.job", ".in")), "utf8"),
    );
    rmSync(queue(p), { recursive: true });
    jobs.push({ rows, texts, payloads });
  }
  expect(jobs[0]!["rows"]).toHaveLength(5);
  expect(jobs[0]).toEqual(jobs[1]);
});

test("a module is queued without Node, runs in a Node of its own, and its words are told", async () => {
  const module = (name: string, body: string): Record<string, string> => ({
    [`.anyhook/hooks/${name}.mjs`]: `export default { name: "${name}", event: "PostToolUse", async: true, notify: "context", timeout: 1000, ${body} };\n`,
  });
  const p = project({
    ...module("a", 'run(event) { console.log("noise"); return `ran ${event.tool_name}`; }'),
    ...module("b", 'run() { throw new Error("broken\\tand\\nlong"); }'),
    ...module("c", "run() { for (;;); }"),
    ...module("d", "run() { process.kill(process.pid, 'SIGKILL'); }"),
  });
  post(p, DASH);
  expect(p.ledger()).toMatchObject([{ lane: "shell" }]);
  await drained(p);
  const [, ...lines] = p.ledger();
  const hooks = lines.flatMap(({ hooks }) => hooks as Record<string, unknown>[]);
  expect(hooks.toSorted((x, y) => (String(x["name"]) < String(y["name"]) ? -1 : 1))).toMatchObject([
    { name: "a", status: "ok", verdict: "pass" },
    { name: "b", status: "failed", note: "Error: broken and long" },
    { name: "c", status: "timeout" },
    { name: "d", status: "failed", note: "killed by signal 9" },
  ]);
  const told = dispatch(
    p,
    DASH,
    "claude-code",
    "UserPromptSubmit",
    payloadOf("claude-code", "UserPromptSubmit", p, {
      session_id: (p.ledger()[0] as { session: string }).session,
    }),
  ).stdout;
  expect(told).toContain("checked in the background:\\nran Bash\\n");
  expect(told).toContain("Hook b failed: Error: broken and long");
  expect(told).not.toContain("noise");
}, 30_000);

test("what it decides is on the record, and decides nothing", async () => {
  const p = project(list(`name: a, command: "echo 'no, sk-abcdefghijklmnop' >&2; exit 2"`));
  expect(post(p, DASH).status).toBe(0);
  await drained(p);
  expect(asyncLines(p)).toMatchObject([
    {
      decision: { verdict: "pass" },
      hooks: [
        {
          status: "ok",
          exit: 2,
          verdict: "deny",
          reason: "no, [redacted]",
          note: "an async hook cannot decide",
        },
      ],
    },
  ]);
});

describe("when something dies in between", () => {
  const dead = "4194304-1";

  test("a job without a runner, or of a dead one, is run at the next event, whichever it is", async () => {
    const p = project({ ...ONE, ...list(`name: a, command: "echo $ANYHOOK_EVENT_ID >>ran"`) });
    occupied(p);
    post(p, DASH, { tool_use_id: "t1" });
    post(p, DASH, { tool_use_id: "t2" });
    quiet(p);
    expect(existsSync(join(p.root, "ran"))).toBe(false);
    // The machine goes down: one job is being run, the other waits, the seat is taken.
    const [first] = inQueue(p).filter((name) => name.endsWith(".job"));
    renameSync(queue(p, first), queue(p, first!.replace(".job", `.${dead}.run`)));
    writeFileSync(queue(p, "seat.1"), `${dead}\n`);
    quiet(p);
    await drained(p);
    expect(readFileSync(join(p.root, "ran"), "utf8").match(/t\d/g)).toEqual(["t1", "t2"]);
    expect(asyncLines(p)).toHaveLength(2);
  });

  test("a hook that takes its runner down three times is given up, visibly", async () => {
    const p = project(list(`name: a, command: "echo ran >>ran; kill -9 $PPID; sleep 5"`));
    post(p, DASH);
    for (let i = 0; i < 6; i++) {
      await pause(600);
      quiet(p);
    }
    await drained(p);
    expect(readFileSync(join(p.root, "ran"), "utf8")).toBe("ran\nran\nran\n");
    expect(asyncLines(p)).toMatchObject([
      {
        event: "PostToolUse",
        hooks: [{ name: "a", status: "failed", note: "given up: its runner died 3 times" }],
      },
    ]);
    expect(p.cli("status").stdout).toContain("1 given up");
    expect(JSON.parse(p.cli("status", "--json").stdout)).toMatchObject({
      queue: { waiting: 0, running: 0, givenUp: 1 },
    });
  }, 30_000);

  test("a job that a later, quiet event has run finds what every hook finds", async () => {
    const p = project({ ...ONE, ...list(`name: a, command: "echo $ANYHOOK_STATE >state"`) });
    occupied(p);
    post(p, DASH);
    await idle(p);
    rmSync(queue(p, "seat.1"));
    quiet(p);
    await drained(p);
    expect(readFileSync(join(p.root, "state"), "utf8")).toBe(
      `${join(p.layout.slot, "state/own")}\n`,
    );
  });

  test("a damaged job is given up, and the others are run", async () => {
    const p = project({ ...ONE, ...list(`name: a, command: "echo ran >>ran"`) });
    occupied(p);
    for (let i = 0; i < 4; i++) post(p, DASH, { tool_use_id: `t${i}` });
    const jobs = inQueue(p).filter((name) => name.endsWith(".job"));
    const text = readFileSync(queue(p, jobs[0]), "utf8");
    writeFileSync(queue(p, jobs[0]), "");
    writeFileSync(queue(p, jobs[1]), text.slice(0, 700));
    rmSync(queue(p, jobs[2]!.replace(".0.job", ".in")));
    await idle(p);
    rmSync(queue(p, "seat.1"));
    for (let i = 0; i < 4; i++) {
      quiet(p);
      await pause(300);
    }
    await drained(p);
    expect(readFileSync(join(p.root, "ran"), "utf8")).toBe("ran\n");
    expect(JSON.parse(p.cli("status", "--json").stdout)).toMatchObject({ queue: { givenUp: 3 } });
    const notes = asyncLines(p).flatMap(({ hooks }) => (hooks as { note?: string }[])[0]?.note);
    expect(notes.toSorted()).toEqual([
      "given up: its runner died 3 times",
      "given up: the job was damaged",
      "given up: the job was damaged",
      undefined,
    ]);
  }, 30_000);

  test("an edit, and the end of the old generation, take nothing from a job that waits", async () => {
    const p = project({
      ...ONE,
      ...list(`name: a, command: "echo old >>ran"`),
      ".anyhook/hooks/m.mjs": `import { appendFileSync } from "node:fs";\nexport default { name: "m", event: "PostToolUse", async: true, run() { appendFileSync("ran", "module\\n"); } };\n`,
    });
    occupied(p);
    post(p, DASH);
    const [before] = readdirSync(join(p.layout.slot, "gen"));
    rmSync(join(p.root, ".anyhook/hooks/m.mjs"));
    p.write(list(`name: a, command: "echo new >>ran"`));
    p.cli("materialize", "--quiet");
    rmSync(join(p.layout.slot, "gen", before!), { recursive: true });
    await idle(p);
    rmSync(queue(p, "seat.1"));
    quiet(p);
    await drained(p);
    expect(readFileSync(join(p.root, "ran"), "utf8")).toBe("old\nmodule\n");
  });

  test("what was taken to be told goes back when the dispatcher is ended", async () => {
    const p = project({
      ".anyhook/hooks.yaml": `hooks:
  - {name: a, events: PostToolUse, async: true, notify: context, command: echo late}
  - {name: slow, events: UserPromptSubmit, timeout: 20000, command: "[ ! -f slow ] || sleep 10"}
`,
    });
    post(p, DASH, { session_id: "s" });
    await drained(p);
    writeFileSync(join(p.root, "slow"), "");
    const payload = payloadOf("claude-code", "UserPromptSubmit", p, { session_id: "s" });
    const child = spawn("sh", [DISPATCH, "claude-code", "UserPromptSubmit"], {
      cwd: p.root,
      env: p.env,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.stdin.end(payload);
    const inbox = join(p.layout.slot, "inbox");
    for (let i = 0; i < 100 && readdirSync(inbox).length > 0; i++) await pause(20);
    expect(readdirSync(inbox)).toEqual([]);
    child.kill("SIGTERM");
    await new Promise((done) => child.on("exit", done));
    rmSync(join(p.root, "slow"));
    expect(dispatch(p, DASH, "claude-code", "UserPromptSubmit", payload).stdout).toContain("late");
  }, 20_000);
});

test("failures of an async hook count against its budget", async () => {
  const p = project({
    ...list("name: a, command: exit 1"),
    ".anyhook/settings.json": '{"failure_budget": 2}',
  });
  post(p, DASH);
  post(p, DASH);
  await drained(p);
  const { stderr } = post(p, DASH);
  expect(stderr).toContain("Hook a failed 2 times in a row and is suspended for this session");
  expect(p.cli("status").stdout).toContain("1 hook suspended within a day, the last by a");
});

test.each([["dash"], ["bash", "--posix"], ["busybox", "ash"]])(
  "the runner works in %s %s",
  async (...shell) => {
    if (spawnSync(shell[0], ["--help"]).error) return;
    const p = project({
      ...ONE,
      ...list(
        `name: a, notify: context, command: "printf %s {tool_input.command} >a.out; echo hi"`,
        `name: b, timeout: 300, command: "sleep 20"`,
      ),
    });
    occupied(p);
    const command = "a'b\n$(touch x)";
    post(p, DASH, { tool_input: { command } });
    await idle(p);
    rmSync(queue(p, "seat.1"));
    const { slot, ledger } = p.layout;
    const { status } = spawnSync(
      shell[0],
      [...shell.slice(1).filter(Boolean), join(REPO, "shell/async.sh"), slot],
      {
        cwd: p.root,
        env: {
          ...p.env,
          AH_LEDGER: ledger,
          AH_STATE: join(slot, "state"),
          AH_DIST: join(REPO, "dist"),
          AH_ASYNC: "1",
        },
      },
    );
    expect(status).toBe(0);
    expect(inQueue(p)).toEqual([]);
    expect(readFileSync(join(p.root, "a.out"), "utf8")).toBe(command);
    expect(existsSync(join(p.root, "x"))).toBe(false);
    expect(asyncLines(p)).toMatchObject([
      { hooks: [{ name: "a", status: "ok" }] },
      { hooks: [{ name: "b", status: "timeout", note: "no answer within 300 ms" }] },
    ]);
    expect(readdirSync(join(slot, "inbox"))).toHaveLength(1);
    expect(readdirSync(join(slot, "run"))).toEqual([]);
  },
);

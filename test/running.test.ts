import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash, randomBytes } from "node:crypto";
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

const LANES: Lane[] = [...shellLanes().filter((lane) => !lane.awk), NODE_LANE];
const open: Project[] = [];
afterEach(() => open.splice(0).forEach((project) => project.remove()));

function project(files: Readonly<Record<string, string>>): Project {
  const made = makeProject(files);
  open.push(made);
  made.cli("materialize", "--quiet");
  return made;
}

const hook = (name: string, body: string, event = "PreToolUse", head = ""): string =>
  `#!/bin/sh\n# Hook: ${name}\n# Event: ${event}\n${head}${body}\n`;

function fire(
  p: Project,
  lane: Lane,
  payload?: string | Buffer,
  event = "PreToolUse",
  env: Record<string, string> = {},
) {
  return dispatch(
    p,
    lane,
    "claude-code",
    event,
    payload ?? payloadOf("claude-code", "PreToolUse--Bash", p),
    env,
  );
}

/** The dispatcher with half a second for PreToolUse: no harness gives so little to an event that blocks. */
function inShort(p: Project): string {
  const made = join(p.base, "short");
  for (const room of ["shell", "dist"])
    cpSync(join(REPO, room), join(made, room), {
      recursive: true,
      filter: (path) => !/\/dist\/(types|cold)/.test(path),
    });
  const facts = join(made, "dist/facts/claude-code/PreToolUse");
  writeFileSync(facts, readFileSync(facts, "utf8").replace(/^budget\t.*/m, "budget\t500"));
  const bundle = join(made, "dist/dispatch.cjs");
  const code = readFileSync(bundle, "utf8");
  const budget = "var budgetOf = (surface) =>";
  expect(code).toContain(budget);
  writeFileSync(
    bundle,
    code.replace(budget, `var budgetOf = () => 500; ${budget.replace("budgetOf", "_")}`),
  );
  return join(made, "shell/dispatch.sh");
}

const alive = (marker: string): boolean => spawnSync("pgrep", ["-f", marker]).status === 0;
const pause = (ms: number): Promise<void> => new Promise((r) => setTimeout(r, ms));

describe.each(LANES)("in the $name lane", (lane) => {
  test("1 MB of payload reaches every hook byte for byte, last newline included", () => {
    const p = project({
      ".anyhook/hooks/a.sh": hook("a", "cat >a.out"),
      ".anyhook/hooks/b.sh": hook("b", "cat >b.out"),
    });
    const noise =
      randomBytes(400_000)
        .toString("latin1")
        .replace(/[\0-\x1f"\\]/g, "\u00e4") + "é\u2028😀".repeat(60_000);
    for (const end of ["", "\n", "\n\n", " \t\n"]) {
      const payload = Buffer.from(
        JSON.stringify({
          session_id: "s",
          cwd: p.root,
          tool_name: "Bash",
          tool_input: { command: noise },
        }) + end,
      );
      expect(payload.length).toBeGreaterThan(1_000_000);
      expect(fire(p, lane, payload)).toEqual({ stdout: "", stderr: "", status: 0 });
      const sum = (b: Buffer): string => createHash("sha256").update(b).digest("hex");
      for (const name of ["a.out", "b.out"])
        expect(sum(readFileSync(join(p.root, name)))).toBe(sum(payload));
    }
  });

  test("a payload that is not UTF-8, or not JSON, still reaches hooks as it is", () => {
    const p = project({
      ".anyhook/hooks/a.sh": hook("a", "cat >a.out"),
      ".anyhook/hooks/m.sh": hook(
        "m",
        "echo hit >>hit",
        "PreToolUse",
        '# Matcher: tool_name = "Bash"\n',
      ),
    });
    for (const bytes of [
      Buffer.from([0x7b, 0xff, 0xfe, 0x0a]),
      Buffer.from("not json"),
      Buffer.from("[1]"),
      Buffer.from(""),
    ]) {
      expect(fire(p, lane, bytes, "PreToolUse", { CLAUDE_PROJECT_DIR: p.root })).toMatchObject({
        stdout: "",
        status: 0,
      });
      expect(readFileSync(join(p.root, "a.out"))).toEqual(bytes);
      expect(p.ledger().at(-1)).toMatchObject({ notes: ["the payload is not a JSON object"] });
    }
    expect(existsSync(join(p.root, "hit"))).toBe(false);
  });

  test("a hook that does not read its input is no failure", () => {
    const p = project({ ".anyhook/hooks/a.sh": hook("a", "exec <&-\nexit 0") });
    const payload = JSON.stringify({
      session_id: "s",
      cwd: p.root,
      tool_input: { x: "y".repeat(900_000) },
    });
    for (let i = 0; i < 5; i++)
      expect(fire(p, lane, payload)).toEqual({ stdout: "", stderr: "", status: 0 });
  });

  test("a hanging hook is ended with all it started: TERM ignored, grandchildren, own sessions", async () => {
    const mark = `31.${Math.floor(Math.random() * 1e9)}`;
    const body = `trap "" TERM\nsleep ${mark} &\nsetsid sleep ${mark} &\n(sleep ${mark} &)\nsleep ${mark}`;
    const p = project({ ".anyhook/hooks/a.sh": hook("a", body, "PreToolUse", "# Timeout: 400\n") });
    const began = Date.now();
    expect(fire(p, lane)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("no answer within 400 ms") as string,
    });
    expect(Date.now() - began).toBeLessThan(10_000);
    await pause(300);
    // The node lane ends the process group; a grandchild in a session of its own is out of its reach.
    if (!lane.node) expect(alive(`sleep ${mark}`)).toBe(false);
    else spawnSync("pkill", ["-f", `sleep ${mark}`]);
  });

  test("a grandchild that keeps stdout open delays nobody, and lives on", () => {
    const mark = `3.${Math.floor(Math.random() * 1e9)}`;
    const p = project({ ".anyhook/hooks/a.sh": hook("a", `sleep ${mark} &\necho said`) });
    const began = Date.now();
    expect(fire(p, lane).stdout).toContain("said");
    expect(Date.now() - began).toBeLessThan(2500);
    expect(alive(`sleep ${mark}`)).toBe(true);
  });

  test("a hook that floods 10 MB is cut, and the cut is said", async () => {
    const p = project({
      ".anyhook/hooks/a.sh": hook("a", "head -c 10485760 /dev/zero | tr '\\0' x"),
      ".anyhook/hooks/b.sh": hook("b", "echo after"),
    });
    const { stdout, status } = fire(p, lane);
    expect(status).toBe(0);
    expect(stdout.length).toBeLessThan(12_000);
    expect(stdout).toContain("cut by anyhook");
    await pause(500);
    expect(readdirSync(join(p.layout.slot, "run"))).toEqual([]);
  });

  test("the event's own deadline ends what a hook's timeout would allow", () => {
    const p = project({
      ".anyhook/hooks/a.sh": hook("a", "sleep 20", "SessionEnd", "# Timeout: 15000\n"),
      ".anyhook/hooks/b.sh": hook("b", "echo b >>ran", "SessionEnd", "# Order: 5\n"),
    });
    const began = Date.now();
    const payload = payloadOf("claude-code", "SessionEnd--other", p);
    const said = fire(p, lane, payload, "SessionEnd");
    expect(said).toMatchObject({ status: 0, stdout: "" });
    expect(said.stderr).toContain("Hook b failed: no time left for this event (");
    expect(Date.now() - began).toBeLessThan(6000);
    const [entry] = p.ledger();
    expect(entry).toMatchObject({
      hooks: [
        { name: "a", status: "timeout" },
        { name: "b", status: "timeout", note: "no time left for this event" },
      ],
    });
  });

  test("what no time is left for has failed: who blocks when it fails blocks, and is not used up", () => {
    const closed = "# Order: 5\n# Block: true\n# On-Failure: block\n";
    const p = project({
      ".anyhook/hooks/a.sh": hook("a", "sleep 20", "PreToolUse", "# Timeout: 15000\n"),
      ".anyhook/hooks/b.sh": hook("b", "echo b >>ran", "PreToolUse", `${closed}# Once: true\n`),
    });
    const short = inShort(p);
    expect(p.cli("materialize", "--quiet").status).toBe(0);
    const payload = payloadOf("claude-code", "PreToolUse--Bash", p);
    const first = dispatch(p, lane, "claude-code", "PreToolUse", payload, {}, short);
    expect(first.status).toBe(2);
    expect(first.stderr).toBe(
      "Hook b failed (no time left for this event). It is set to block when it fails.\n",
    );
    expect(p.ledger()[0]).toMatchObject({
      hooks: [
        { name: "a", status: "timeout" },
        { name: "b", status: "timeout", note: "no time left for this event" },
      ],
    });
    expect(dispatch(p, lane, "claude-code", "PreToolUse", payload, { ANYHOOK_SKIP: "a" })).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
    });
    expect(readFileSync(join(p.root, "ran"), "utf8")).toBe("b\n");
  });

  test("a project's hook cannot use up the time of a managed one", () => {
    const p = project({
      ".anyhook/hooks/a.sh": hook("a", "sleep 60", "SessionEnd", "# Order: -5\n# Timeout: 60s\n"),
      "etc/hooks/m.sh": hook("m", "echo m >>ran", "SessionEnd", "# Timeout: 5s\n"),
    });
    // Compiling takes from the same time.
    expect(p.cli("materialize", "--quiet").status).toBe(0);
    const payload = payloadOf("opencode", "dispose", p);
    dispatch(p, lane, "opencode", "SessionEnd", payload);
    expect(p.ledger()[0]).toMatchObject({
      hooks: [
        { name: "a", status: "timeout" },
        { name: "m", status: "ok" },
      ],
    });
    expect(readFileSync(join(p.root, "ran"), "utf8")).toBe("m\n");
  });

  test("once per session", () => {
    const p = project({
      ".anyhook/hooks/a.sh": hook("a", "echo ran >>ran", "PreToolUse", "# Once: true\n"),
    });
    for (const session of ["s1", "s1", "s2", "s1", "../x y"])
      fire(p, lane, payloadOf("claude-code", "PreToolUse--Bash", p, { session_id: session }));
    expect(readFileSync(join(p.root, "ran"), "utf8")).toBe("ran\nran\nran\n");
    expect(p.ledger()[1]).toMatchObject({
      hooks: [{ name: "a", status: "skipped", note: "once per session" }],
    });
  });

  test("Stop holds the agent back once per reason, never in a loop", () => {
    const p = project({ ".anyhook/hooks/a.sh": hook("a", "cat reason >&2\nexit 2", "Stop") });
    const stop = (active: boolean, reason: string) => {
      writeFileSync(join(p.root, "reason"), reason);
      return fire(
        p,
        lane,
        payloadOf("claude-code", "Stop", p, { stop_hook_active: active }),
        "Stop",
      ).status;
    };
    expect([
      stop(false, "tests"),
      stop(true, "tests"),
      stop(true, "lint"),
      stop(true, "lint"),
      stop(false, "tests"),
    ]).toEqual([2, 0, 2, 0, 2]);
    expect(p.ledger()[1]).toMatchObject({
      decision: {
        verdict: "pass",
        clampedFrom: "deny",
        unenforced: "already held back once for this reason",
      },
    });
    expect(Array.from({ length: 12 }, (_, i) => stop(true, `r${i}`))).toEqual([
      2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0,
    ]);
  });

  test("an async hook delays nothing, decides nothing and is on the record when it is done", async () => {
    const p = project({
      ".anyhook/hooks/a.sh": hook(
        "a",
        "sleep 1\ncat >a.out\nexit 2",
        "PreToolUse",
        "# Async: true\n",
      ),
    });
    const payload = payloadOf("claude-code", "PreToolUse--Bash", p);
    const began = Date.now();
    expect(fire(p, lane, payload)).toEqual({ stdout: "", stderr: "", status: 0 });
    expect(Date.now() - began).toBeLessThan(1000);
    for (let i = 0; i < 80 && p.ledger().length < 2; i++) await pause(100);
    expect(readFileSync(join(p.root, "a.out"), "utf8")).toBe(payload);
    expect(p.ledger()).toMatchObject([
      { hooks: [{ name: "a", status: "async" }] },
      { lane: "async", hooks: [{ name: "a", exit: 2 }], decision: { verdict: "pass" } },
    ]);
  });

  test("pause and resume", () => {
    const p = project({ ".anyhook/hooks/a.sh": hook("a", "exit 2") });
    expect(p.cli("pause").status).toBe(0);
    expect(fire(p, lane).status).toBe(0);
    expect(p.ledger().at(-1)).toMatchObject({
      hooks: [{ name: "a", status: "skipped", note: "paused" }],
    });
    p.cli("resume");
    expect(fire(p, lane).status).toBe(2);
  });
});

test("two rewriting hooks with random delays: the same answer twenty times", () => {
  const body = (tag: string): string =>
    `. "$ANYHOOK_LIB"\nc=$(hook_field tool_input.command)\nsleep "0.0$(( $(od -An -N1 -tu1 /dev/urandom) % 10 ))"\nhook_rewrite "{\\"command\\":\\"$c ${tag}\\"}"`;
  const p = project({
    ".anyhook/hooks/a.sh": hook("a", body("one"), "PreToolUse", "# Order: 1\n"),
    ".anyhook/hooks/b.sh": hook("b", body("two"), "PreToolUse", "# Order: 2\n"),
  });
  const payload = payloadOf("claude-code", "PreToolUse--Bash", p, {
    tool_input: { command: "zero" },
  });
  const replies = Array.from({ length: 20 }, () => fire(p, shellLanes()[0]!, payload).stdout);
  expect([...new Set(replies)]).toEqual([
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"zero one two"}}}\n',
  ]);
});

test("a rewrite keeps every digit and every byte that it does not touch", () => {
  const p = project({ ".anyhook/hooks/a.sh": hook("a", `printf '{"rewrite":{"command":"x"}}'`) });
  const input =
    '{ "n":12345678901234567890, "command" : "ls", "f":1.50, "deep":{"a.b":[1, 2]}, "u":"\\u00e9\\/" }';
  for (const lane of [shellLanes()[0]!, NODE_LANE])
    expect(
      fire(
        p,
        lane,
        `{"session_id":"s","cwd":${JSON.stringify(p.root)},"tool_name":"Bash","tool_input":${input}}`,
      ).stdout,
    ).toBe(
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"n":12345678901234567890,"command":"x","f":1.50,"deep":{"a.b":[1, 2]},"u":"\\u00e9\\/"}}}\n',
    );
});

test("a harness that never closes the pipe does not freeze the session", async () => {
  const p = project({ ".anyhook/hooks/a.sh": hook("a", "echo hi") });
  const child = spawn("sh", [DISPATCH, "claude-code", "PreToolUse"], { cwd: p.root, env: p.env });
  child.stdin.write('{"session_id":"s"');
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise((resolve) => child.on("exit", resolve));
  expect(code).toBe(0);
  expect(err).toContain("could not read the event");
  child.stdin.destroy();
}, 30_000);

describe("unknown names", () => {
  test.each([
    ["clod", "PreToolUse"],
    ["codex", "PreToolUze"],
    ["codex", "Notification"],
    ["codex", "../../x"],
  ])("%s %s: said on stderr, exit 0 towards a harness, 1 towards a person", (harness, event) => {
    const p = project({ ".anyhook/hooks/a.sh": hook("a", "exit 2") });
    const reply = dispatch(p, shellLanes()[0]!, harness, event, "{}");
    expect(reply).toMatchObject({
      stdout: "",
      status: 0,
      stderr: expect.stringMatching(/^anyhook: (unknown harness|codex has no event)/) as string,
    });
    expect(p.cli("dispatch", harness, event)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(harness === "clod" ? "clod" : event) as string,
    });
    expect(readFileSync(join(p.home, ".local/state/anyhook/faults.jsonl"), "utf8")).toContain(
      '"fault"',
    );
  });

  test.each(["PreToolUse", "pre-tool-use", "PRE_TOOL_USE", "BeforeTool", "tool.execute.before"])(
    "%s is PreToolUse",
    (event) => {
      const p = project({ ".anyhook/hooks/a.sh": hook("a", "exit 2") });
      expect(
        dispatch(
          p,
          shellLanes()[0]!,
          "claude",
          event,
          payloadOf("claude-code", "PreToolUse--Bash", p),
        ).status,
      ).toBe(2);
    },
  );
});

describe("when node cannot start", () => {
  const module = (extra: string): Record<string, string> => ({
    ".anyhook/hooks/m.ts": `export default { name: "m", event: "PreToolUse", ${extra} run() {} };\n`,
  });
  test("a module hook has failed, visibly", () => {
    const p = project(module(""));
    const reply = fire(p, shellLanes()[0]!);
    expect(reply).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("Hook m failed: node ended with 99") as string,
    });
  });
  test("and a guard that fails closed blocks", () => {
    const p = project(module('on_failure: "block",'));
    expect(fire(p, shellLanes()[0]!)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("set to block") as string,
    });
  });
});

test.each([shellLanes()[0]!, NODE_LANE])(
  "ANYHOOK_TRACE=1 shows the entry on stderr, but not as the reason of a block ($name)",
  (lane) => {
    const p = project({
      ".anyhook/hooks/a.sh": hook("a", "exit 0"),
      ".anyhook/hooks/b.sh": hook("b", "echo no >&2; exit 2", "Stop"),
    });
    expect(fire(p, lane, undefined, "PreToolUse", { ANYHOOK_TRACE: "1" }).stderr).toMatch(
      /^anyhook: trace \{.*"name":"a"/,
    );
    expect(
      fire(p, lane, payloadOf("claude-code", "Stop", p), "Stop", { ANYHOOK_TRACE: "1" }).stderr,
    ).toBe("no\n");
  },
);

test("record: payload keeps the payload, redacted", () => {
  const p = project({
    ".anyhook/settings.json": '{"record":"payload"}',
    ".anyhook/hooks/a.sh": hook("a", "exit 0"),
  });
  fire(
    p,
    { name: "plain", shell: ["sh"], node: true },
    payloadOf("claude-code", "PreToolUse--Bash", p, {
      tool_input: { command: "curl -H 'Authorization: Bearer abc.def'" },
    }),
    "PreToolUse",
    { ANYHOOK_LANE: "" },
  );
  const payload = String(p.ledger().at(-1)?.["payload"]);
  expect(payload).toContain("Bearer [redacted]");
  expect(payload).not.toContain("abc.def");
});

test("a ledger that cannot be written is said, and the answer still comes", () => {
  const p = project({ ".anyhook/hooks/a.sh": hook("a", "exit 2") });
  spawnSync("sh", ["-c", `rm -rf "${p.layout.ledger}" && : >"${p.layout.ledger}"`]);
  const reply = fire(p, shellLanes()[0]!);
  expect(reply.status).toBe(2);
  expect(reply.stderr).toContain("cannot write the ledger");
});

test("lines of 60 concurrent dispatches never mix, long ones included", async () => {
  const p = project({
    ".anyhook/hooks.yaml": `hooks:\n${Array.from({ length: 20 }, (_, i) => `  - {name: h${i}, events: PreToolUse, block: true, command: "echo ${"reason ".repeat(40)} >&2; exit 2"}\n`).join("")}`,
  });
  chmodSync(p.layout.ledger, 0o700);
  const payload = payloadOf("codex", "PreToolUse--Bash", p);
  await Promise.all(
    Array.from(
      { length: 60 },
      () =>
        new Promise((resolve) => {
          const child = spawn("sh", [DISPATCH, "codex", "PreToolUse"], {
            cwd: p.root,
            env: p.env,
            stdio: ["pipe", "ignore", "ignore"],
          });
          child.on("exit", resolve);
          child.stdin.end(payload);
        }),
    ),
  );
  const entries = p.ledger();
  expect(entries).toHaveLength(60);
  expect(entries.every((entry) => (entry["hooks"] as unknown[]).length === 20)).toBe(true);
});

describe.each(["SIGKILL", "SIGTERM"] as const)(
  "when the harness ends the dispatcher with %s",
  (signal) => {
    test("the hook and all it started go too, and nothing is left behind", async () => {
      const mark = `33.${Math.floor(Math.random() * 1e9)}`;
      const p = project({
        ".anyhook/hooks/a.sh": hook(
          "a",
          `(sleep ${mark} &)\nsleep ${mark}`,
          "PreToolUse",
          "# Timeout: 60000\n",
        ),
      });
      const child = spawn("sh", [DISPATCH, "claude-code", "PreToolUse"], {
        cwd: p.root,
        env: p.env,
      });
      child.stdin.end(payloadOf("claude-code", "PreToolUse--Bash", p));
      for (let i = 0; i < 50 && !alive(`sleep ${mark}`); i++) await pause(50);
      expect(alive(`sleep ${mark}`)).toBe(true);
      child.kill(signal);
      await new Promise((resolve) => child.on("exit", resolve));
      for (let i = 0; i < 50 && alive(`sleep ${mark}`); i++) await pause(100);
      expect(alive(`sleep ${mark}`)).toBe(false);
      await pause(500);
      expect(readdirSync(join(p.layout.slot, "run"))).toEqual([]);
      expect(alive(p.root)).toBe(false);
    });
  },
);

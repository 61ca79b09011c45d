import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  dispatch,
  DISPATCH,
  makeProject,
  NODE_LANE,
  payloadOf,
  shellLanes,
  type Lane,
  type Project,
} from "./_dispatch.ts";

/** A guard that must not be lost, whatever the payload, the store or the tree look like. */
const REAL: Lane = { ...shellLanes()[0]!, name: "shell first", real: true };
const open: Project[] = [];
afterEach(() => open.splice(0).forEach((project) => project.remove()));

const script = (name: string, body: string, head = "", event = "PreToolUse"): string =>
  `#!/bin/sh\n# Hook: ${name}\n# Event: ${event}\n${head}${body}\n`;
const GUARD = script("guard", "echo no >&2\nexit 2");

function project(files: Readonly<Record<string, string>>): Project {
  const made = makeProject(files);
  open.push(made);
  made.cli("materialize", "--quiet");
  return made;
}

const fire = (
  p: Project,
  lane: Lane,
  payload: string,
  harness = "claude-code",
  env: Record<string, string> = {},
) => dispatch(p, lane, harness, "PreToolUse", payload, env);
const body = (p: Project, change: Record<string, unknown> = {}): string =>
  JSON.stringify({
    session_id: "s",
    cwd: p.root,
    tool_name: "Bash",
    tool_input: { command: "rm -rf x" },
    tool_use_id: "t",
    ...change,
  });

describe.each([REAL, NODE_LANE])("$name", (lane) => {
  test.each<[string, (p: Project) => string]>([
    ["a long tool_use_id", (p) => body(p, { tool_use_id: "x".repeat(140_000) })],
    ["a long session_id", (p) => body(p, { session_id: "y".repeat(140_000) })],
    ["a long tool_name", (p) => body(p, { tool_name: "z".repeat(140_000) })],
    [
      "a NUL in a path",
      (p) => body(p, { tool_name: "Write", tool_input: { file_path: "/etc/x\0y" } }),
    ],
    ["a NUL in an id", (p) => body(p, { tool_use_id: "a\0b" })],
    [
      "20,000 levels",
      (p) =>
        body(p).replace('"rm -rf x"', `"rm",  "extra":${"[".repeat(20_000)}${"]".repeat(20_000)}`),
    ],
    [
      "20,000 keys, twice",
      (p) =>
        body(p).replace(
          '"rm -rf x"',
          `"rm","e":{${Array.from({ length: 20_000 }, (_, i) => `"k${i % 10_000}":${i}`).join(",")}}`,
        ),
    ],
    [
      "100,000 numbers",
      (p) =>
        body(p, { tool_input: { command: "rm", n: Array.from({ length: 100_000 }, (_, i) => i) } }),
    ],
  ])("the guard holds for %s", (_, payload) => {
    const p = project({ ".anyhook/hooks/guard.sh": GUARD });
    expect(fire(p, lane, payload(p))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no") as string,
    });
  });

  test("a patch with 2,500 files cannot drown a path guard, which learns that it sees but some", () => {
    const p = project({
      ".anyhook/hooks/guard.sh": GUARD.replace(
        "# Event",
        '# Matcher: paths ~ "\\.env$"\n# Event',
      ).replace("echo no", 'echo "no $ANYHOOK_PATHS_CUT"'),
    });
    const none = body(p, { tool_name: "Write", tool_input: { file_path: ".env" } });
    expect(fire(p, lane, none).stderr).toBe("no\n");
    const long = `*** Begin Patch\n*** Add File: ${"x".repeat(140_000)}\n*** Add File: .env\n+x\n`;
    expect(
      fire(p, lane, body(p, { tool_name: "apply_patch", tool_input: { command: long } }), "codex"),
    ).toMatchObject({ status: 2, stderr: "no 1\n" });
    const patch = `*** Begin Patch\n${Array.from({ length: 2500 }, (_, i) => `*** Add File: some/long/folder/name/for/the/sake/of/it/file-${i}.txt\n+x\n`).join("")}*** Add File: .env\n+x\n*** End Patch\n`;
    const reply = fire(
      p,
      lane,
      body(p, { tool_name: "apply_patch", tool_input: { command: patch } }),
      "codex",
    );
    expect(reply).toMatchObject({ status: 2, stderr: "no 1\n" });
  });

  test.each([
    " *** Add File: .env",
    "*** Add File: .env ",
    "\t*** Update File: .env\t",
    "*** Move to: .env",
  ])("a padded patch header is read: %j", (header) => {
    const p = project({
      ".anyhook/hooks/guard.sh": GUARD.replace("# Event", '# Matcher: paths ~ "\\.env$"\n# Event'),
    });
    expect(
      fire(
        p,
        lane,
        body(p, {
          tool_name: "apply_patch",
          tool_input: { command: `*** Begin Patch\n${header}\n+x\n*** End Patch` },
        }),
        "codex",
      ).status,
    ).toBe(2);
  });

  test("a reason of 150 kB still denies", () => {
    const p = project({
      ".anyhook/hooks/guard.sh": script(
        "guard",
        '. "$ANYHOOK_LIB"\nhook_deny "refused: $(hook_field tool_input.command)"',
      ),
    });
    const reply = fire(p, lane, body(p, { tool_input: { command: "rm ".repeat(50_000) } }));
    expect(reply.status).toBe(2);
    expect(JSON.parse(reply.stdout)).toHaveProperty(
      "hookSpecificOutput.permissionDecision",
      "deny",
    );
  });

  test("more than 1 MB of decision JSON is a failure, never a pass by accident", () => {
    const p = project({
      ".anyhook/hooks/g.sh": script(
        "g",
        `printf '{"decision":"block","reason":"'; head -c 1200000 /dev/zero | tr '\\0' x; printf '"}'`,
        "# On-Failure: block\n",
      ),
    });
    expect(fire(p, lane, body(p)).status).toBe(2);
  });

  test("a rewrite where there is nothing to rewrite is said, and the reply stays JSON", () => {
    const p = project({
      ".anyhook/hooks/r.sh": script("r", `printf '{"rewrite":{"command":"x"}}'`),
    });
    for (const payload of [
      JSON.stringify({ session_id: "s", cwd: p.root, tool_name: "Bash" }),
      "garbage",
      body(p).slice(0, -20),
      '{"tool_input":{"command":"cut of',
    ]) {
      const reply = fire(p, lane, payload, "claude-code", { CLAUDE_PROJECT_DIR: p.root });
      expect(reply.status).toBe(0);
      expect(JSON.parse(reply.stdout)).toMatchObject({
        systemMessage: expect.stringContaining("no tool_input to rewrite") as string,
      });
    }
    const big = fire(
      p,
      lane,
      body(p, { tool_input: { command: "ls", content: "y".repeat(1_500_000) } }),
    );
    expect(JSON.parse(big.stdout)).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: "x" } },
    });
  });

  test("of a payload that is cut off no placeholder has a value, and the answer comes", () => {
    const p = project({
      ".anyhook/hooks.yaml": `hooks:\n  - {name: a, events: PreToolUse, block: true, command: 'echo "{args}{tool_input.command}." >&2; exit 2'}\n`,
    });
    for (const payload of ['{"tool_input":{"command":"cut of', '{"tool_input":[{'])
      expect(fire(p, lane, payload, "claude-code", { CLAUDE_PROJECT_DIR: p.root })).toMatchObject({
        status: 2,
        stderr: ".\n",
      });
    expect(fire(p, lane, body(p)).stderr).toBe('{"command":"rm -rf x"}rm -rf x.\n');
  });

  test("a once guard is not lost to a module that hangs after it", () => {
    const p = project({
      ".anyhook/hooks/a.sh": script("a", "echo no >&2\nexit 2", "# Once: true\n# Order: 1\n"),
      ".anyhook/hooks/m.ts":
        'export default { name: "m", event: "PreToolUse", order: 5, timeout: 400, run() { for (;;); } };\n',
    });
    expect(fire(p, lane, body(p)).status).toBe(2);
  });

  test("a Stop guard holds for a session id of any length", () => {
    const p = project({ ".anyhook/hooks/s.sh": script("s", "echo stay >&2\nexit 2", "", "Stop") });
    const payload = payloadOf("claude-code", "Stop", p, { session_id: "long".repeat(200) });
    expect(dispatch(p, lane, "claude-code", "Stop", payload).status).toBe(2);
  });

  test("fifteen hundred hooks and one guard", () => {
    const p = project({
      ".anyhook/settings.json": '{"chain":"first-block"}',
      ".anyhook/hooks/guard.sh": GUARD.replace("# Event", "# Order: -1\n# Event"),
      ".anyhook/hooks.yaml": `hooks:\n${Array.from({ length: 1500 }, (_, i) => `  - {name: a-hook-with-quite-a-long-name-to-fill-the-environment-${i}, events: PreToolUse, command: "true"}\n`).join("")}`,
    });
    expect(fire(p, lane, body(p)).status).toBe(2);
  });
});

describe("a damaged store heals or is said, and is never 'no hooks'", () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    emptied: (file) => truncateSync(file, 0),
    removed: (file) => rmSync(file),
    "cut in half": (file) => truncateSync(file, 40),
  };
  const files: Readonly<Record<string, (slot: string) => string>> = {
    index: (slot) => join(slot, "gen", readdirSync(join(slot, "gen"))[0]!, "index/PreToolUse"),
    automaton: (slot) => join(slot, "dfa", readdirSync(join(slot, "dfa"))[0]!),
    "hooks-manifest": (slot) => join(slot, "hooks-manifest"),
  };
  test.each(
    Object.keys(files).flatMap((file) => Object.keys(damages).map((how) => [file, how] as const)),
  )("%s %s", (file, how) => {
    const p = project({
      ".anyhook/hooks/guard.sh": GUARD.replace(
        "# Event",
        '# Matcher: tool_input.command ~ "^rm"\n# Event',
      ),
    });
    expect(fire(p, REAL, body(p)).status).toBe(2);
    damages[how]!(files[file]!(p.layout.slot));
    expect(fire(p, REAL, body(p)).status).toBe(2);
    expect(fire(p, REAL, body(p)).status).toBe(2);
  });

  test("run/ and state/ that are gone are made again", () => {
    const p = project({ ".anyhook/hooks/guard.sh": GUARD });
    rmSync(join(p.layout.slot, "run"), { recursive: true });
    expect(fire(p, REAL, body(p)).status).toBe(2);
  });

  test.each([REAL, NODE_LANE])("what was compiled goes while hooks run: $name", (lane) => {
    const p = project({
      ".anyhook/hooks/a.sh": script(
        "a",
        `rm -rf "$HOME"/.local/state/anyhook/projects/*/trees/*/gen`,
        "# Order: 1\n",
      ),
      ".anyhook/hooks/guard.sh": GUARD.replace("# Event", "# Order: 2\n# Event"),
    });
    expect(fire(p, lane, body(p)).status).toBe(2);
  });

  test.each([REAL, NODE_LANE])("nothing can be remembered: $name", (lane) => {
    const p = project({
      ".anyhook/hooks/a.sh": script("a", "echo once", "# Order: 1\n# Once: true\n"),
      ".anyhook/hooks/guard.sh": GUARD,
      ".anyhook/hooks/stop.sh": script("stop", "echo stay >&2\nexit 2", "", "Stop"),
    });
    const stop = (active: boolean): number | null =>
      dispatch(
        p,
        lane,
        "claude-code",
        "Stop",
        payloadOf("claude-code", "Stop", p, { stop_hook_active: active }),
      ).status;
    rmSync(join(p.layout.slot, "state"), { recursive: true });
    expect([stop(false), stop(true)]).toEqual([2, 0]);
    rmSync(join(p.layout.slot, "state"), { recursive: true });
    writeFileSync(join(p.layout.slot, "state"), "");
    expect(fire(p, lane, body(p)).status).toBe(2);
    // Held back once at most, rather than for ever.
    expect(stop(true)).toBe(0);
  });

  test("a generation that is replaced while a slow hook runs stays readable", async () => {
    const p = project({
      ".anyhook/hooks/guard.sh": script("guard", "sleep 1.5\necho no >&2\nexit 2"),
    });
    fire(p, REAL, body(p));
    spawnSync("sh", ["-c", `touch -d '1 hour ago' "${p.layout.slot}"/gen/*`]);
    const { spawn } = await import("node:child_process");
    const child = spawn("sh", [DISPATCH, "claude-code", "PreToolUse"], { cwd: p.root, env: p.env });
    child.stdin.end(body(p));
    await new Promise((r) => setTimeout(r, 500));
    p.write({ ".anyhook/hooks/other.sh": script("other", "exit 0", "", "Stop") });
    dispatch(p, REAL, "claude-code", "Stop", payloadOf("claude-code", "Stop", p));
    expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(2);
  });
});

describe("moves that keep every time stamp", () => {
  const pass = { ".anyhook/hooks/guard.sh": script("guard", "exit 0") };
  const older = (p: Project, folder: string): void => {
    mkdirSync(join(p.base, folder, "hooks"), { recursive: true });
    writeFileSync(join(p.base, folder, "hooks/guard.sh"), GUARD);
    chmodSync(join(p.base, folder, "hooks/guard.sh"), 0o755);
  };

  test("the project's folder is swapped for another", () => {
    const p = makeProject(pass);
    open.push(p);
    mkdirSync(join(p.base, "other"));
    older(p, "other/.anyhook");
    p.cli("materialize", "--quiet");
    expect(fire(p, REAL, body(p)).status).toBe(0);
    renameSync(p.root, join(p.base, "aside"));
    renameSync(join(p.base, "other"), p.root);
    expect(fire(p, REAL, body(p)).status).toBe(2);
  });

  test(".anyhook is a link that is turned, or holds one", () => {
    const p = makeProject();
    open.push(p);
    rmSync(join(p.root, ".anyhook"), { recursive: true });
    for (const folder of ["v1", "v2"]) older(p, folder);
    writeFileSync(join(p.base, "v1/hooks/guard.sh"), script("guard", "exit 0"));
    symlinkSync(join(p.base, "v1"), join(p.base, "current"));
    mkdirSync(join(p.root, ".anyhook"));
    symlinkSync(join(p.base, "current/hooks"), join(p.root, ".anyhook/hooks"));
    p.cli("materialize", "--quiet");
    expect(fire(p, REAL, body(p)).status).toBe(0);
    rmSync(join(p.base, "current"));
    symlinkSync(join(p.base, "v2"), join(p.base, "current"));
    expect(fire(p, REAL, body(p)).status).toBe(2);
  });
});

describe("our own trouble is never a block", () => {
  test.each<[string, Record<string, string>]>([
    ["a depth that is no number", { ANYHOOK_DEPTH: "abc" }],
    ["a node that does nothing", { ANYHOOK_NODE: "/bin/true" }],
    ["no HOME", { HOME: "" }],
    ["a store that cannot be made", { ANYHOOK_HOME: "/dev/null/x" }],
  ])("%s", (_, env) => {
    const p = makeProject({ ".anyhook/hooks/a.sh": script("a", "exit 0") });
    open.push(p);
    expect(
      fire(p, { name: "plain", shell: ["dash"], real: true }, body(p), "claude-code", env).status,
    ).toBe(0);
  });

  test("an installation that is not complete", () => {
    const p = project({ ".anyhook/hooks/a.sh": GUARD });
    mkdirSync(join(p.base, "half/shell"), { recursive: true });
    spawnSync("cp", [DISPATCH, join(p.base, "half/shell/dispatch.sh")]);
    const { status, stderr } = spawnSync(
      "dash",
      [join(p.base, "half/shell/dispatch.sh"), "codex", "PreToolUse"],
      { env: p.env, input: "{}", encoding: "utf8" },
    );
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining("not complete") as string,
    });
  });

  test("a link to / below .anyhook does not hang anybody", () => {
    const p = makeProject({ ".anyhook/hooks/a.sh": GUARD });
    open.push(p);
    symlinkSync("/", join(p.root, ".anyhook/hooks/x"));
    const began = Date.now();
    expect(fire(p, { name: "plain", shell: ["dash"], real: true }, body(p)).status).toBe(2);
    expect(Date.now() - began).toBeLessThan(20_000);
  });
});

test("a session that moves into a project whose store is damaged is under its guard all the same", () => {
  const p = project({ ".anyhook/hooks/guard.sh": GUARD });
  const from = (): number | null =>
    spawnSync("dash", [DISPATCH, "codex", "PreToolUse"], { cwd: "/", env: p.env, input: body(p) })
      .status;
  expect(from()).toBe(2);
  const gen = join(p.layout.slot, "gen");
  truncateSync(join(gen, readdirSync(gen)[0]!, "index/PreToolUse"), 0);
  expect(from()).toBe(2);
});

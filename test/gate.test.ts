import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { layoutOf } from "../src/dispatch/layout.ts";
import {
  dispatch,
  DISPATCH,
  makeProject,
  payloadOf,
  shellLanes,
  type Lane,
  type Project,
} from "./_dispatch.ts";

/** Real node, the system's sh: what a harness calls. */
const PLAIN: Lane = { name: "plain", shell: ["sh"], node: true };
const hook = (name: string, body: string): string =>
  `#!/bin/sh\n# Hook: ${name}\n# Event: PreToolUse\n${body}\n`;
const says = (name: string, text: string): string => hook(name, `echo "${text}"`);

const open: Project[] = [];
afterEach(() => open.splice(0).forEach((project) => project.remove()));

function project(files: Readonly<Record<string, string>>, name?: string): Project {
  const made = makeProject(files, name);
  open.push(made);
  return made;
}

function fire(p: Project, env: Readonly<Record<string, string>> = {}): string {
  const payload = payloadOf("claude-code", "PreToolUse--Bash", p);
  const reply = dispatch(p, PLAIN, "claude-code", "PreToolUse", payload, {
    ANYHOOK_LANE: "",
    ...env,
  });
  const out = JSON.parse(reply.stdout || "{}") as {
    hookSpecificOutput?: { additionalContext?: string };
  };
  return (out.hookSpecificOutput?.additionalContext ?? "").replace(/<[^>]*>\n?/g, "").trim();
}

const compiledAt = (p: Project): number => statSync(join(p.layout.slot, "gate")).mtimeMs;
const hooks = (p: Project): string => join(p.root, ".anyhook/hooks");

describe("an edit takes effect on the very next event", () => {
  const edits: Readonly<Record<string, (p: Project) => void>> = {
    "rewritten by an editor": (p) => p.write({ ".anyhook/hooks/a.sh": says("a", "new") }),
    "sed -i": (p) => void spawnSync("sed", ["-i", "s/old/new/", join(hooks(p), "a.sh")]),
    "write to a temp file, then rename": (p) => {
      writeFileSync(join(hooks(p), ".a.tmp"), says("a", "new"));
      chmodSync(join(hooks(p), ".a.tmp"), 0o755);
      renameSync(join(hooks(p), ".a.tmp"), join(hooks(p), "a.sh"));
    },
    "an edit that keeps the mtime": (p) => {
      const file = join(hooks(p), "a.sh");
      const { atime, mtime } = statSync(file);
      writeFileSync(file, says("a", "new"));
      utimesSync(file, atime, mtime);
    },
    "cp -p of an older file": (p) => {
      const older = join(p.base, "older.sh");
      writeFileSync(older, says("a", "new"));
      chmodSync(older, 0o755);
      utimesSync(older, new Date(1e12), new Date(1e12));
      spawnSync("cp", ["-p", older, join(hooks(p), "a.sh")]);
    },
  };

  test.each(Object.entries(edits))("%s", (_, edit) => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "old") });
    expect(fire(p)).toBe("old");
    edit(p);
    expect(fire(p)).toBe("new");
  });

  // The script of a script hook is read at each event anyway; these change what is compiled.
  const definitions: Readonly<Record<string, readonly [(p: Project) => void, string]>> = {
    "a new matcher": [
      (p) =>
        p.write({
          ".anyhook/hooks/a.sh": says("a", "old").replace(
            "Hook: a",
            'Hook: a\n# Matcher: tool_name = "Read"',
          ),
        }),
      "",
    ],
    "a new hook": [(p) => p.write({ ".anyhook/hooks/b.sh": says("b", "more") }), "old\nmore"],
    "a nested node": [
      (p) =>
        p.write({
          ".anyhook/deep/er/NODE.md": "---\nsurface: hook\nevents: [PreToolUse]\norder: 9\n---\n",
          ".anyhook/deep/er/run.sh": "#!/bin/sh\necho node\n",
        }),
      "old\nnode",
    ],
    "a deletion": [(p) => rmSync(join(hooks(p), "a.sh")), ""],
    "a rename": [(p) => renameSync(join(hooks(p), "a.sh"), join(hooks(p), "z.sh")), "old"],
    "a user layer that appears": [
      (p) => p.write({ "home/.config/anyhook/hooks/u.sh": says("u", "user") }),
      "old\nuser",
    ],
    "a changed list": [
      (p) =>
        p.write({
          ".anyhook/hooks.yaml": "hooks:\n  - {name: l, events: PreToolUse, command: echo list}\n",
        }),
      "list\nold",
    ],
  };

  test.each(Object.entries(definitions))("%s", (_, [edit, after]) => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "old") });
    expect(fire(p)).toBe("old");
    edit(p);
    expect(fire(p)).toBe(after);
  });

  test("chmod -x makes a hook fail visibly, chmod +x brings it back", () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "old") });
    expect(fire(p)).toBe("old");
    chmodSync(join(hooks(p), "a.sh"), 0o644);
    expect(fire(p)).toBe("");
    expect(p.ledger().at(-1)).toMatchObject({ hooks: [{ name: "a", status: "failed" }] });
    chmodSync(join(hooks(p), "a.sh"), 0o755);
    expect(fire(p)).toBe("old");
  });

  test("git checkout of another branch switches hooks", () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "main") });
    const git = (...args: string[]) =>
      spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
        cwd: p.root,
      });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "one");
    git("checkout", "-qb", "other");
    p.write({
      ".anyhook/hooks/a.sh": says("a", "other"),
      ".anyhook/hooks/b.sh": says("b", "extra"),
    });
    git("add", "-A");
    git("commit", "-qm", "two");
    expect(fire(p)).toBe("other\nextra");
    git("checkout", "-q", "main");
    expect(fire(p)).toBe("main");
    git("checkout", "-q", "other");
    expect(fire(p)).toBe("other\nextra");
    expect(git("status", "--porcelain").stdout.toString()).toBe("");
  });

  test("many edits in quick succession are each seen", () => {
    const p = project({ ".anyhook/hooks.yaml": "hooks: []\n" });
    for (let i = 0; i < 8; i++) {
      p.write({
        ".anyhook/hooks.yaml": `hooks:\n  - {name: l, events: PreToolUse, command: echo v${i}}\n`,
      });
      expect(fire(p)).toBe(`v${i}`);
    }
  });
});

describe("nothing is compiled without need", () => {
  test("a quiet second event, and a bare touch, compile nothing", () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "old") });
    fire(p);
    const first = compiledAt(p);
    fire(p);
    utimesSync(join(hooks(p), "a.sh"), new Date(), new Date());
    expect(fire(p)).toBe("old");
    expect(compiledAt(p)).toBe(first);
    p.write({ ".anyhook/hooks/b.sh": says("b", "more") });
    fire(p);
    expect(compiledAt(p)).toBeGreaterThan(first);
  });

  test("same content, same manifest, in another place and after a recompile", () => {
    const files = {
      ".anyhook/hooks/a.sh": says("a", "x"),
      ".anyhook/hooks.yaml":
        "hooks:\n  - {name: l, events: [Stop, SessionEnd], command: echo list}\n",
    };
    const [one, two] = [project(files), project(files, "else where")];
    fire(one);
    fire(two);
    const text = (p: Project): string =>
      readFileSync(join(p.layout.slot, "hooks-manifest"), "utf8");
    expect(text(one)).toBe(text(two));
    const columns = text(one)
      .split("\n")
      .map((line) => line.split("\t").slice(0, 4));
    expect(columns).toContainEqual(["PreToolUse", "0", "true", ".anyhook/hooks/a.sh"]);
    const before = text(one);
    rmSync(one.layout.slot, { recursive: true });
    fire(one);
    expect(text(one)).toBe(before);
  });

  test("the quiet path starts no node, and the first compile does", () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "x") });
    const poisoned = shellLanes()[0]!;
    const payload = payloadOf("claude-code", "PreToolUse--Bash", p);
    const cold = dispatch(p, poisoned, "claude-code", "PreToolUse", payload);
    expect(cold).toEqual({
      stdout: "",
      stderr: expect.stringContaining("could not be compiled") as string,
      status: 0,
    });
    p.cli("materialize", "--quiet");
    expect(dispatch(p, poisoned, "claude-code", "PreToolUse", payload).stdout).toContain("x");
  });
});

describe("the store", () => {
  test.each([
    "shop",
    "with space",
    "per%cent+plus",
    "ü-umlaut",
    "quo'te",
    "tab\there",
    `${"long-name-".repeat(20)}x`,
  ])("%s: program and shell compute the same place", (name) => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "here") }, name);
    expect(fire(p)).toBe("here");
    expect(readdirSync(p.layout.slot)).toContain("hooks-manifest");
    expect(p.cli("path", "slot").stdout.trim()).toBe(p.layout.slot);
  });

  test("nothing is written to the work tree", () => {
    const p = project({
      ".anyhook/hooks/a.sh": says("a", "here"),
      ".anyhook/hooks/t.ts":
        'export default { name: "t", event: "PreToolUse", run() { return "ts"; } };\n',
    });
    spawnSync("git", ["init", "-q"], { cwd: p.root });
    spawnSync("git", ["add", "-A"], { cwd: p.root });
    expect(fire(p)).toBe("here\nts");
    expect(
      spawnSync("git", ["status", "--porcelain", "--ignored"], { cwd: p.root }).stdout.toString(),
    ).toBe("A  .anyhook/hooks/a.sh\nA  .anyhook/hooks/t.ts\n");
    expect(readdirSync(join(p.layout.slot, "run"))).toEqual([]);
  });

  test("two worktrees with different hooks are never mixed", () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "main") });
    const git = (...args: string[]) =>
      spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
        cwd: p.root,
      });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "one");
    git("worktree", "add", "-q", "-b", "side", join(p.base, "side"));
    writeFileSync(join(p.base, "side/.anyhook/hooks/a.sh"), says("a", "side"));
    const side: Project = {
      ...p,
      root: join(p.base, "side"),
      layout: layoutOf(join(p.base, "side"), p.env),
    };
    for (let i = 0; i < 4; i++) expect([fire(p), fire(side)]).toEqual(["main", "side"]);
    expect(side.layout.project).toBe(p.layout.project);
    expect(side.layout.slot).not.toBe(p.layout.slot);
  });

  test("from a subdirectory, a symlink and a payload that works elsewhere, the project is found", () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "found") });
    mkdirSync(join(p.root, "sub/dir"), { recursive: true });
    symlinkSync(p.root, join(p.base, "link"));
    const from = (cwd: string, hint: string): string => {
      const payload = payloadOf("codex", "PreToolUse--Bash", p);
      return spawnSync("sh", [DISPATCH, "codex", "PreToolUse"], {
        cwd,
        env: { ...p.env, CLAUDE_PROJECT_DIR: hint },
        input: payload,
        encoding: "utf8",
      }).stdout;
    };
    for (const cwd of [p.root, join(p.root, "sub/dir"), join(p.base, "link/sub"), "/"])
      expect(from(cwd, "")).toContain("found");
  });

  test("a project without hooks, a missing manifest and no store at all are silence", () => {
    const p = makeProject();
    open.push(p);
    rmSync(join(p.root, ".anyhook"), { recursive: true });
    expect(
      dispatch(
        p,
        PLAIN,
        "claude-code",
        "PreToolUse",
        payloadOf("claude-code", "PreToolUse--Bash", p),
        { ANYHOOK_LANE: "" },
      ),
    ).toEqual({ stdout: "", stderr: "", status: 0 });
    const q = project({ ".anyhook/settings.json": "{}" });
    expect(fire(q)).toBe("");
    rmSync(join(q.layout.slot, "hooks-manifest"));
    expect(fire(q)).toBe("");
  });

  test("a damaged line of the index is made anew; without node it is said, and the other lines still run", () => {
    const p = project({
      ".anyhook/hooks/a.sh": says("a", "one"),
      ".anyhook/hooks/b.sh": says("b", "two"),
    });
    fire(p);
    const gen = join(p.layout.slot, "gen");
    const file = join(gen, readdirSync(gen)[0]!, "index/PreToolUse");
    writeFileSync(file, readFileSync(file, "utf8").replace(/\tscript\t/, " "));
    const text = readFileSync(file, "utf8");
    expect(fire(p)).toBe("one\ntwo");
    writeFileSync(file, text);
    const poisoned = shellLanes()[0]!;
    const payload = payloadOf("claude-code", "PreToolUse--Bash", p);
    expect(dispatch(p, poisoned, "claude-code", "PreToolUse", payload).stdout).toContain("two");
    expect(p.ledger().at(-1)).toMatchObject({ notes: ["line 2 of the manifest is damaged"] });
  });
});

describe("concurrency", () => {
  const fireAsync = (p: Project): Promise<string> =>
    new Promise((resolve) => {
      const child = spawn("sh", [DISPATCH, "codex", "PreToolUse"], { cwd: p.root, env: p.env });
      let out = "";
      child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
      child.on("close", (code) => resolve(`${code}:${out}`));
      child.stdin.end(payloadOf("codex", "PreToolUse--Bash", p));
    });

  test("100 dispatches right after an edit: one compile, 100 identical replies", async () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "old") });
    fire(p);
    p.write({
      ".anyhook/hooks.yaml": "hooks:\n  - {name: l, events: PreToolUse, command: echo list}\n",
    });
    const replies = await Promise.all(Array.from({ length: 100 }, () => fireAsync(p)));
    expect([...new Set(replies)]).toEqual([expect.stringMatching(/^0:.*list.*old/s)]);
    const generations = readdirSync(join(p.layout.slot, "gen"));
    expect(generations).toHaveLength(2);
    expect(compiles(p)).toBe(2);
    const entries = p.ledger();
    expect(entries).toHaveLength(101);
  });

  const compiles = (p: Project): number =>
    readFileSync(join(p.layout.slot, "compiles"), "utf8").trim().split("\n").length;

  test("a dead lock holder is replaced at once, a live one is waited for", async () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "old") });
    fire(p);
    const holder = spawn("sleep", ["30"]);
    const lock = (n: number, pid: number | undefined) =>
      symlinkSync(`${pid}-`, join(p.layout.slot, `lock.${n}`));
    lock(50, holder.pid);
    p.write({ ".anyhook/hooks/b.sh": says("b", "more") });
    const waiting = fireAsync(p);
    const first = await Promise.race([
      waiting,
      new Promise((r) => setTimeout(() => r("still waiting"), 700)),
    ]);
    expect(first).toBe("still waiting");
    holder.kill("SIGKILL");
    expect(await waiting).toContain("more");
  });

  test("kill -9 of the compiling process: the next event compiles", async () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "old") });
    fire(p);
    p.write({ ".anyhook/hooks/b.sh": says("b", "more") });
    const slow = join(p.base, "slow-node");
    writeFileSync(slow, "#!/bin/sh\nsleep 30\n");
    chmodSync(slow, 0o755);
    const child = spawn("sh", [DISPATCH, "codex", "PreToolUse"], {
      cwd: p.root,
      env: { ...p.env, ANYHOOK_NODE: slow },
      detached: true,
    });
    child.stdin.end("{}");
    await new Promise((r) => setTimeout(r, 400));
    process.kill(-child.pid!, "SIGKILL");
    expect(fire(p)).toBe("old\nmore");
  });
});

describe("when compiling fails", () => {
  test("the last good hooks apply, and the user is told once per session", () => {
    const p = project({ ".anyhook/hooks/a.sh": says("a", "old") });
    fire(p);
    p.write({ ".anyhook/hooks/b.sh": says("b", "more") });
    const broken = join(p.base, "broken-node");
    writeFileSync(broken, "#!/bin/sh\necho 'no room left' >&2\nexit 3\n");
    chmodSync(broken, 0o755);
    const payload = payloadOf("claude-code", "PreToolUse--Bash", p);
    const run = () =>
      dispatch(p, { name: "b", shell: ["sh"] }, "claude-code", "PreToolUse", payload, {
        ANYHOOK_NODE: broken,
      });
    const first = run();
    expect(first.stdout).toContain("old");
    expect(JSON.parse(first.stdout)).toMatchObject({
      systemMessage: expect.stringContaining("no room left") as string,
    });
    expect(JSON.parse(run().stdout)).not.toHaveProperty("systemMessage");
    expect(fire(p)).toBe("old\nmore");
  });

  test("one bad hook disables nobody else, and its last good version keeps running", () => {
    const p = project({
      ".anyhook/hooks.yaml":
        "hooks:\n  - {name: one, events: PreToolUse, command: echo one}\n  - {name: two, events: PreToolUse, command: echo two}\n",
    });
    expect(fire(p)).toBe("one\ntwo");
    p.write({
      ".anyhook/hooks.yaml":
        "hooks:\n  - {name: one, events: PreTolUse, command: echo ONE}\n  - {name: two, events: PreToolUse, command: echo TWO}\n",
    });
    expect(fire(p)).toBe("one\nTWO");
    p.write({ ".anyhook/hooks.yaml": "hooks:\n  - {name: one, eve" });
    expect(fire(p)).toBe("one\nTWO");
    expect(p.cli("validate").stdout + p.cli("validate").stderr).toContain("hooks.yaml:2");
  });
});

test("the copied package answers from anywhere", () => {
  const p = project({ ".anyhook/hooks/a.sh": says("a", "copy") });
  const copy = join(p.base, "a copy");
  cpSync(join(DISPATCH, "../../shell"), join(copy, "shell"), { recursive: true });
  cpSync(join(DISPATCH, "../../dist"), join(copy, "dist"), { recursive: true });
  symlinkSync(join(DISPATCH, "../../node_modules"), join(copy, "node_modules"));
  const { stdout } = spawnSync(join(copy, "shell/dispatch.sh"), ["codex", "PreToolUse"], {
    cwd: p.root,
    env: p.env,
    input: payloadOf("codex", "PreToolUse--Bash", p),
    encoding: "utf8",
  });
  expect(stdout).toContain("copy");
});

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitHookOf, withGate, withoutGate, applyChange } from "../../src/install/git-hooks.ts";
import { storeRoot } from "../../src/dispatch/layout.ts";
import { CLI } from "../_dispatch.ts";
import { place, type Place } from "../cli/_cli.ts";

const HOOKS = {
  ".anyhook/hooks.yaml": `hooks:
  - { name: hello, events: [SessionStart], command: "echo remember the milk" }
  - { name: bye, events: [SessionEnd], command: "echo >>ended" }
  - { name: echo, events: [UserPromptSubmit], command: "echo noted" }
  - name: hold
    events: [Stop]
    block: true
    command: |-
      grep -q '"stop_hook_active":true' || { echo "not yet" >&2; exit 2; }
  - { name: tests, events: [TaskCompleted], block: true, command: "echo red >&2; exit 2" }
`,
};

const act = (here: Place, ...args: string[]) => here.json("codex", ...args, "--thread", "t1");

describe("a lifecycle without hooks", () => {
  test("once per thread: repeated, it says performed: false and why", () => {
    const here = place(HOOKS);
    expect(act(here, "status")).toMatchObject({ state: "not started" });
    expect(act(here, "ensure-stop")).toMatchObject({
      performed: false,
      why: "it was never started",
    });
    const first = act(here, "ensure-start");
    expect(first).toMatchObject({ performed: true, why: "first start of this thread" });
    expect(first["context"]).toContain("remember the milk");
    expect(act(here, "ensure-start")).toMatchObject({
      performed: false,
      why: expect.stringMatching(/^already started .*once per thread$/) as string,
      context: "",
    });
    expect(act(here, "status")).toMatchObject({ state: "running" });
    expect(act(here, "ensure-stop")).toMatchObject({ performed: true });
    expect(act(here, "stop")).toMatchObject({
      performed: false,
      why: expect.stringMatching(/^already stopped/) as string,
    });
    expect(act(here, "status")).toMatchObject({ state: "stopped" });
    expect(readFileSync(join(here.project.root, "ended"), "utf8")).toBe("\n");
    expect(act(here, "start")).toMatchObject({
      performed: true,
      why: "the thread goes on after it was stopped",
    });
    const told = here.project
      .ledger()
      .map(({ harness, event, session }) => [harness, event, session]);
    expect(told).toEqual([
      ["codex", "SessionStart", "t1"],
      ["codex", "SessionEnd", "t1"],
      ["codex", "SessionStart", "t1"],
    ]);
  });

  test("stop --close-loop runs the Stop hooks, which can hold it back once", () => {
    const here = place(HOOKS);
    act(here, "start");
    const held = here.run("codex", "stop", "--close-loop", "--thread", "t1");
    expect(held).toMatchObject({ exit: 1 });
    expect(held.out).toContain("not performed: held back by a hook: not yet");
    expect(act(here, "status")).toMatchObject({ state: "running" });
    expect(act(here, "stop", "--close-loop")).toMatchObject({ performed: true });
  });

  test("a prompt brings context, a failed check blocks the task", () => {
    const here = place(HOOKS);
    expect(act(here, "prompt", "--text", "go")).toMatchObject({
      blocked: false,
      context: expect.stringContaining("noted") as string,
    });
    const done = here.run("codex", "task-completed", "--thread", "t1");
    expect(done).toMatchObject({ exit: 1, out: "Blocked: red\n" });
  });

  test("the thread is what the harness says, else one per project", () => {
    const here = place(HOOKS);
    const env = { ...here.project.env, CODEX_THREAD_ID: "abc" };
    const named = here.runWith({ env }, "codex", "ensure-start", "--json");
    expect(JSON.parse(named.out)).toMatchObject({ thread: "abc", performed: true });
    expect(here.json("codex", "ensure-start")).toMatchObject({
      thread: `project:${here.project.root}`,
      performed: true,
    });
    expect(here.json("lifecycle", "manual", "start")).toMatchObject({ performed: true });
    const status = (): string => here.run("lifecycle", "manual", "status").out;
    expect(status()).toMatch(/ is running: it began (just now|\d+ \w+ ago)\n$/);
    here.run("lifecycle", "manual", "stop");
    expect(status()).toMatch(/ is stopped: it ended (just now|\d+ \w+ ago)\n$/);
    expect(here.run("lifecycle", "codexx", "start")).toMatchObject({ exit: 2 });
    expect(here.run("codex", "begin")).toMatchObject({ exit: 2 });
  });

  test("a damaged state file is set aside, said, and not believed", () => {
    const here = place(HOOKS);
    act(here, "start");
    const folder = join(storeRoot(here.project.env), "lifecycle/codex");
    const [file] = readdirSync(folder);
    writeFileSync(join(folder, file!), '{"v":1,"harness":"codex","thread":"other"}');
    const status = here.run("codex", "status", "--thread", "t1");
    expect(status).toMatchObject({ exit: 1 });
    expect(status.out).toMatch(
      /is not started\nA state file was damaged and set aside: .*\.damaged/,
    );
    expect(act(here, "start")).toMatchObject({ performed: true });
    expect(readdirSync(folder).filter((name) => name.endsWith(".damaged"))).toHaveLength(1);
  });

  test("of ten starts at once exactly one is performed", async () => {
    const here = place(HOOKS);
    here.run("materialize");
    const one = (): Promise<boolean> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [CLI, "codex", "start", "--thread", "t", "--json"], {
          cwd: here.project.root,
          env: here.project.env,
        });
        let text = "";
        child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
        child.on("close", () => resolve((JSON.parse(text) as { performed: boolean }).performed));
      });
    const all = await Promise.all(Array.from({ length: 10 }, one));
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(here.project.ledger()).toHaveLength(1);
  });

  test("an old Codex gets no entries but the skill, and a connected new one needs neither", () => {
    const here = place(HOOKS);
    const home = here.project.env["HOME"]!;
    const bin = join(home, "bin");
    spawnSync("mkdir", ["-p", bin, join(home, ".codex")]);
    const env = { ...here.project.env, PATH: `${bin}:${here.project.env["PATH"]}` };
    const codex = (version: string): void => {
      writeFileSync(join(bin, "codex"), `#!/bin/sh\necho codex-cli ${version}\n`);
      chmodSync(join(bin, "codex"), 0o755);
    };
    const run = (...args: string[]) => here.runWith({ env }, ...args);
    codex("0.98.0");
    const refused = run("install", "--harness", "codex", "--yes");
    expect(refused).toMatchObject({ exit: 1, out: "" });
    expect(refused.err).toMatch(/no hooks in the version[^]*lifecycle codex skill --write/);
    expect(existsSync(join(home, ".codex/hooks.json"))).toBe(false);
    expect(run("codex", "skill", "--write").out).toContain("Written: ");
    const skill = join(home, ".codex/skills/anyhook-lifecycle/SKILL.md");
    expect(readFileSync(skill, "utf8")).toContain("anyhook lifecycle codex ensure-start");
    expect(run("codex", "skill", "--write").out).toContain("Nothing to change");
    expect(JSON.parse(run("codex", "ensure-start", "--json").out)).toMatchObject({
      performed: true,
    });
    codex("0.166.0");
    expect(run("install", "--harness", "codex", "--yes").exit).toBe(0);
    expect(JSON.parse(run("codex", "ensure-stop", "--json").out)).toMatchObject({
      performed: false,
      why: "the harness calls hooks itself here, and they do this",
    });
  });

  test("the skill of no harness in particular names none", () => {
    const here = place();
    expect(here.run("lifecycle", "manual", "skill").out).toContain("at the end of every task.\n");
    expect(here.run("codex", "skill").out).toContain("at the end of every task in Codex CLI.\n");
  });

  test("outside a repository the gate says so: exit 1", () => {
    const here = place();
    for (const verb of [
      ["gate", "pre-commit"],
      ["install", "--git-hooks"],
    ]) {
      const refused = here.runWith({ cwd: "/" }, ...verb);
      expect(refused.exit).toBe(1);
      expect(refused.err).toContain("/ is in no git repository");
      expect(refused.err).toContain("run it inside a git repository");
    }
  });

  test("the skill calls every one of them", () => {
    const text = place().run("codex", "skill").out;
    for (const action of ["ensure-start", "prompt", "task-completed", "stop --close-loop"])
      expect(text).toContain(`anyhook lifecycle codex ${action}`);
  });
});

const GUARD = {
  ".anyhook/hooks/no-key.sh": `#!/bin/sh
# Event: PreToolUse
# Matcher: tool_name = "Write" and tool_input.content ~ "SECRET"
echo "no secrets" >&2
exit 2
`,
  ".anyhook/hooks/remark.sh": `#!/bin/sh
# Event: PostToolUse
# Matcher: tool_name = "Write" and paths = "glob:**/*.md"
echo "spell-check it"
`,
};

function repository(): Place {
  const here = place(GUARD);
  const git = (...args: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: here.project.root,
      env: here.project.env,
    });
  git("init", "-q");
  writeFileSync(join(here.project.root, "a b.txt"), "SECRET\n");
  writeFileSync(join(here.project.root, "doc.md"), "hi\n");
  git("add", "a b.txt", "doc.md");
  return here;
}

describe("the git gate", () => {
  test("judges what is staged, not what lies in the work tree", () => {
    const here = repository();
    writeFileSync(join(here.project.root, "a b.txt"), "clean\n");
    const { exit, out } = here.run("gate", "pre-commit");
    expect(exit).toBe(1);
    expect(out).toContain("blocked  a b.txt: no secrets");
    expect(out).toContain("remark  doc.md:");
    expect(out).toContain("spell-check it");
    spawnSync("git", ["add", "a b.txt"], { cwd: here.project.root });
    expect(here.run("gate", "pre-commit")).toMatchObject({ exit: 0 });
    expect(here.run("gate", "pre-push")).toMatchObject({ exit: 2 });
  });

  test("install --git-hooks asks, writes, and uninstall takes it out again", () => {
    const here = repository();
    const { file } = gitHookOf(here.project.root);
    expect(here.run("install", "--git-hooks")).toMatchObject({ exit: 2 });
    expect(existsSync(file)).toBe(false);
    expect(here.run("install", "--git-hooks", "--dry-run").out).toContain(
      "+  anyhook gate pre-commit",
    );
    expect(here.json("install", "--git-hooks", "--yes")).toMatchObject({
      keeper: "git",
      written: true,
    });
    expect(here.json("install", "--git-hooks", "--yes")).toMatchObject({ written: false });
    expect(here.json("uninstall", "--git-hooks", "--yes")).toMatchObject({ written: true });
    expect(existsSync(file)).toBe(false);
    writeFileSync(join(here.project.root, "lefthook.yml"), "");
    const advised = here.run("install", "--git-hooks", "--yes");
    expect(advised).toMatchObject({ exit: 1 });
    expect(advised.out).toContain("run: anyhook gate pre-commit");
  });

  test("beside a script that is there: ours is added, works, and goes away byte for byte", () => {
    const here = repository();
    const { file, keeper } = gitHookOf(here.project.root);
    expect(keeper).toBe("git");
    const foreign = "#!/bin/sh\necho mine\nexec true\n";
    writeFileSync(file, foreign);
    chmodSync(file, 0o755);
    applyChange(withGate(file)!);
    expect(withGate(file)).toBeUndefined();
    const bin = join(here.project.root, "bin");
    spawnSync("mkdir", [bin]);
    writeFileSync(join(bin, "anyhook"), `#!/bin/sh\nexec ${process.execPath} '${CLI}' "$@"\n`);
    chmodSync(join(bin, "anyhook"), 0o755);
    const commit = (path: string) =>
      spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"], {
        cwd: here.project.root,
        env: { ...here.project.env, PATH: path },
        encoding: "utf8",
      });
    const path = here.project.env["PATH"]!;
    const refused = commit(`${bin}:${path}`);
    expect(refused.status).toBe(1);
    expect(refused.stdout + refused.stderr).toContain("no secrets");
    const without = commit(path);
    expect(without.status).toBe(0);
    expect(without.stdout + without.stderr).toMatch(/anyhook is not installed[^]*mine/);
    applyChange(withoutGate(file)!);
    expect(readFileSync(file, "utf8")).toBe(foreign);
  });

  test("a script of its own is made and removed; other keepers are advised or joined", () => {
    const here = repository();
    const { file } = gitHookOf(here.project.root);
    applyChange(withGate(file)!);
    expect(readFileSync(file, "utf8")).toContain("anyhook gate pre-commit");
    applyChange(withoutGate(file)!);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, "#!/usr/bin/env python3\n");
    expect(() => withGate(file)).toThrow(/not a shell script/);
    writeFileSync(join(here.project.root, "lefthook.yml"), "");
    expect(gitHookOf(here.project.root)).toMatchObject({ keeper: "lefthook", file: "" });
    spawnSync("git", ["config", "core.hooksPath", ".husky/_"], { cwd: here.project.root });
    expect(gitHookOf(here.project.root)).toMatchObject({
      keeper: "husky",
      file: join(here.project.root, ".husky/pre-commit"),
    });
  });
});

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { commandsIn } from "../examples/framework/.anyhook/hooks/_command.ts";
import { deletes } from "../examples/framework/.anyhook/hooks/_deletes.ts";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { DISPATCH, makeProject, payloadOf, REPO, type Project } from "./_dispatch.ts";

const projects: Project[] = [];
afterAll(() => projects.forEach((project) => project.remove()));

/** A copy of the example, since running it must not touch the original. */
function example(name: string): Project {
  const project = makeProject({}, name);
  cpSync(join(REPO, "examples", name), project.root, { recursive: true });
  projects.push(project);
  return project;
}

interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** As the harness does it: the front door, the payload on stdin, nothing else. */
function send(project: Project, harness: string, event: string, payload: string): Answer {
  const { status, stdout, stderr } = spawnSync("sh", [DISPATCH, harness, event], {
    cwd: project.root,
    env: project.env,
    input: payload,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Those that speak Claude's form, so that one payload can be changed for all of them. */
const HARNESSES = ADAPTERS.map((adapter) => adapter.id).filter((id) =>
  existsSync(join(REPO, "test/fixtures", id, "payloads/SessionEnd--other.json")),
);

const bash = (project: Project, harness: string, command: string): Answer =>
  send(
    project,
    harness,
    "PreToolUse",
    payloadOf(harness, "PreToolUse--Bash", project, { tool_input: { command } }),
  );

/** The tool that writes files, by the harness's own name, for one path. */
function write(project: Project, harness: string, path: string): string {
  const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch\n`;
  return harness === "codex"
    ? payloadOf(harness, "PreToolUse--apply_patch", project, { tool_input: { command: patch } })
    : payloadOf(harness, "PreToolUse--Write", project, {
        tool_input: { file_path: join(project.root, path), content: "b" },
      });
}

test("every example has a README and compiles without a complaint", () => {
  const names = readdirSync(join(REPO, "examples"));
  expect(names.toSorted()).toEqual([
    "agent-loop",
    "auto-format",
    "claude-agent-sdk",
    "first-hook-sh",
    "first-hook-ts",
    "framework",
    "second-opinion",
    "spec",
    "vercel-ai-sdk",
  ]);
  for (const name of names) {
    expect(existsSync(join(REPO, "examples", name, "README.md")), name).toBe(true);
    expect(example(name).cli("validate"), name).toMatchObject({ status: 0, stderr: "" });
  }
});

describe.each(HARNESSES)("as %s", (harness) => {
  describe("framework", () => {
    test("LoadContext: CONTEXT.md reaches the model", () => {
      const project = example("framework");
      const { status, stdout } = send(
        project,
        harness,
        "SessionStart",
        payloadOf(harness, "SessionStart--startup", project),
      );
      expect(status).toBe(0);
      const { hookSpecificOutput } = JSON.parse(stdout) as {
        hookSpecificOutput: { additionalContext: string };
      };
      expect(hookSpecificOutput.additionalContext).toContain("Money is an integer number of cents");
      expect(hookSpecificOutput.additionalContext).toContain('hook="LoadContext"');
    });

    test("SecurityValidator: rm -rf / does not pass, rm -rf /tmp/build-cache does", () => {
      const project = example("framework");
      const refused = bash(project, harness, "sudo rm -fr -- /");
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain(
        "SecurityValidator: this would delete /, the whole file system.",
      );
      expect(bash(project, harness, "rm -rf /tmp/build-cache")).toEqual({
        status: 0,
        stdout: "",
        stderr: "",
      });
      expect(project.ledger().map((entry) => entry["decision"])).toEqual([
        { verdict: "deny", reason: expect.stringContaining("the whole file system") as string },
        { verdict: "pass" },
      ]);
    });

    test.each([".env", "package-lock.json", ".git/config"])(
      "WriteProtector: %s is not written",
      (path) => {
        const project = example("framework");
        const refused = send(project, harness, "PreToolUse", write(project, harness, path));
        expect(refused.status).toBe(2);
        expect(refused.stderr).toMatch(/^WriteProtector: /);
      },
    );

    test("WriteProtector: other files are, and a link to .env is not", () => {
      const project = example("framework");
      project.write({ ".env": "KEY=1\n", "src/a.ts": "" });
      const passed = { status: 0, stdout: "", stderr: "" };
      expect(send(project, harness, "PreToolUse", write(project, harness, "src/a.ts"))).toEqual(
        passed,
      );
      expect(send(project, harness, "PreToolUse", write(project, harness, ".env.example"))).toEqual(
        passed,
      );
      symlinkSync(".env", join(project.root, "notes.txt"));
      expect(
        send(project, harness, "PreToolUse", write(project, harness, "notes.txt")).status,
      ).toBe(2);
    });

    test("SessionSummary: one line, also when the event comes twice, and none in the tree", () => {
      const project = example("framework");
      // The event has a second or less: a first compile may take all of it.
      project.cli("materialize", "--quiet");
      const payload = payloadOf(harness, "SessionEnd--other", project);
      const before = readdirSync(project.root);
      expect(send(project, harness, "SessionEnd", payload)).toEqual({
        status: 0,
        stdout: "",
        stderr: "",
      });
      send(project, harness, "SessionEnd", payload);
      const file = join(project.home, ".local/state/session-summaries/framework.jsonl");
      const lines = readFileSync(file, "utf8").trim().split("\n");
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({ harness, reason: "other", project: project.root }),
      ]);
      send(
        project,
        harness,
        "SessionEnd",
        payloadOf(harness, "SessionEnd--other", project, { session_id: "another" }),
      );
      expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
      expect(readdirSync(project.root)).toEqual(before);
    });
  });

  describe("auto-format", () => {
    const fixture = harness === "codex" ? "PostToolUse--apply_patch" : "PostToolUse--Write";
    const written = (project: Project, path: string): string => {
      const patch = `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n`;
      const input =
        harness === "codex"
          ? { command: patch }
          : { file_path: join(project.root, path), content: "x" };
      return payloadOf(harness, fixture, project, { tool_input: input });
    };

    test("the written file is formatted, whatever its name is", () => {
      const project = example("auto-format");
      const path = 'it\'s $(touch pwned) "here".md';
      project.write({ [path]: "# Title   \n\ntext\t\n" });
      expect(send(project, harness, "PostToolUse", written(project, path))).toEqual({
        status: 0,
        stdout: "",
        stderr: "",
      });
      expect(readFileSync(join(project.root, path), "utf8")).toBe("# Title\n\ntext\n");
      expect(readdirSync(project.root)).not.toContain("pwned");
    });

    test("a formatter that fails never blocks, and says so", () => {
      const project = example("auto-format");
      const { status, stderr } = send(project, harness, "PostToolUse", written(project, "gone.md"));
      expect(status).toBe(0);
      expect(stderr).toContain("anyhook: Hook auto-format failed: exit 1");
      expect(project.ledger().at(-1)).toMatchObject({
        hooks: [{ name: "auto-format", status: "failed" }],
        decision: { verdict: "pass" },
      });
    });
  });

  test("first-hook-sh: a forced push is denied, a leased one is not", () => {
    const project = example("first-hook-sh");
    const refused = bash(project, harness, "git push --force origin main");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toBe("No forced push here: use --force-with-lease.\n");
    for (const command of ["git push --force-with-lease", "git push origin main", "rm --force x"])
      expect(bash(project, harness, command), command).toEqual({
        status: 0,
        stdout: "",
        stderr: "",
      });
  });

  test("first-hook-ts: a forced push becomes a leased one", () => {
    const project = example("first-hook-ts");
    const { status, stdout } = bash(project, harness, "cd api && git push -f origin main");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: {
        updatedInput: { command: "cd api && git push --force-with-lease origin main" },
      },
    });
    expect(bash(project, harness, "git push origin main")).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
    });
  });
});

describe("SecurityValidator reads the command", () => {
  const place = { cwd: "/home/dev/shop", home: "/home/dev", project: "/home/dev/shop" };
  const found = (line: string): string[] =>
    commandsIn(line, place).flatMap((command) => deletes(command, place));

  test.each([
    "rm -rf /",
    "rm -r -f /",
    "rm -fr -- /",
    "rm --recursive --force /",
    "rm -rf --no-preserve-root /",
    "rm -Rf / --",
    "sudo rm -fr -- /",
    "sudo -u root rm -rf /",
    "FORCE=1 rm -rf /",
    "env -i A=b rm -rf /",
    "/bin/rm -rf /",
    "\\rm -rf /",
    '"rm" "-rf" "/"',
    "r'm' -rf /",
    "$'rm' -rf $'\\x2f'",
    "rm -rf /*",
    "rm -rf /.",
    "rm -rf //",
    "rm -rf /tmp/..",
    "rm -rf /{*,.*}",
    "rm -rf ~",
    "rm -rf ~/",
    "rm -rf ~/*",
    "rm -rf $HOME",
    'rm -rf "${HOME}/"',
    "rm -rf /etc /tmp/x",
    "rm -rf .",
    "rm -rf ../shop",
    "rm -rf ..",
    "cd / && rm -rf .",
    "cd / && rm -rf *",
    "cd /usr; cd ..; rm -rf ./*",
    "sh -c 'rm -rf /'",
    'bash -lc "cd / && rm -rf ./*"',
    "sudo sh -c 'sh -c \"rm -rf /\"'",
    "eval rm -rf /",
    "echo done; rm -rf / &",
    "true | rm -rf /",
    "if true; then rm -rf /; fi",
    "( cd /; { rm -rf *; } )",
    "echo $(rm -rf /)",
    'echo "`rm -rf /`"',
    "X=/; rm -rf $X",
    'X=/ && rm -rf "$X"',
    "bash <<EOF\nrm -rf /\nEOF",
    "timeout 5 rm -rf /",
    "find / -delete",
    "find / -exec rm -rf {} +",
    "rm -rf / >/dev/null 2>&1",
    "rm 2>/dev/null -rf /",
    "npm test\nrm -rf /",
    "rm -r\\\nf /",
  ])("refuses: %s", (line) => {
    expect(found(line)).not.toEqual([]);
  });

  test.each([
    "rm -rf /tmp/build-cache",
    "rm -rf node_modules dist",
    "rm -rf ./build/*",
    "rm -rf ~/.cache/shop",
    "rm -rf -- -strange",
    "rm /tmp/x",
    "rm -f /",
    "echo rm -rf /",
    "echo 'rm -rf /'",
    'git commit -m "never run rm -rf / again"',
    "grep -rf / patterns",
    "# rm -rf /",
    "npm test # then rm -rf /",
    "cat >notes.md <<'EOF'\nrm -rf /\nEOF",
    "cd build && rm -rf *",
    "find . -name '*.log' -delete",
    "find build -delete",
    "rm -rf $UNKNOWN",
    'rm -rf "$BUILD_DIR"/out',
    "ls > rm -rf",
    "docker run --rm -f / x",
    "",
  ])("lets pass: %s", (line) => {
    expect(found(line)).toEqual([]);
  });

  test("ends, whatever it is given", () => {
    for (const line of [
      "'",
      '"',
      "$(",
      "`",
      "${",
      "\\",
      "<<EOF",
      "a <<EOF",
      "((((",
      "sh -c '".repeat(50),
    ])
      expect(() => found(line), line).not.toThrow();
  });
});

describe.each(ADAPTERS)("made up for $id, in its own shape", ({ id, surfaces }) => {
  interface Simulated {
    readonly verdict: string;
    readonly reason: string;
  }

  const said = (project: Project, ...options: string[]): Simulated => {
    const { stdout, stderr } = project.cli(
      "simulate",
      id,
      "PreToolUse",
      ...options,
      "--run",
      "--json",
    );
    expect(stdout, stderr).not.toBe("");
    const { verdict, reason } = JSON.parse(stdout) as Simulated;
    return { verdict, reason };
  };

  test.skipIf(!surfaces.PreToolUse)("the framework's guards hold back what they hold back", () => {
    const project = example("framework");
    expect(said(project, "--command", "sudo rm -fr -- /")).toEqual({
      verdict: surfaces.PreToolUse!.replies.deny ? "deny" : "halt",
      reason: expect.stringContaining("the whole file system") as string,
    });
    expect(said(project, "--command", "rm -rf /tmp/build-cache").verdict).toBe("pass");
    expect(said(project, "--tool", "Write", "--file", ".env").reason).toMatch(/^WriteProtector: /);
    expect(said(project, "--tool", "Write", "--file", "src/a.ts").verdict).toBe("pass");
  });
});

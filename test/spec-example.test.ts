import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DISPATCH, makeProject, payloadOf, REPO, type Project } from "./_dispatch.ts";

/** What the ledger says became of the event, whatever the harness's dialect. */
interface Decided {
  readonly verdict: string;
  readonly reason: string;
  readonly said: string;
}

function project(): Project {
  const made = makeProject({}, "spec");
  cpSync(join(REPO, "examples/spec"), made.root, { recursive: true });
  onTestFinished(() => made.remove());
  return made;
}

function send(
  at: Project,
  harness: string,
  event: string,
  fixture: string,
  change: object,
): Decided {
  const input = payloadOf(harness, fixture, at, change as Record<string, unknown>);
  const { stdout, stderr } = spawnSync("sh", [DISPATCH, harness, event], {
    cwd: at.root,
    env: at.env,
    input,
    encoding: "utf8",
  });
  const { verdict, reason } = at.ledger().at(-1)!["decision"] as Decided;
  return { verdict, reason: reason ?? "", said: stdout + stderr };
}

const shell = (command: string): object => ({ tool_input: { command } });

interface Client {
  readonly pre: string;
  readonly post: string;
  readonly stop: string;
  /** The harness's ways to read and to write a file. */
  readonly reads: (at: Project, path: string) => [string, object][];
  readonly edit: (at: Project, path: string) => [string, object];
  readonly last: (text: string) => object;
}

const file = (at: Project, path: string): object => ({
  tool_input: { file_path: join(at.root, path) },
});
const patch = (path: string): object => ({
  tool_input: { command: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch\n` },
});

const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-code": {
    ...{ pre: "PreToolUse", post: "PostToolUse", stop: "Stop" },
    reads: (at, path) => [
      ["PreToolUse--Read", file(at, path)],
      ["PreToolUse--Bash", shell(`cat ${path} | head -5`)],
    ],
    edit: (at, path) => ["PostToolUse--Write", file(at, path)],
    last: (text) => ({ last_assistant_message: text }),
  },
  codex: {
    ...{ pre: "PreToolUse", post: "PostToolUse", stop: "Stop" },
    reads: (_, path) => [
      ["PreToolUse--Bash", shell(`sed -n '1,20p' ${path}`)],
      ["PreToolUse--Bash", shell(`cd . && LC_ALL=C grep -n key < ${path}`)],
    ],
    edit: (_, path) => ["PostToolUse--apply_patch", patch(path)],
    last: (text) => ({ last_assistant_message: text }),
  },
  gemini: {
    ...{ pre: "BeforeTool", post: "AfterTool", stop: "AfterAgent" },
    reads: (at, path) => [
      ["BeforeTool--read_file", file(at, path)],
      ["BeforeTool--run_shell_command", shell(`head -n 5 ./${path}`)],
    ],
    edit: (at, path) => [
      "AfterTool--read_file",
      { tool_name: "write_file", tool_response: {}, ...file(at, path) },
    ],
    last: (text) => ({ prompt_response: text }),
  },
};

const CODE = "src/pay/charge.ts";

describe.each(Object.entries(CLIENTS))("as %s", (harness, client) => {
  test("spec-first: the first read of a governed file is held back once, and names the spec", () => {
    for (const which of client.reads(project(), CODE).keys()) {
      const at = project();
      const read = (session: string): Decided => {
        const [fixture, change] = client.reads(at, CODE)[which]!;
        return send(at, harness, client.pre, fixture, { ...change, session_id: session });
      };
      const first = read("s1");
      expect(first.verdict).toBe("deny");
      expect(first.said).toContain(
        "src/pay/charge.ts is governed by spec/pay.md (Payments are idempotent).",
      );
      expect(read("s1").verdict).toBe("pass");
      expect(read("s2").verdict).toBe("deny");
    }
  });

  test("spec-first: not for other files, nor after the spec was read", () => {
    const at = project();
    const read = (path: string): string => {
      const [fixture, change] = client.reads(at, path)[0]!;
      return send(at, harness, client.pre, fixture, change).verdict;
    };
    expect(read("README.md")).toBe("pass");
    expect(read("spec/pay.md")).toBe("pass");
    expect(read(CODE)).toBe("pass");
  });

  test("spec-first: a write is not a read", () => {
    const at = project();
    const run = (command: string): string =>
      send(at, harness, client.pre, client.reads(at, "x").at(-1)![0], shell(command)).verdict;
    for (const command of [
      `echo x > ${CODE}`,
      `printf y | tee ${CODE}`,
      `sed -i s/a/b/ ${CODE}`,
      `echo z>>${CODE}`,
    ])
      expect([command, run(command)]).toEqual([command, "pass"]);
    expect(run(`cat ${CODE}`)).toBe("deny");
  });

  test("spec-of-file: says once per file which spec governs it", () => {
    const at = project();
    const edit = (path: string): Decided => {
      const [fixture, change] = client.edit(at, path);
      return send(at, harness, client.post, fixture, change);
    };
    expect(edit(CODE).said).toContain("governed by spec/pay.md");
    expect(edit(CODE).said).toBe("");
    expect(edit("src/pay/refund.ts").said).toContain("src/pay/refund.ts is governed by");
    expect(edit("README.md").said).toBe("");
  });

  test("stop-gate: in full, in a line, then let go; a declared state passes at once", () => {
    const at = project();
    const stop = (text: string, session = "s1"): Decided =>
      send(at, harness, client.stop, client.stop, { ...client.last(text), session_id: session });
    const first = stop("I am done.");
    expect(first).toMatchObject({ verdict: "deny" });
    expect(first.said).toContain("STATE: handover <what the next session has to know>");
    const second = stop("Still done.");
    expect(second).toMatchObject({ verdict: "deny" });
    expect(second.said).toContain("The line STATE: done, blocked or handover is still missing.");
    expect(stop("And again.").verdict).toBe("pass");
    expect(stop("And again.").verdict).toBe("pass");
    expect(stop("All tests pass.\nSTATE: done", "s2").verdict).toBe("pass");
    expect(stop("STATE: blocked", "s2").verdict).toBe("deny");
  });

  test("a sub-agent does not consume its parent's turn", () => {
    const at = project();
    const read = (agent: object): string => {
      const [fixture, change] = client.reads(at, CODE)[0]!;
      return send(at, harness, client.pre, fixture, { ...change, session_id: "s1", ...agent })
        .verdict;
    };
    expect(read({ agent_id: "a1", agent_type: "general-purpose" })).toBe("deny");
    expect(read({ agent_id: "a1", agent_type: "general-purpose" })).toBe("pass");
    expect(read({})).toBe("deny");
    expect(read({})).toBe("pass");
  });
});

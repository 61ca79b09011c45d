import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, payloadOf } from "../_dispatch.ts";
import { NO_FORCE, place, push, ZOO } from "./_cli.ts";

interface Plan {
  readonly lane: string;
  readonly plan: readonly { name: string; runs: boolean; why: string }[];
}

const brief = ({ plan }: Plan): [string, boolean, string][] =>
  plan.map(({ name, runs, why }) => [name, runs, why]);

const SIGN_OFF = `import { defineHook, rewrite } from "anyhook";
export default defineHook({
  name: "sign-off", event: "PreToolUse", order: 20, harness: "codex",
  matcher: { "tool_input.command": "/^git commit/" },
  run: (event) => rewrite({ command: event.tool_input!.command + " --signoff" }),
});
`;

const FILES = { ...ZOO, ".anyhook/hooks/sign-off.ts": SIGN_OFF };

describe("simulate", () => {
  test("who would run, and which condition the others miss", () => {
    const { json } = place(FILES);
    const plan = (...args: string[]): Plan => json("simulate", ...args) as unknown as Plan;
    expect(brief(plan("claude", "PreToolUse", "--command", "git push --force"))).toEqual([
      ["no-force-push", true, ""],
      ["sign-off", false, "only on codex"],
    ]);
    expect(brief(plan("codex", "pre_tool_use", "--command", "git commit -m x"))).toEqual([
      ["no-force-push", false, "tool_input.command does not match push.*--force: git commit -m x"],
      ["sign-off", true, ""],
    ]);
    expect(brief(plan("codex", "BeforeTool", "--tool", "Read"))).toEqual([
      ["no-force-push", false, "tool_name is Read, not Bash"],
      ["sign-off", false, "there is no tool_input.command"],
    ]);
  });

  test("the lane: Node only for what a shell cannot run", () => {
    const { json } = place(FILES);
    const lane = (command: string): unknown =>
      json("simulate", "codex", "PreToolUse", "--command", command)["lane"];
    expect([lane("git push --force"), lane("git commit"), lane("ls")]).toEqual([
      ...["shell", "node", "quiet"],
    ]);
  });

  test("files arrive in the way of the harness", () => {
    const { json, project } = place(FILES);
    for (const harness of ["claude", "codex"]) {
      const plan = json("simulate", harness, "PostToolUse", "--file", "src/a.ts");
      expect(plan["tool"]).toBe("Edit");
      expect(plan["paths"]).toEqual([join(project.root, "src/a.ts")]);
      expect(brief(plan as unknown as Plan)).toEqual([["lint", true, ""]]);
    }
  });

  test("a payload from a file and from standard input", () => {
    const { json, runWith, project } = place(FILES);
    const payload = payloadOf("claude-code", "PreToolUse--Bash", project, push);
    project.write({ "payload.json": payload });
    const asked = ["simulate", "claude", "PreToolUse"];
    const fromFile = json(...asked, "--payload", "payload.json") as unknown as Plan;
    expect(brief(fromFile)[0]).toEqual(["no-force-push", true, ""]);
    const piped = runWith({ input: payload }, ...asked, "--json");
    expect(JSON.parse(piped.out)).toEqual(fromFile);
    expect(runWith({ input: "[1]" }, ...asked)).toMatchObject({ exit: 2, out: "" });
    expect(runWith({}, ...asked).out).toContain("No payload given");
  });

  test("nothing runs, nothing is recorded, unless --run", () => {
    const here = place(FILES);
    const asked = ["simulate", "claude", "PreToolUse", "--command", "git push --force"];
    here.run(...asked);
    expect(here.project.ledger()).toEqual([]);
    const { out, exit } = here.run(...asked, "--run");
    expect(exit).toBe(0);
    expect(out).toContain("Reply: exit 2 after ");
    expect(out).toContain("Decided by no-force-push (.anyhook/hooks/no-force-push.sh:2).");
    expect(here.project.ledger()).toHaveLength(1);
    expect(here.json(...asked, "--run")).toMatchObject({
      ...{ exit: 2, verdict: "deny", reason: "No forced push." },
      entry: { decision: { verdict: "deny" } },
    });
  });

  test("pause and ANYHOOK_SKIP are seen", () => {
    const here = place(FILES);
    const asked = ["simulate", "claude", "PreToolUse", "--command", "git push --force", "--json"];
    const env = { ...here.project.env, ANYHOOK_SKIP: "no-force-push" };
    const skipped = JSON.parse(here.runWith({ env }, ...asked).out) as Plan;
    expect(brief(skipped)[0]).toEqual(["no-force-push", false, "ANYHOOK_SKIP"]);
    here.run("pause");
    const paused = JSON.parse(here.run(...asked).out) as Plan;
    expect(brief(paused)[0]).toEqual(["no-force-push", false, "paused"]);
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

test.skipIf(!hasScript)("dispatch on a terminal says what it wants, and leaves no fault", () => {
  const { project, run } = place({ ".anyhook/hooks/a.sh": NO_FORCE });
  const line = `${process.execPath} ${CLI} dispatch claude PreToolUse`;
  const { stdout, status } = spawnSync("script", ["-qec", line, "/dev/null"], {
    ...{ cwd: project.root, env: project.env, encoding: "utf8", input: "", timeout: 30_000 },
  });
  expect(status).toBe(1);
  expect(stdout).toContain("reads the event from standard input, and that is a terminal");
  expect(stdout).toContain("anyhook simulate claude PreToolUse");
  expect(run("status").out).not.toContain("fault");
});

// A dispatch that exits 2 is a block.
describe.each([
  ["simulate", 2],
  ["dispatch", 1],
])("%s: names", (verb, usage) => {
  test.each([
    ["claud", "PreToolUse", usage, 'there is no harness "claud"', "did you mean claude?"],
    ["wordperfect", "PreToolUse", usage, 'there is no harness "wordperfect"', "claude-code"],
    ["claude", "PreTolUse", usage, 'Code has no event "PreTolUse"', "did you mean PreToolUse?"],
    ["codex", "TaskCompleted", 1, 'Codex CLI has no event "TaskCompleted"', "it has SessionStart"],
  ])("%s %s", (harness, event, status, message, hint) => {
    const { out, err, exit } = place().run(verb, harness, event);
    expect({ out, exit }).toEqual({ out: "", exit: status });
    expect(err).toContain(message);
    expect(err).toContain(hint);
  });
});

describe("dispatch", () => {
  test("is the front door: same reply, same exit code", () => {
    const here = place({ ".anyhook/hooks/a.sh": NO_FORCE });
    const input = payloadOf("claude-code", "PreToolUse--Bash", here.project, push);
    const direct = here.event("claude-code", "PreToolUse", "PreToolUse--Bash", push);
    expect(direct.exit).toBe(2);
    expect(here.runWith({ input }, "dispatch", "claude", "pre-tool-use")).toEqual(direct);
  });

  test("-C names the project, whatever the folder", () => {
    const here = place(ZOO);
    const input = payloadOf("claude-code", "PreToolUse--Bash", here.project, push);
    const { base, root } = here.project;
    const asked = ["dispatch", "claude", "PreToolUse", "-C", root];
    expect(here.runWith({ input, cwd: base }, ...asked).exit).toBe(2);
  });
});

describe("path", () => {
  test("is where the dispatcher really works", () => {
    const here = place(ZOO);
    here.event("claude-code", "PreToolUse", "PreToolUse--Bash", push);
    const path = (what: string): string => here.run("path", what).out.trimEnd();
    const { layout, root, home, env } = here.project;
    expect(path("store")).toBe(layout.project);
    expect(path("slot")).toBe(layout.slot);
    expect(path("home")).toBe(join(home, ".local/state/anyhook"));
    for (const what of ["store", "slot", "manifest", "ledger", "dispatch", "lib", "shell"])
      expect(existsSync(path(what)), what).toBe(true);
    expect(path("project")).toBe(root);
    expect(path("user")).toBe(join(home, ".config/anyhook"));
    expect(path("managed")).toBe(env["ANYHOOK_MANAGED_ROOT"]);
    expect(here.json("path", "ledger")).toEqual({ what: "ledger", path: layout.ledger });
  });

  test("no project", () => {
    const { runWith, project } = place();
    const { out, exit } = runWith({ cwd: project.base }, "path", "project");
    expect({ out, exit }).toEqual({ out: "", exit: 1 });
  });
});

describe("pause and resume", () => {
  test("stop all hooks but managed ones, and start them again", () => {
    const here = place({
      ".anyhook/hooks/a.sh": NO_FORCE,
      "etc/hooks/b.sh": NO_FORCE.replace("no-force-push", "managed").replace("No forced", "Never"),
    });
    const pushes = (): string => here.event("codex", "PreToolUse", "PreToolUse--Bash", push).err;
    expect(pushes()).toContain("No forced push.");
    expect(here.run("pause").out).toMatch(
      /^Paused: .*\nNo hook runs .* managed hooks still do\.\n/,
    );
    expect(here.json("pause")).toMatchObject({ paused: true, changed: false });
    expect(pushes()).not.toContain("No forced push.");
    expect(pushes()).toContain("Never push.");
    expect(here.json("status")).toMatchObject({ paused: true });
    expect(here.json("resume")).toMatchObject({ paused: false, changed: true });
    expect(here.run("resume")).toMatchObject({
      exit: 0,
      out: expect.stringContaining("Was not paused"),
    });
    expect(pushes()).toContain("No forced push.");
  });
});

import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, type Project } from "./_dispatch.ts";
import { captured, loadPlugin, type Loaded } from "./_plugin.ts";

/** What a plugin does when the dispatcher behind it does not do what it should. */

const GUARD = `#!/bin/sh
# Hook: guard
# Event: PreToolUse
# Matcher: tool_input.command ~ "forbidden"
echo "not allowed" >&2
exit 2
`;

let project: Project;
beforeAll(() => {
  project = makeProject({ ".anyhook/hooks/guard.sh": GUARD });
});
afterAll(() => project.remove());

describe.each(["opencode", "pi"])("%s: trouble of ours is a pass and one notice", (harness) => {
  const run = async ({ on }: Loaded, args: object): Promise<unknown> =>
    harness === "pi"
      ? on["tool_call"]!(captured("pi", "tool_call--bash", { input: args }))
      : on["tool.execute.before"]!(captured("opencode", "tool.execute.before"), { args });
  const native = harness === "pi" ? "tool_call" : "tool.execute.before";

  test.each([
    ["gone", "exec '/nowhere/dispatch.sh' x y", /ended with (126|127)/],
    ["no JSON", "echo nonsense", /not JSON/],
    ["a list", "echo '[1]'", /not JSON/],
    ["a failing dispatcher", "echo '{}'; exit 3", /ended with 3/],
    ["killed", "kill -9 $$", /ended with SIGKILL/],
  ])("%s", async (_, command, said) => {
    const plugin = await loadPlugin(project, harness, `cat >/dev/null; ${command}`);
    const args = { command: "forbidden" };
    for (let i = 0; i < 2; i++) expect(await run(plugin, args)).toBeUndefined();
    expect(args).toEqual({ command: "forbidden" });
    expect(plugin.notices).toHaveLength(1);
    expect(plugin.notices[0]).toMatch(said);
    expect(plugin.notices[0]).toContain(`no hook decided at ${native}`);
  });

  test("silence past the deadline; what was started is ended", async () => {
    const mark = `86${harness.length}99`;
    const plugin = await loadPlugin(project, harness, `sleep ${mark} & sleep ${mark}`, 300);
    expect(await run(plugin, { command: "x" })).toBeUndefined();
    expect(plugin.notices).toEqual([
      `anyhook: no hook decided at ${native}: no answer within 300 ms`,
    ]);
    await expect
      .poll(() => spawnSync("pgrep", ["-f", `^sleep ${mark}$`], { encoding: "utf8" }).stdout)
      .toBe("");
  });

  test("an input that is no JSON", async () => {
    const plugin = await loadPlugin(project, harness);
    const args: Record<string, unknown> = { command: "forbidden" };
    args["self"] = args;
    expect(await run(plugin, args)).toBeUndefined();
    expect(plugin.notices[0]).toContain("circular");
  });

  test("many at once: each call has its own answer", async () => {
    const plugin = await loadPlugin(project, harness);
    const answers = await Promise.allSettled(
      Array.from({ length: 6 }, (_, i) =>
        run(plugin, { command: i % 2 === 0 ? "forbidden" : "fine" }),
      ),
    );
    const denied = answers.map((one) =>
      one.status === "rejected" ? String(one.reason) : one.value,
    );
    const deny = harness === "pi" ? { block: true, reason: "not allowed" } : "Error: not allowed";
    expect(denied).toEqual([deny, undefined, deny, undefined, deny, undefined]);
  });

  test("what a dispatcher says beside its answer is shown once", async () => {
    const said = `echo 'anyhook: watch out' >&2; echo '{"notice":"watch out"}'`;
    const plugin = await loadPlugin(project, harness, `cat >/dev/null; ${said}`);
    for (let i = 0; i < 2; i++) await run(plugin, { command: "x" });
    expect(plugin.notices).toEqual(["anyhook: watch out"]);
  });
});

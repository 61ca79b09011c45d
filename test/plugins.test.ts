import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, type Project } from "./_dispatch.ts";
import { captured, loadPlugin } from "./_plugin.ts";

/** The rendered plugins over the real dispatcher and real hooks. */

const script = (name: string, event: string, matcher: string, body: string): object => ({
  [`.anyhook/hooks/${name}.sh`]: `#!/bin/sh
# Hook: ${name}
# Event: ${event}
${matcher === "" ? "" : `# Matcher: ${matcher}\n`}${body}
`,
});
const no = (reason: string): string => `echo "${reason}" >&2; exit 2`;
const HOOKS = {
  ...script("guard", "PreToolUse", 'tool_input.command ~ "forbidden"', no("not allowed")),
  ...script(
    "rewrite",
    "PreToolUse",
    'tool_name = "Write"',
    `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"/else","content":"new"}}}'`,
  ),
  ...script(
    "context",
    "SessionStart, UserPromptSubmit, PostToolUse, PostToolUseFailure, SubagentStart",
    "",
    'echo "{\\"context\\":\\"about $ANYHOOK_EVENT\\"}"',
  ),
  ...script(
    "output",
    "PostToolUse",
    'tool_name = "Read"',
    `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"hidden"}}'`,
  ),
  ...script("no-secrets", "UserPromptSubmit", 'prompt ~ "secret"', no("no secrets")),
  ...script("no-compaction", "PreCompact", "", no("keep everything")),
} as Record<string, string>;

let project: Project;
beforeAll(() => {
  project = makeProject(HOOKS);
});
afterAll(() => project.remove());

const fenced = (event: string): string =>
  `<anyhook-context hook="context">\nabout ${event}\n</anyhook-context>`;
const entries = (event: string): Record<string, unknown>[] =>
  project.ledger().filter((entry) => entry["event"] === event);

describe("opencode", () => {
  const before = (tool: string): object => captured("opencode", "tool.execute.before", { tool });
  const after = (tool: string): object => captured("opencode", "tool.execute.after", { tool });
  const said = (text: string) => ({
    message: { id: "msg_1" },
    parts: [{ id: "prt_1", type: "text", text }],
  });
  const created = (id: string, parentID?: string): object => ({
    event: captured("opencode", "event-session.created", {
      properties: { sessionID: id, info: { id, parentID } },
    }),
  });

  test("a deny is a throw with the reason, and everything else leaves the call alone", async () => {
    const { on, notices } = await loadPlugin(project, "opencode");
    const denied = on["tool.execute.before"]!(before("bash"), { args: { command: "forbidden" } });
    await expect(denied).rejects.toThrow(/^not allowed$/);
    const args = { command: "fine" };
    await on["tool.execute.before"]!(before("bash"), { args });
    expect(args).toEqual({ command: "fine" });
    expect(notices).toEqual([]);
  });

  test("a rewrite changes the very object, in the harness's own words", async () => {
    const { on } = await loadPlugin(project, "opencode");
    const args: Record<string, string> = { filePath: "/a", content: "old", gone: "x" };
    const output = { args };
    await on["tool.execute.before"]!(before("write"), output);
    expect(output.args).toBe(args);
    expect(args).toEqual({ filePath: "/else", content: "new" });
  });

  test("context and new output reach the result, and the result only", async () => {
    const { on } = await loadPlugin(project, "opencode");
    const output = { title: "t", output: "one", metadata: { exit: 0 } };
    await on["tool.execute.after"]!(after("bash"), output);
    expect(output).toEqual({
      title: "t",
      output: `one\n\n${fenced("PostToolUse")}`,
      metadata: { exit: 0 },
    });
    const mcp = { content: [{ type: "text", text: "one" }] };
    await on["tool.execute.after"]!(after("server_tool"), mcp);
    expect(mcp.content).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: fenced("PostToolUse") },
    ]);
    const read = { title: "t", output: "secret file", metadata: {} };
    await on["tool.execute.after"]!(after("read"), read);
    expect(read.output).toBe(`hidden\n\n${fenced("PostToolUse")}`);
  });

  test("context of the session and of the prompt become parts, the session's once", async () => {
    const { on } = await loadPlugin(project, "opencode");
    await on["event"]!(created("ses_a"));
    const [first, second] = [said("hello"), said("again")];
    for (const output of [first, second])
      await on["chat.message"]!(
        captured("opencode", "chat.message", { sessionID: "ses_a" }),
        output,
      );
    const texts = (output: typeof first): string[] => output.parts.map(({ text }) => text);
    expect(texts(first)).toEqual(["hello", fenced("SessionStart"), fenced("UserPromptSubmit")]);
    expect(texts(second)).toEqual(["again", fenced("UserPromptSubmit")]);
    expect(new Set(first.parts.map(({ id }) => id)).size).toBe(3);
    const denied = said("my secret");
    await expect(on["chat.message"]!({ sessionID: "ses_a" }, denied)).rejects.toThrow("no secrets");
    expect(texts(denied)).toEqual(["my secret"]);
  });

  test("a session with a parent is its agent", async () => {
    const { on } = await loadPlugin(project, "opencode");
    await on["event"]!(created("ses_root"));
    await on["event"]!(created("ses_child", "ses_root"));
    const output = said("sub task");
    await on["chat.message"]!({ sessionID: "ses_child", agent: "general" }, output);
    expect(output.parts.map(({ text }) => text)).toEqual(["sub task", fenced("SubagentStart")]);
    for (const sessionID of ["ses_child", "ses_root"])
      await on["event"]!({ event: { type: "session.idle", properties: { sessionID } } });
    await on["dispose"]!();
    const sessions = (event: string) => entries(event).map((entry) => entry["session"]);
    expect(sessions("SubagentStop")).toEqual(["ses_root"]);
    expect(sessions("Stop")).toEqual(["ses_root"]);
    expect(sessions("SessionEnd")).toEqual(["ses_root"]);
  });
});

describe("pi", () => {
  const call = (toolName: string, input: object): object =>
    captured("pi", "tool_call--bash", { toolName, input });

  test("a deny is a block with the reason; a rewrite changes the very object", async () => {
    const { on } = await loadPlugin(project, "pi");
    expect(await on["tool_call"]!(call("bash", { command: "forbidden" }))).toEqual({
      block: true,
      reason: "not allowed",
    });
    const input: Record<string, string> = { path: "/a", content: "old", gone: "x" };
    expect(await on["tool_call"]!(call("write", input))).toBeUndefined();
    expect(input).toEqual({ path: "/else", content: "new" });
  });

  test("results get context; a failed one is another event", async () => {
    const { on } = await loadPlugin(project, "pi");
    const text = (value: string): object => ({ type: "text", text: value });
    const result = captured("pi", "tool_result--bash", { content: [text("one")] });
    expect(await on["tool_result"]!(result)).toEqual({
      content: [text("one"), text(fenced("PostToolUse"))],
    });
    expect(await on["tool_result"]!({ ...result, isError: true })).toEqual({
      content: [text("one"), text(fenced("PostToolUseFailure"))],
    });
    expect(await on["tool_result"]!({ ...result, toolName: "read" })).toEqual({
      content: [text("hidden"), text(fenced("PostToolUse"))],
    });
  });

  test("prompts: context comes as one message, a denied one is swallowed and explained", async () => {
    const { on, notices } = await loadPlugin(project, "pi");
    await on["session_start"]!(captured("pi", "session_start"));
    expect(await on["input"]!(captured("pi", "input"))).toBeUndefined();
    expect(await on["before_agent_start"]!({})).toEqual({
      message: {
        customType: "anyhook",
        content: `${fenced("SessionStart")}\n\n${fenced("UserPromptSubmit")}`,
        display: true,
      },
    });
    expect(await on["before_agent_start"]!({})).toBeUndefined();
    expect(await on["input"]!(captured("pi", "input", { text: "my secret" }))).toEqual({
      action: "handled",
    });
    expect(notices).toEqual(["anyhook: no secrets"]);
    const theirs = captured("pi", "input", { text: "my secret", source: "extension" });
    expect(await on["input"]!(theirs)).toBeUndefined();
  });

  test("a context that is over does not make a handler fail", async () => {
    const { on, over } = await loadPlugin(project, "pi");
    await on["session_start"]!(captured("pi", "session_start"));
    over();
    await on["input"]!(captured("pi", "input"));
    expect(await on["tool_call"]!(call("bash", { command: "forbidden" }))).toMatchObject({
      block: true,
    });
    expect(entries("UserPromptSubmit").at(-1)).toMatchObject({ harness: "pi", session: "s1" });
  });

  test("a compaction can be denied; the end of a turn and of the session are seen", async () => {
    const { on } = await loadPlugin(project, "pi");
    expect(await on["session_before_compact"]!({})).toEqual({ cancel: true });
    await on["agent_end"]!(captured("pi", "agent_end"));
    await on["session_shutdown"]!(captured("pi", "session_shutdown"));
    const seen = ["Stop", "SessionEnd"].flatMap(entries);
    expect(seen.filter((entry) => entry["harness"] === "pi")).toHaveLength(2);
  });
});

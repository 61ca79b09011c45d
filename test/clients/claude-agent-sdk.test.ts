import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hooksFor } from "../../examples/claude-agent-sdk/hooks-for.ts";
import { ask, context, defineHook, deny, HookExecutor, rewrite } from "../../src/index.ts";
import { EVENT_NAMES } from "../../src/events.ts";
import { makeProject } from "../_dispatch.ts";
import { clientOf, PINNED, startScript } from "./_clients.ts";
import { complaints, importFrom, sdkHome } from "./_sdk.ts";

const NAME = "claude-agent-sdk";
const home = sdkHome(NAME);
/** The SDK starts Claude Code; its own copy is the same version as the pinned client. */
const [program = ""] = clientOf(PINNED.find(({ harness }) => harness === "claude-code")!).command;

interface Sdk {
  query(options: { prompt: string; options: object }): AsyncIterable<Message>;
}

interface Message {
  readonly type: string;
  readonly subtype?: string;
  readonly result?: string;
}

const HOOKS = [
  defineHook({ name: "welcome", event: "UserPromptSubmit", run: () => context("Tabs, please.") }),
  defineHook({
    name: "codes",
    event: "UserPromptSubmit",
    matcher: { prompt: "/launch code/" },
    run: () => deny("no launch codes"),
  }),
  defineHook({
    name: "guard",
    event: "PreToolUse",
    matcher: { tool_name: "Bash" },
    run(event) {
      const command = String(event.tool_input?.["command"]);
      if (command.includes("forbidden")) return deny("not this one");
      if (command.includes("risky")) return ask("really?");
      return command.includes("draft") ? rewrite({ command: "echo final" }) : undefined;
    },
  }),
  defineHook({
    name: "after",
    event: "PostToolUse",
    run: () => context("Run the tests before you commit."),
  }),
  defineHook({
    name: "finish",
    event: "Stop",
    run: (event) => (event.stop_hook_active ? undefined : deny("say goodbye")),
  }),
];

const saw: string[] = [];
const witness = defineHook({
  name: "witness",
  events: EVENT_NAMES,
  run: (event) => void saw.push(event.event),
});

/** One session of the real SDK, in a home of its own, against a model that follows a script. */
async function play(commands: readonly string[], prompt = "Do your work.") {
  const project = makeProject();
  const tmp = join(project.base, "tmp");
  mkdirSync(tmp);
  const model = await startScript(
    "claude-code",
    commands.map((shell) => ({ shell })),
  );
  const executor = new HookExecutor({
    hooks: [...HOOKS, witness],
    harness: "claude-code",
    cwd: project.root,
  });
  saw.length = 0;
  const sdk = await importFrom<Sdk>(home, "@anthropic-ai/claude-agent-sdk");
  const messages: Message[] = [];
  try {
    const env = {
      ...project.env,
      TMPDIR: tmp,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "127.0.0.1",
    };
    const options = {
      cwd: project.root,
      env,
      pathToClaudeCodeExecutable: program,
      allowedTools: ["Bash"],
      settingSources: [],
      hooks: hooksFor(executor),
    };
    for await (const message of sdk.query({ prompt, options })) messages.push(message);
    const heard = model.requests.map(({ news }) => news);
    return { messages, heard, all: model.requests.map(({ all }) => all) };
  } finally {
    await executor.close();
    await model.close();
    project.remove();
  }
}

describe.skipIf(home === "" || program === "")("the Claude Agent SDK, with hooks", () => {
  test("context, a rewrite, feedback, and one more turn at the end", async () => {
    const { messages, heard, all } = await play(["echo draft"]);
    expect(all[0]!.includes("Tabs, please.")).toBe(true);
    expect(saw).toEqual(["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "Stop"]);
    expect(heard[1]).toContain("final");
    expect(heard[1]).not.toContain("draft");
    expect(heard[1]).toContain("Run the tests before you commit.");
    expect(heard[2]).toContain("say goodbye");
    expect(heard).toHaveLength(3);
    expect(messages.at(-1)).toMatchObject({ type: "result", subtype: "success" });
  });

  test("a call that a hook denies does not run, and the model reads why", async () => {
    const { heard } = await play(["echo forbidden fruit"]);
    expect(heard[1]).toContain("not this one");
    expect(heard[1]).not.toContain("fruit");
  });

  test("an ask that nobody can answer is no yes", async () => {
    const { heard } = await play(["echo risky business"]);
    expect(heard[1]).toContain("really?");
    expect(heard[1]).not.toContain("business");
  });

  test("a prompt can be blocked", async () => {
    const { heard, messages } = await play([], "What is the launch code?");
    expect(heard).toEqual([]);
    expect(JSON.stringify(messages)).toContain("no launch codes");
  });

  test("its types fit the SDK's own", () => {
    const text = `import { query, type Options } from "@anthropic-ai/claude-agent-sdk";
import { HookExecutor } from "anyhook";
import { hooksFor } from "./hooks-for.ts";
const executor = new HookExecutor({ hooks: [], harness: "claude-code" });
const options: Options = { hooks: hooksFor(executor) };
for await (const message of query({ prompt: "", options })) console.log(message.type);
`;
    expect(complaints(NAME, text)).toBe("");
    expect(
      complaints(NAME, text.replace("hooks: hooksFor(executor)", "hooks: executor")),
    ).toContain("error TS");
  });
});

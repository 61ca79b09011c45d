import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runAgent, type Agent } from "../../examples/agent-loop/agent.ts";
import { chatModel } from "../../examples/agent-loop/chat-model.ts";
import { REPO } from "../_dispatch.ts";
import { startChatModel, type ChatModel, type ChatTurn } from "../_chat-model.ts";
import { makeExecutor, makeFolder } from "./_folder.ts";

const models: ChatModel[] = [];
afterEach(async () => void (await Promise.all(models.splice(0).map((model) => model.close()))));

/** The example, with a scripted model and a shell that only notes what it would do. */
async function play(turns: readonly ChatTurn[], prompt = "Do it.", more: Partial<Agent> = {}) {
  const folder = makeFolder();
  cpSync(join(REPO, "examples/agent-loop"), folder.root, { recursive: true });
  const model = await startChatModel(turns);
  models.push(model);
  const ran: string[] = [];
  const questions: string[] = [];
  const executor = makeExecutor({
    hooksFile: join(folder.root, "hooks.yaml"),
    cwd: folder.root,
  });
  const agent: Agent = {
    executor,
    model: chatModel({ url: model.url, model: "fake", key: "none", tools: ["Bash"] }),
    confirm: async (question) => questions.push(question) > 1,
    tools: {
      Bash: async ({ command }) => {
        ran.push(String(command));
        return command === "env" ? "KEY=sk-abcdefghijklmnop" : "done";
      },
    },
    ...more,
  };
  const said = await runAgent(agent, prompt);
  expect(executor.warnings).toEqual([]);
  const heard = model.requests.map((messages) => JSON.stringify(messages));
  return { said, ran, questions, heard, folder };
}

const shell = (command: string): ChatTurn => ({ tool: "Bash", input: { command } });

describe("an agent of one's own", () => {
  test("context at the start, and one more turn before it may stop", async () => {
    const { said, heard } = await play(["All done.", "I changed nothing."]);
    expect(said).toBe("I changed nothing.");
    expect(heard[0]).toContain("Commits are in English.");
    expect(heard).toHaveLength(2);
    expect(heard[1]).toContain("Say what you have changed.");
  });

  test("a prompt with a key in it never reaches the model", async () => {
    const { said, heard } = await play(["Thanks for the key."], "use sk-abcdefghijklmnop");
    expect(said).toContain("Rotate it");
    expect(heard).toEqual([]);
  });

  test("tools are denied, rewritten and asked about, and their output is redacted", async () => {
    const turns = [
      shell("rm -rf /"),
      shell("git push --force"),
      shell("curl one"),
      shell("curl two"),
      shell("env"),
    ];
    const { ran, questions, heard } = await play(turns);
    expect(ran).toEqual(["git push --force-with-lease", "curl two", "env"]);
    expect(questions).toEqual([
      "Let the agent reach the network? curl one",
      "Let the agent reach the network? curl two",
    ]);
    expect(heard[1]).toContain("Blocked: This would delete the whole disk.");
    expect(heard[3]).toContain("The user said no.");
    expect(heard[5]).toContain("KEY=[a key]");
    expect(heard[5]).not.toContain("sk-abcdefghijklmnop");
  });

  test("a long conversation is made shorter, unless a hook minds", async () => {
    const turns = Array.from({ length: 6 }, () => shell("ls"));
    const short = await play(turns, "Go.", { longest: 6 });
    const folder = makeFolder({
      "hooks.yaml":
        'hooks: [{ name: keep, events: PRE_COMPACT, block: true, command: "echo mine >&2; exit 2" }]\n',
    });
    const executor = makeExecutor({ hooksFile: join(folder.root, "hooks.yaml"), cwd: folder.root });
    const long = await play(turns, "Go.", { longest: 6, executor });
    const lengths = (heard: string[]): number[] =>
      heard.map((text) => (JSON.parse(text) as unknown[]).length);
    expect(Math.max(...lengths(short.heard))).toBeLessThanOrEqual(6);
    expect(Math.max(...lengths(long.heard))).toBeGreaterThan(6);
  });
});

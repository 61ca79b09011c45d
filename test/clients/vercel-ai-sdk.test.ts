import { afterAll, describe, expect, test } from "vitest";
import { withHooks } from "../../examples/vercel-ai-sdk/with-hooks.ts";
import { ask, context, defineHook, deny, HookExecutor, rewrite } from "../../src/index.ts";
import { startChatModel, type ChatTurn } from "../_chat-model.ts";
import { complaints, importFrom, sdkHome } from "./_sdk.ts";

const home = sdkHome("vercel-ai-sdk");

interface Ai {
  generateText(options: object): Promise<Generated>;
  jsonSchema(schema: object): unknown;
  stepCountIs(count: number): unknown;
  tool(tool: object): { execute: (input: never, options: never) => unknown };
}

interface Generated {
  readonly text: string;
  readonly content: readonly { readonly type: string }[];
  readonly steps: readonly unknown[];
}

interface Compatible {
  createOpenAICompatible(options: object): (model: string) => unknown;
}

const executor = new HookExecutor({
  tools: { run: "Bash" },
  hooks: [
    defineHook({
      name: "guard",
      event: "PreToolUse",
      matcher: { tool_name: "Bash" },
      run(event) {
        const command = String(event.tool_input?.["command"]);
        if (command === "bad") return deny("not this one");
        if (command === "risky") return ask("really?");
        return command === "long" ? rewrite({ command: "short" }) : undefined;
      },
    }),
    defineHook({
      name: "after",
      event: "PostToolUse",
      run: (event) =>
        event.tool_response === "secret"
          ? { hookSpecificOutput: { updatedToolOutput: "hidden" } }
          : context(`it said ${String(event.tool_response)}`),
    }),
  ],
});
afterAll(() => executor.close());

/** The real SDK, with a model that calls the tool with these commands one after the other. */
async function play(...commands: string[]) {
  const ai = await importFrom<Ai>(home, "ai");
  const compatible = await importFrom<Compatible>(home, "@ai-sdk/openai-compatible");
  const turns: ChatTurn[] = commands.map((command) => ({ tool: "run", input: { command } }));
  const model = await startChatModel([...turns, "Done."]);
  const ran: string[] = [];
  const run = ai.tool({
    inputSchema: ai.jsonSchema({ type: "object", properties: { command: { type: "string" } } }),
    execute: async ({ command }: { command: string }) => {
      ran.push(command);
      return command === "env" ? "secret" : `ran ${command}`;
    },
  });
  try {
    const provider = compatible.createOpenAICompatible({ name: "fake", baseURL: model.url });
    const result = await ai.generateText({
      model: provider("fake"),
      prompt: "Go.",
      ...withHooks(executor, { run }, "s1"),
      stopWhen: ai.stepCountIs(5),
    });
    const heard = model.requests.map((messages) => JSON.stringify(messages));
    return { result, ran, heard };
  } finally {
    await model.close();
  }
}

describe.skipIf(home === "")("the Vercel AI SDK, with hooks", () => {
  test("a call that a hook denies does not run, and the model reads why", async () => {
    const { ran, heard, result } = await play("bad");
    expect(ran).toEqual([]);
    expect(heard).toHaveLength(2);
    expect(heard[1]).toContain("not this one");
    expect(result.text).toBe("Done.");
  });

  test("a rewrite reaches the tool, and context the model", async () => {
    const { ran, heard } = await play("long");
    expect(ran).toEqual(["short"]);
    expect(heard[0]).not.toContain("it said");
    expect(heard[1]).toContain("ran short");
    expect(heard[1]).toContain("it said ran short");
  });

  test("an ask is a request for approval, and nothing runs before it is answered", async () => {
    const { ran, result, heard } = await play("risky");
    expect(ran).toEqual([]);
    expect(heard).toHaveLength(1);
    expect(result.content.map(({ type }) => type)).toContain("tool-approval-request");
  });

  test("the model reads the output as hooks leave it", async () => {
    const { ran, heard } = await play("env");
    expect(ran).toEqual(["env"]);
    expect(heard[1]).toContain("hidden");
    expect(heard[1]).not.toContain("secret");
  });

  test("its types fit the SDK's own", () => {
    const program = `import { generateText, stepCountIs, tool, type LanguageModel } from "ai";
import { z } from "zod";
import { HookExecutor } from "anyhook";
import { withHooks } from "./with-hooks.ts";
declare const model: LanguageModel;
const run = tool({ inputSchema: z.object({ command: z.string() }), execute: async ({ command }) => command.length });
const executor = new HookExecutor({ hooks: [] });
const { steps } = await generateText({ model, prompt: "", ...withHooks(executor, { run }), stopWhen: stepCountIs(2) });
export const found: number | undefined = steps[0]?.staticToolResults[0]?.output;
`;
    expect(complaints("vercel-ai-sdk", program)).toBe("");
    expect(
      complaints("vercel-ai-sdk", program.replace("const found: number", "const found: Date")),
    ).toContain("error TS2322");
  });
});

import type { HookExecutor, HookResult } from "anyhook";

/** What the SDK's tools and messages are, as far as this file needs it. */
interface Call {
  readonly toolCallId: string;
}

interface ToolLike {
  execute?: ((input: never, options: never) => unknown) | undefined;
}

interface Hooked<T, M> {
  /** The same tools: hooks run before and after each, and an ask becomes a request for approval. */
  readonly tools: T;
  /** What hooks want the model to know, from the next step on. */
  readonly prepareStep: (step: { messages: M[] }) => { messages: M[] };
}

/** `generateText({ model, prompt, ...withHooks(executor, tools), stopWhen: stepCountIs(20) })` */
export function withHooks<T extends Record<string, ToolLike>, M = never>(
  executor: HookExecutor,
  tools: T,
  session_id = "",
): Hooked<T, M> {
  const contexts: string[] = [];
  const asked = new Map<string, Promise<HookResult>>();
  const before = (tool_name: string, tool_input: unknown, call: Call): Promise<HookResult> => {
    const known = asked.get(call.toolCallId);
    const payload = { session_id, tool_name, tool_input, tool_use_id: call.toolCallId };
    const result = known ?? executor.execute("PreToolUse", payload).then(noted);
    asked.set(call.toolCallId, result);
    return result;
  };
  const wrapped = Object.entries(tools).map(([name, tool]) => [name, wrap(name, tool)] as const);
  return {
    tools: Object.fromEntries(wrapped) as T,
    prepareStep: ({ messages }) => ({
      messages: [...messages, ...contexts.map((content) => ({ role: "user", content }) as M)],
    }),
  };

  function noted(result: HookResult): HookResult {
    if (result.context !== "") contexts.push(result.context);
    return result;
  }

  function wrap(name: string, tool: ToolLike): ToolLike {
    const run = tool.execute as ((input: unknown, call: Call) => unknown) | undefined;
    // A tool that the provider or the browser runs is out of reach.
    if (!run) return tool;
    const needsApproval = async (input: unknown, call: Call): Promise<boolean> =>
      (await before(name, input, call)).decision.verdict === "ask";
    const execute = async (input: unknown, call: Call): Promise<unknown> => {
      const result = await before(name, input, call);
      asked.delete(call.toolCallId);
      // The SDK tells the model what a tool throws.
      if (result.blocked) throw new Error(result.reason);
      const tool_input = result.input ?? input;
      const tool_response = await last(await run.call(tool, tool_input, call));
      const facts = { session_id, tool_name: name, tool_use_id: call.toolCallId };
      const payload = { ...facts, tool_input, tool_response };
      const after = noted(await executor.execute("PostToolUse", payload));
      return after.input ?? tool_response;
    };
    return { ...tool, execute, needsApproval } as ToolLike;
  }
}

/** A tool may report as it goes; hooks see the last word. */
async function last(output: unknown): Promise<unknown> {
  if (typeof output !== "object" || output === null || !(Symbol.asyncIterator in output))
    return output;
  let word: unknown;
  for await (const next of output as AsyncIterable<unknown>) word = next;
  return word;
}

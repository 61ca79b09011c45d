import { randomUUID } from "node:crypto";
import { HookEvents, type HookExecutor, type HookResult } from "anyhook";

export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface Agent {
  /** The next message of the model. */
  readonly model: (messages: readonly Message[]) => Promise<Message>;
  readonly tools: Readonly<Record<string, (input: Record<string, unknown>) => Promise<string>>>;
  readonly executor: HookExecutor;
  /** Asked when a hook asks. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Messages after which the conversation is made shorter. */
  readonly longest?: number;
}

/** A whole agent, with a hook wherever something happens. Returns what it said last. */
export async function runAgent(agent: Agent, prompt: string): Promise<string> {
  const { executor } = agent;
  const session = { session_id: randomUUID() };
  const start = await executor.execute(HookEvents.SESSION_START, { ...session, source: "startup" });
  const submitted = await executor.execute(HookEvents.USER_PROMPT_SUBMIT, { ...session, prompt });
  try {
    if (submitted.blocked) return submitted.reason;
    const messages: Message[] = [...contextOf(start), { role: "user", content: prompt }];
    return await converse(agent, [...messages, ...contextOf(submitted)], session);
  } finally {
    await executor.execute(HookEvents.SESSION_END, { ...session, reason: "other" });
  }
}

const contextOf = ({ context }: HookResult): Message[] =>
  context === "" ? [] : [{ role: "system", content: context }];

async function converse(agent: Agent, first: readonly Message[], session: object): Promise<string> {
  let messages = [...first];
  for (let held = false; ;) {
    messages = await compacted(agent, messages, session);
    const said = await agent.model(messages);
    messages.push(said);
    const calls = said.tool_calls ?? [];
    for (const call of calls) messages.push(...(await callTool(agent, call, session)));
    if (calls.length > 0) continue;
    const payload = { ...session, stop_hook_active: held, last_assistant_message: said.content };
    const stop = await agent.executor.execute(HookEvents.STOP, payload);
    if (!stop.blocked) return said.content;
    held = true;
    messages.push({ role: "user", content: stop.reason });
  }
}

/** One call: hooks before it, the tool, hooks after it. What the model reads is what hooks leave. */
async function callTool(agent: Agent, call: ToolCall, session: object): Promise<Message[]> {
  const { executor, tools } = agent;
  const answer = (content: string): Message => ({ role: "tool", tool_call_id: call.id, content });
  const given = JSON.parse(call.function.arguments) as Record<string, unknown>;
  const payload = { ...session, tool_name: call.function.name, tool_use_id: call.id };
  const before = await executor.execute("PreToolUse", { ...payload, tool_input: given });
  if (before.blocked) return [answer(`Blocked: ${before.reason}`), ...contextOf(before)];
  if (before.decision.verdict === "ask" && !(await agent.confirm(before.decision.reason)))
    return [answer("The user said no."), ...contextOf(before)];
  const tool_input = (before.input ?? given) as Record<string, unknown>;
  const output = (await tools[call.function.name]?.(tool_input)) ?? "There is no such tool.";
  const done = { ...payload, tool_input, tool_response: output };
  const after = await executor.execute("PostToolUse", done);
  const shown = after.input === undefined ? output : textOf(after.input);
  return [answer(shown), ...contextOf(before), ...contextOf(after)];
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** A conversation that is too long keeps its beginning and its end, unless a hook minds. */
async function compacted(agent: Agent, messages: Message[], session: object): Promise<Message[]> {
  const { executor, longest = 200 } = agent;
  if (messages.length <= longest) return messages;
  const payload = { ...session, trigger: "auto" };
  if ((await executor.execute(HookEvents.PRE_COMPACT, payload)).blocked) return messages;
  const from = messages.findLastIndex(({ role }) => role === "assistant");
  const kept = [messages[0]!, ...messages.slice(from)];
  await executor.execute(HookEvents.POST_COMPACT, payload);
  return kept;
}

import { isCall, listOf, textOf, type Answer, type Body, type Dialect } from "./_dialect.ts";

/** OpenAI chat completions. */
export const chat = {
  path: /\/chat\/completions$/,
  named: false,
  done: "[DONE]",
  hear: (body) => ({
    said: listOf(body["messages"])
      .filter(({ role }) => role !== "system" && role !== "developer")
      .map(({ role, content }) => ({
        by: role === "assistant" ? "model" : "other",
        text: textOf(content),
      })),
    tools: listOf(body["tools"]).map((tool) => textOf((tool["function"] as Body)?.["name"])),
    stream: body["stream"] === true,
  }),
  whole: (answer) => ({
    ...envelope(answer, "chat.completion"),
    choices: [
      { index: 0, message: messageOf(answer), finish_reason: finish(answer), logprobs: null },
    ],
    usage: usage(answer),
  }),
  events: (answer) => {
    const chunk = (delta: object, finish_reason: string | null): object => ({
      ...envelope(answer, "chat.completion.chunk"),
      choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    });
    const { role, ...rest } = messageOf(answer);
    return [
      chunk({ role, content: "" }, null),
      chunk(rest, null),
      { ...chunk({}, finish(answer)), usage: usage(answer) },
    ];
  },
} satisfies Dialect;

const finish = ({ content }: Answer): string => (isCall(content) ? "tool_calls" : "stop");

const usage = ({ tokens }: Answer): object => ({
  prompt_tokens: tokens,
  completion_tokens: 1,
  total_tokens: tokens + 1,
});

const envelope = ({ id }: Answer, object: string): object => ({
  id: `chatcmpl-${id}`,
  object,
  created: 1,
  model: "fake-model",
});

function messageOf({ id, content }: Answer): { role: string; [member: string]: unknown } {
  if (!isCall(content)) return { role: "assistant", content: content.text };
  const call = { name: content.name, arguments: JSON.stringify(content.input) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id: `call_${id}`, type: "function", function: call }],
  };
}

import { isCall, listOf, textOf, type Answer, type Dialect } from "./_dialect.ts";

/** Anthropic Messages. */
export const messages = {
  path: /\/messages$/,
  named: true,
  hear: (body) => ({
    said: listOf(body["messages"]).map(({ role, content }) => ({
      by: role === "assistant" ? "model" : "other",
      text: textOf(content),
    })),
    tools: listOf(body["tools"]).map(({ name }) => textOf(name)),
    stream: body["stream"] === true,
  }),
  whole: (answer) => ({
    ...emptyMessage(answer),
    content: [
      isCall(answer.content)
        ? { ...toolUse(answer), input: answer.content.input }
        : { type: "text", text: answer.content.text },
    ],
    stop_reason: stopReason(answer),
  }),
  events: (answer) => [
    { type: "message_start", message: emptyMessage(answer) },
    ...block(answer),
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: usage(answer),
    },
    { type: "message_stop" },
  ],
} satisfies Dialect;

const usage = ({ tokens }: Answer): object => ({ input_tokens: tokens, output_tokens: 1 });

const stopReason = ({ content }: Answer): string => (isCall(content) ? "tool_use" : "end_turn");

const emptyMessage = (answer: Answer): object => ({
  id: `msg_${answer.id}`,
  type: "message",
  role: "assistant",
  model: "fake-model",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: usage(answer),
});

const toolUse = ({ id, content }: Answer): object => ({
  type: "tool_use",
  id: `toolu_${id}`,
  name: isCall(content) ? content.name : "",
  input: {},
});

function block(answer: Answer): object[] {
  const { content } = answer;
  const [start, delta] = isCall(content)
    ? [toolUse(answer), { type: "input_json_delta", partial_json: JSON.stringify(content.input) }]
    : [
        { type: "text", text: "" },
        { type: "text_delta", text: content.text },
      ];
  return [
    { type: "content_block_start", index: 0, content_block: start },
    { type: "content_block_delta", index: 0, delta },
  ];
}

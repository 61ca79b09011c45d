import { isCall, listOf, textOf, type Answer, type Body, type Dialect } from "./_dialect.ts";

/** OpenAI Responses. */
export const responses = {
  path: /\/responses$/,
  named: true,
  hear: (body) => ({
    said: itemsOf(body["input"]).map((item) => ({
      by: isOwn(item) ? "model" : "other",
      text: textOf(item["content"] ?? item["output"] ?? item),
    })),
    tools: listOf(body["tools"]).map(({ name, type }) => textOf(name ?? type)),
    stream: body["stream"] === true,
  }),
  whole: (answer) => ({
    ...response(answer, "completed"),
    output: [itemOf(answer)],
  }),
  events: (answer) => {
    const place = { output_index: 0 };
    return [
      { type: "response.created", response: response(answer, "in_progress") },
      { type: "response.output_item.added", ...place, item: itemOf(answer) },
      ...spoken(answer),
      { type: "response.output_item.done", ...place, item: itemOf(answer) },
      {
        type: "response.completed",
        response: { ...response(answer, "completed"), output: [itemOf(answer)] },
      },
    ];
  },
} satisfies Dialect;

const itemsOf = (input: unknown): readonly Body[] =>
  typeof input === "string" ? [{ content: input }] : listOf(input);

const OWN_TYPES = ["function_call", "custom_tool_call", "reasoning"];

const isOwn = ({ role, type }: Body): boolean =>
  role === "assistant" || OWN_TYPES.includes(textOf(type));

/** Some clients show what is spoken only from the pieces. */
function spoken({ id, content }: Answer): object[] {
  if (isCall(content)) return [];
  const place = { item_id: `msg_${id}`, output_index: 0, content_index: 0 };
  return [{ type: "response.output_text.delta", ...place, delta: content.text }];
}

function itemOf({ id, content }: Answer): object {
  if (!isCall(content))
    return {
      type: "message",
      id: `msg_${id}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: content.text, annotations: [] }],
    };
  const { name, namespace } = content;
  const call = { id: `fc_${id}`, call_id: `call_${id}`, name, namespace, status: "completed" };
  return content.text === undefined
    ? { type: "function_call", ...call, arguments: JSON.stringify(content.input) }
    : { type: "custom_tool_call", ...call, input: content.text };
}

const response = ({ id, tokens }: Answer, status: string): object => ({
  id: `resp_${id}`,
  object: "response",
  status,
  model: "fake-model",
  output: [],
  usage: {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 1,
  },
});

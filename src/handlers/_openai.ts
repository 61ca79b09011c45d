import { type Endpoint, inputOf } from "./_anthropic.ts";
import type { Completed, Completion, Provider, ToolCall, Turn } from "./_provider.ts";
import { Refusal, request } from "./_request.ts";
import { Failure } from "./_settled.ts";
import { bodyOf, isStream, listAt, numberAt, objectAt, textAt } from "./_sse.ts";

/** Chat completions, as OpenAI and many others offer them. */
export function openai(at: Endpoint): Provider {
  const ask = async (completion: Completion, schema: boolean): Promise<Completed> => {
    const answer = await request({
      url: at.url,
      hosts: at.hosts,
      headers: {
        "content-type": "application/json",
        ...(at.key === "" ? {} : { authorization: `Bearer ${at.key}` }),
      },
      json: questionOf(completion, at, schema),
      secret: at.key,
      limit: completion.limit,
    });
    const body = bodyOf(answer, at.url.host);
    return read(isStream(body) ? joined(body, at.url.host) : body, at.url.host);
  };
  return {
    name: "openai",
    model: at.model,
    takesTools: true,
    // Not every server knows schemas; the answer is checked either way.
    complete: (completion) =>
      ask(completion, true).catch((error: unknown) => {
        const unknown = error instanceof Refusal && [400, 422].includes(error.status);
        if (!unknown || !wantsSchema(completion)) throw error;
        return ask(completion, false);
      }),
  };
}

type Json = Record<string, unknown>;

/** Nothing but the answer is wanted: then a schema is better than a tool. */
const wantsSchema = ({ tools, force }: Completion): boolean =>
  tools.length === 1 && tools[0]!.name === force;

function questionOf(completion: Completion, at: Endpoint, schema: boolean): Json {
  const { system, turns } = completion;
  // OpenAI's newer models refuse max_tokens; other servers know nothing else.
  const longest = at.url.host === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
  return {
    model: at.model,
    [longest]: at.maxTokens,
    messages: [{ role: "system", content: system }, ...turns.flatMap(messagesOf)],
    ...(wantsSchema(completion) ? (schema ? formatOf(completion) : {}) : toolsOf(completion)),
    ...(at.stream ? { stream: true } : {}),
  };
}

const formatOf = ({ tools: [tool] }: Completion): Json => ({
  response_format: {
    type: "json_schema",
    json_schema: { name: tool!.name, strict: true, schema: tool!.input },
  },
});

function toolsOf({ tools, force }: Completion): Json {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, about, input }) => ({
      type: "function",
      function: { name, description: about, parameters: input },
    })),
    tool_choice: force === "" ? "auto" : { type: "function", function: { name: force } },
  };
}

function messagesOf(turn: Turn): Json[] {
  if (turn.role === "user") return [{ role: "user", content: turn.text }];
  if (turn.role === "tools")
    return turn.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  const calls = turn.calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input ?? {}) },
  }));
  return [
    {
      role: "assistant",
      content: turn.text === "" ? null : turn.text,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

function read(data: Json, host: string): Completed {
  const [choice] = listAt(data, "choices");
  const message = objectAt(choice, "message");
  if (!choice) throw new Failure(`${host}: the answer has no choices`);
  const why = textAt(choice, "finish_reason");
  if (why === "length") throw new Failure(`${host}: the answer was cut at max_tokens`);
  if (why === "content_filter" || textAt(message, "refusal") !== "")
    throw new Failure(`${host}: the model refused to answer`);
  const usage = objectAt(data, "usage");
  return {
    text: textAt(message, "content"),
    calls: listAt(message, "tool_calls").map((call) => callOf(call, host)),
    usage: {
      input: numberAt(usage, "prompt_tokens"),
      output: numberAt(usage, "completion_tokens"),
    },
  };
}

const callOf = (call: Json, host: string): ToolCall => ({
  id: textAt(call, "id"),
  name: textAt(objectAt(call, "function"), "name"),
  input: inputOf(textAt(objectAt(call, "function"), "arguments"), host),
});

/** A stream → the answer that it spells. It is whole when a chunk gave a reason to end. */
function joined(chunks: readonly Json[], host: string): Json {
  if (chunks.some((chunk) => chunk["error"] !== undefined))
    throw new Failure(`${host}: the stream broke off`);
  const choices = chunks.flatMap((chunk) => listAt(chunk, "choices").slice(0, 1));
  const reason = choices.map((choice) => textAt(choice, "finish_reason")).find((why) => why !== "");
  if (reason === undefined) throw new Failure(`${host}: the stream was cut off`);
  const deltas = choices.map((choice) => objectAt(choice, "delta"));
  const all = (key: string): string => deltas.map((delta) => textAt(delta, key)).join("");
  const message = { content: all("content"), refusal: all("refusal"), tool_calls: calls(deltas) };
  return {
    choices: [{ message, finish_reason: reason }],
    usage: objectAt(
      chunks.findLast((chunk) => chunk["usage"]),
      "usage",
    ),
  };
}

function calls(deltas: readonly Json[]): Json[] {
  const parts = deltas.flatMap((delta) => listAt(delta, "tool_calls"));
  const places = [...new Set(parts.map((part) => numberAt(part, "index")))];
  return places.map((place) => {
    const own = parts.filter((part) => numberAt(part, "index") === place);
    const all = (key: string): string =>
      own.map((part) => textAt(objectAt(part, "function"), key)).join("");
    const id = own.map((part) => textAt(part, "id")).join("");
    return { id, function: { name: all("name"), arguments: all("arguments") } };
  });
}

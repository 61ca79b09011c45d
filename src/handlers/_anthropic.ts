import type { AllowLists } from "./_net.ts";
import type { Completed, Completion, Provider, ToolCall, Turn } from "./_provider.ts";
import { request } from "./_request.ts";
import { lenient } from "./_lenient.ts";
import { Failure } from "./_settled.ts";
import { bodyOf, isStream, listAt, numberAt, objectAt, textAt } from "./_sse.ts";

/** What the API providers have in common. */
export interface Endpoint {
  readonly url: URL;
  readonly key: string;
  readonly model: string;
  readonly maxTokens: number;
  readonly stream: boolean;
  readonly hosts: AllowLists;
}

/** Anthropic's Messages API: https://docs.anthropic.com/en/api/messages */
export function anthropic(at: Endpoint): Provider {
  return {
    name: "anthropic",
    model: at.model,
    takesTools: true,
    complete: async (completion) => {
      const answer = await request({
        url: at.url,
        hosts: at.hosts,
        headers: {
          "content-type": "application/json",
          "anthropic-version": "2023-06-01",
          ...(at.key === "" ? {} : { "x-api-key": at.key }),
        },
        json: questionOf(completion, at),
        secret: at.key,
        limit: completion.limit,
      });
      const body = bodyOf(answer, at.url.host);
      return read(isStream(body) ? joined(body, at.url.host) : body, at.url.host);
    },
  };
}

type Json = Record<string, unknown>;

function questionOf({ system, turns, tools, force }: Completion, at: Endpoint): Json {
  return {
    model: at.model,
    max_tokens: at.maxTokens,
    system,
    messages: turns.map(messageOf),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, about, input }) => ({
            name,
            description: about,
            input_schema: input,
          })),
          tool_choice: force === "" ? { type: "auto" } : { type: "tool", name: force },
        }),
    ...(at.stream ? { stream: true } : {}),
  };
}

function messageOf(turn: Turn): Json {
  if (turn.role === "user") return { role: "user", content: turn.text };
  if (turn.role === "tools")
    return {
      role: "user",
      content: turn.results.map(({ id, text, failed }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: text,
        ...(failed ? { is_error: true } : {}),
      })),
    };
  const calls = turn.calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input }));
  const text = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  return { role: "assistant", content: [...text, ...calls] };
}

function read(message: Json, host: string): Completed {
  const content = listAt(message, "content");
  if (textAt(message, "type") !== "message")
    throw new Failure(`${host}: the answer is not a message`);
  const why = textAt(message, "stop_reason");
  if (why === "max_tokens") throw new Failure(`${host}: the answer was cut at max_tokens`);
  if (why === "refusal") throw new Failure(`${host}: the model refused to answer`);
  const usage = objectAt(message, "usage");
  return {
    text: content.map((block) => textAt(block, "text")).join(""),
    calls: content.filter((block) => block["type"] === "tool_use").map(callOf),
    usage: { input: inputTokens(usage), output: numberAt(usage, "output_tokens") },
  };
}

/** What came from the vendor's cache was read all the same; its program counts in the same way. */
export const inputTokens = (usage: Json): number =>
  numberAt(usage, "input_tokens") +
  numberAt(usage, "cache_creation_input_tokens") +
  numberAt(usage, "cache_read_input_tokens");

const callOf = (block: Json): ToolCall => ({
  id: textAt(block, "id"),
  name: textAt(block, "name"),
  input: block["input"],
});

/** A stream → the message that it spells: https://docs.anthropic.com/en/api/messages-streaming */
function joined(events: readonly Json[], host: string): Json {
  const error = events.find((event) => event["type"] === "error");
  if (error)
    throw new Failure(`${host}: the stream broke off: ${textAt(objectAt(error, "error"), "type")}`);
  if (!events.some((event) => event["type"] === "message_stop"))
    throw new Failure(`${host}: the stream was cut off`);
  const started = objectAt(
    events.find((event) => event["type"] === "message_start"),
    "message",
  );
  const ended = events.findLast((event) => event["type"] === "message_delta");
  return {
    ...started,
    content: blocksOf(events, host),
    stop_reason: textAt(objectAt(ended, "delta"), "stop_reason"),
    usage: { ...objectAt(started, "usage"), ...objectAt(ended, "usage") },
  };
}

function blocksOf(events: readonly Json[], host: string): Json[] {
  const starts = events.filter((event) => event["type"] === "content_block_start");
  return starts.map((start) => {
    const deltas = events.filter(
      (event) => event["type"] === "content_block_delta" && event["index"] === start["index"],
    );
    const all = (kind: string, key: string): string =>
      deltas
        .map((event) => objectAt(event, "delta"))
        .filter((delta) => delta["type"] === kind)
        .map((delta) => textAt(delta, key))
        .join("");
    const block = objectAt(start, "content_block");
    if (block["type"] === "text") return { ...block, text: all("text_delta", "text") };
    if (block["type"] !== "tool_use") return block;
    return { ...block, input: inputOf(all("input_json_delta", "partial_json"), host) };
  });
}

export function inputOf(text: string, host: string): unknown {
  if (text === "") return {};
  try {
    JSON.parse(text);
  } catch {
    throw new Failure(`${host}: the input of a tool call is no JSON`);
  }
  const input = lenient(text);
  if (input === undefined)
    throw new Failure(`${host}: the input of a tool call says something twice`);
  return input;
}

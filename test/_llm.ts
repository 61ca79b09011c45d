import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What the model on loopback does when it is asked, one after the other; the last one stays. */
export type Said =
  /** `after`: so many milliseconds later. */
  | { readonly text: string; readonly stop?: string; readonly after?: number }
  | { readonly calls: readonly { readonly name: string; readonly input: unknown }[] }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Half a stream, then nothing more; `close` hangs up, else the connection stays open. */
  | { readonly half: string; readonly close: boolean }
  | { readonly hang: true }
  | { readonly huge: true };

export interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Body;
}

interface Body {
  readonly system?: string;
  readonly model: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly tools?: readonly unknown[];
  readonly tool_choice?: unknown;
  readonly response_format?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export interface Llm {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Requests whose answer was written to the end. */
  readonly answered: () => number;
  close(): Promise<void>;
}

/** Speaks Anthropic's Messages and OpenAI's chat completions, whole and as streams. */
export async function startLlm(...script: readonly Said[]): Promise<Llm> {
  const asked: Asked[] = [];
  let answered = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = "", headers } = request;
    const n = asked.push({ path: url, headers, body: await bodyOf(request) });
    response.on("finish", () => answered++);
    const said = script[Math.min(n, script.length) - 1]!;
    if ("after" in said) await sleep(said.after);
    answer(said, n, asked[n - 1]!, response);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answered: () => answered,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const bodyOf = async (request: IncomingMessage): Promise<Body> =>
  JSON.parse(Buffer.concat(await request.toArray()).toString("utf8")) as Body;

function answer(said: Said, n: number, { path, body }: Asked, response: ServerResponse): void {
  const json = { "content-type": "application/json" };
  if ("hang" in said) return;
  if ("status" in said) {
    response.writeHead(said.status, { ...json, ...said.headers }).end(said.body ?? "{}");
    return;
  }
  if ("huge" in said) {
    response.writeHead(200, json).end(`{"x":"${"x".repeat(2_000_000)}"}`);
    return;
  }
  const isMessages = path === "/v1/messages";
  if (!isMessages && path !== "/v1/chat/completions") {
    response.writeHead(404, json).end("{}");
    return;
  }
  if (body.stream !== true && !("half" in said)) {
    const whole = isMessages ? message(said, n) : completion(said, n);
    response.writeHead(200, json).end(JSON.stringify(whole));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const turn: Turn = "half" in said ? { text: said.half } : said;
  const events = isMessages ? messageEvents(turn, n) : completionChunks(turn, n);
  if (!("half" in said)) {
    response.end(events.join(""));
    return;
  }
  response.write(events.slice(0, isMessages ? 3 : 2).join(""));
  if (said.close) setTimeout(() => response.destroy(), 20);
}

type Turn = Extract<Said, { text: string } | { calls: unknown }>;

const usage = { input_tokens: 11, output_tokens: 7 };

/** https://docs.anthropic.com/en/api/messages */
function message(turn: Turn, n: number): object {
  const content =
    "text" in turn
      ? [{ type: "text", text: turn.text }]
      : turn.calls.map((call, at) => ({ type: "tool_use", id: `toolu_${n}_${at}`, ...call }));
  const stop = "text" in turn ? (turn.stop ?? "end_turn") : "tool_use";
  return {
    ...{ id: `msg_${n}`, type: "message", role: "assistant", model: "fake", content },
    ...{ stop_reason: stop, stop_sequence: null, usage },
  };
}

/** https://docs.anthropic.com/en/api/messages-streaming */
function messageEvents(turn: Turn, n: number): string[] {
  const whole = message(turn, n) as { content: Record<string, unknown>[]; stop_reason: string };
  const started = {
    ...whole,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  };
  const blocks = whole.content.flatMap((block, index) => {
    const isText = block["type"] === "text";
    const spelt = isText ? String(block["text"]) : JSON.stringify(block["input"]);
    const middle = Math.ceil(spelt.length / 2);
    const delta = (part: string): object =>
      isText
        ? { type: "text_delta", text: part }
        : { type: "input_json_delta", partial_json: part };
    return [
      {
        type: "content_block_start",
        index,
        content_block: isText ? { ...block, text: "" } : { ...block, input: {} },
      },
      { type: "content_block_delta", index, delta: delta(spelt.slice(0, middle)) },
      { type: "content_block_delta", index, delta: delta(spelt.slice(middle)) },
      { type: "content_block_stop", index },
    ];
  });
  const events: { type: string }[] = [
    { type: "message_start", message: started } as { type: string },
    { type: "ping" },
    ...blocks,
    {
      type: "message_delta",
      delta: { stop_reason: whole.stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    } as { type: string },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** https://platform.openai.com/docs/api-reference/chat */
function completion(turn: Turn, n: number): object {
  const calls = "text" in turn ? undefined : turn.calls.map((call, at) => callOf(call, n, at));
  const content = "text" in turn ? turn.text : null;
  const finish = "text" in turn ? (turn.stop ?? "stop") : "tool_calls";
  const reply = {
    ...{ role: "assistant", content, refusal: null },
    ...(calls ? { tool_calls: calls } : {}),
  };
  return {
    ...{ id: `chatcmpl-${n}`, object: "chat.completion", created: 1, model: "fake" },
    choices: [{ index: 0, message: reply, logprobs: null, finish_reason: finish }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  };
}

const callOf = (call: { name: string; input: unknown }, n: number, at: number): object => ({
  id: `call_${n}_${at}`,
  type: "function",
  function: { name: call.name, arguments: JSON.stringify(call.input) },
});

function completionChunks(turn: Turn, n: number): string[] {
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    ...{ id: `chatcmpl-${n}`, object: "chat.completion.chunk", created: 1, model: "fake" },
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const half = (text: string): string[] => [
    text.slice(0, Math.ceil(text.length / 2)),
    text.slice(Math.ceil(text.length / 2)),
  ];
  const parts =
    "text" in turn
      ? half(turn.text).map((content) => chunk({ content }))
      : turn.calls.flatMap(({ name, input }, index) => [
          chunk({
            tool_calls: [
              {
                index,
                id: `call_${n}_${index}`,
                type: "function",
                function: { name, arguments: "" },
              },
            ],
          }),
          ...half(JSON.stringify(input)).map((piece) =>
            chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
          ),
        ]);
  const stop = "text" in turn ? (turn.stop ?? "stop") : "tool_calls";
  const all = [chunk({ role: "assistant", content: "" }), ...parts, chunk({}, stop)];
  return [...all.map((one) => `data: ${JSON.stringify(one)}\n\n`), "data: [DONE]\n\n"];
}

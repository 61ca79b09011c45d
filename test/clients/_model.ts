import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";

/** What the model says in one turn: a text, or one call of the client's own shell tool. */
export type Turn =
  | { readonly text: string }
  /** `workdir` exists in Codex only; Claude Code's shell keeps the folder of the last `cd`. */
  | { readonly shell: string; readonly workdir?: string };

export interface Request {
  /** All that the model was sent, as JSON text. */
  readonly all: string;
  /** What was new since its last turn: tool results, and what hooks had to say. */
  readonly news: string;
}

export interface Model {
  readonly url: string;
  /** Everything that was asked, in order. */
  readonly requests: readonly Request[];
  close(): Promise<void>;
}

/** A model on loopback that follows a script, whatever it is told; when the script ends, it says so. */
export async function startModel(turns: readonly Turn[]): Promise<Model> {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    answer(request, response, turns, requests).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  turns: readonly Turn[],
  requests: Request[],
): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString("utf8");
  const path = (request.url ?? "").replace(/\?.*/, "");
  const said = request.method === "POST" ? DIALECTS[path] : undefined;
  if (said === undefined) {
    response.writeHead(404).end("{}");
    return;
  }
  const n = requests.push({ all: body, news: newsOf(body) });
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of said(turns[n - 1] ?? { text: "The script is over." }, n))
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

interface Item {
  readonly role?: string;
  readonly type?: string;
}

function newsOf(body: string): string {
  const { messages, input } = JSON.parse(body) as { messages?: Item[]; input?: Item[] };
  const items = messages ?? input ?? [];
  const own = (item: Item): boolean => item.role === "assistant" || item.type === "function_call";
  return JSON.stringify(items.slice(items.findLastIndex(own) + 1));
}

interface Sent {
  readonly type: string;
  readonly [member: string]: unknown;
}

const DIALECTS: Readonly<Record<string, (turn: Turn, n: number) => readonly Sent[]>> = {
  "/v1/messages": messages,
  "/v1/responses": responses,
};

function messages(turn: Turn, n: number): readonly Sent[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const [block, delta, stop_reason] =
    "text" in turn
      ? [{ type: "text", text: "" }, { type: "text_delta", text: turn.text }, "end_turn"]
      : [
          { type: "tool_use", id: `toolu_${n}`, name: "Bash", input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify({ command: turn.shell }) },
          "tool_use",
        ];
  const message = {
    id: `msg_${n}`,
    type: "message",
    role: "assistant",
    model: "fake",
    content: [],
  };
  return [
    {
      type: "message_start",
      message: { ...message, stop_reason: null, stop_sequence: null, usage },
    },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
}

function responses(turn: Turn, n: number): readonly Sent[] {
  const item =
    "text" in turn
      ? {
          type: "message",
          id: `msg_${n}`,
          role: "assistant",
          content: [{ type: "output_text", text: turn.text, annotations: [] }],
        }
      : {
          type: "function_call",
          id: `fc_${n}`,
          call_id: `call_${n}`,
          name: "exec_command",
          arguments: JSON.stringify({ cmd: turn.shell, workdir: turn.workdir }),
        };
  const usage = {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  };
  return [
    { type: "response.created", response: { id: `resp_${n}` } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: `resp_${n}`, output: [], usage } },
  ];
}

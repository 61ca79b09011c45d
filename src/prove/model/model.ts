import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault } from "../../fault.ts";
import type { Answer, Body, Dialect } from "./_dialect.ts";
import { chat } from "./chat.ts";
import { generateContent } from "./generate-content.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";
import {
  isCall,
  newsIn,
  OVER,
  placeIn,
  type Call,
  type Place,
  type Scripts,
  type ToolCall,
  type Turn,
} from "./script.ts";

/** How clients ask for a summary when they compact: with all their tools, as one more message. */
const SUMMARY = /summary of (the|our|this) conversation|CHECKPOINT COMPACTION|<state_snapshot>/i;

const ERRAND: Turn = { text: "<summary>The work goes on.</summary>" };

const DIALECTS: readonly Dialect[] = [messages, responses, chat, generateContent];

/** One request that the model answered. */
export interface Asked extends Place {
  /** All that the model was sent, as JSON text. */
  readonly all: string;
  /** What was new since its last turn. */
  readonly news: string;
  readonly tools: readonly string[];
  /** Milliseconds since the model was started. */
  readonly at: number;
}

export interface Model {
  readonly url: string;
  /** What was asked while an agent was at work, in order; side errands are in `errands`. */
  readonly requests: readonly Asked[];
  readonly errands: readonly Asked[];
  /** Requests that no dialect knows: `GET /v1/models`. */
  readonly unknown: readonly string[];
  close(): Promise<void>;
}

export interface Cast {
  /** The one without a name is for conversations that name none; else those are errands. */
  readonly scripts: Scripts;
  readonly toTool: (call: Call) => ToolCall | undefined;
  /** How many tokens make a context full for this client. */
  readonly fullAt: number;
}

/** A model on loopback that follows scripts, whatever it is told. */
export async function startModel(cast: Cast): Promise<Model> {
  const [requests, errands, unknown]: [Asked[], Asked[], string[]] = [[], [], []];
  const began = performance.now();
  const filled = new Set<Turn>();
  let last = 0;
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(JSON.stringify({ error: { message: String(error) } }));
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Math.round(performance.now() - began);
    const text = Buffer.concat(await request.toArray()).toString("utf8");
    const path = (request.url ?? "").replace(/\?.*/, "");
    const dialect =
      request.method === "POST" ? DIALECTS.find((one) => one.path.test(path)) : undefined;
    if (dialect === undefined) {
      unknown.push(`${request.method} ${path}`);
      answerOther(path, response);
      return;
    }
    const heard = dialect.hear(JSON.parse(text) as Body, path);
    const place = placeIn(heard.said);
    const asked: Asked = { ...place, all: text, news: newsIn(heard.said), tools: heard.tools, at };
    const isNamed = place.script !== "" || cast.scripts[""] === undefined;
    const isErrand =
      isNamed && (heard.tools.length === 0 || SUMMARY.test(heard.said.at(-1)?.text ?? ""));
    (isErrand ? errands : requests).push(asked);
    const turn = isErrand ? ERRAND : (cast.scripts[place.script]?.[place.step] ?? OVER);
    const isFull = turn.full === true && !filled.has(turn);
    if (isFull) filled.add(turn);
    reply(response, dialect, heard.stream, turn, {
      id: ++last,
      content: contentOf(turn, cast),
      tokens: isFull ? cast.fullAt : 1,
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(unheard(error)));
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ requests, errands, unknown },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const unheard = (cause: Error): Fault =>
  new Fault("no-loopback", `the model cannot listen on 127.0.0.1: ${cause.message}`, {
    hint: "a client can only be proven where it can reach a port of this machine",
    cause,
  });

function reply(
  response: ServerResponse,
  dialect: Dialect,
  stream: boolean,
  turn: Turn,
  answer: Answer,
): void {
  if ("status" in turn) {
    const error = { type: "api_error", code: turn.status, message: "The model is not well." };
    response.writeHead(turn.status, JSON_TYPE).end(JSON.stringify({ type: "error", error }));
    return;
  }
  if (!stream) {
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(dialect.whole(answer)));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of dialect.events(answer)) {
    const name = dialect.named && "type" in event ? `event: ${String(event.type)}\n` : "";
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(dialect.done === undefined ? "" : `data: ${dialect.done}\n\n`);
}

const JSON_TYPE = { "content-type": "application/json" };

/** A client that has no such tool hears so, instead of a call it would not understand. */
function contentOf(turn: Turn, { toTool }: Cast): Answer["content"] {
  if (isCall(turn)) return toTool(turn) ?? { text: "This client has no tool for the next step." };
  return "text" in turn ? { text: turn.text } : { text: "" };
}

/** Lists of models and counts of tokens: some clients ask before they begin. */
function answerOther(path: string, response: ServerResponse): void {
  const model = { id: "fake-model", object: "model", created: 1, owned_by: "fake" };
  if (path.endsWith("/models"))
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ object: "list", data: [model] }));
  else if (/count_?tokens$/i.test(path))
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ input_tokens: 1, totalTokens: 1 }));
  else response.writeHead(404, JSON_TYPE).end("{}");
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model says in one turn: a text, or one call of a tool. */
export type ChatTurn =
  | string
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
}

export interface ChatModel {
  readonly url: string;
  /** The messages of every request, in order. */
  readonly requests: readonly (readonly ChatMessage[])[];
  close(): Promise<void>;
}

/** Chat completions on loopback, after a script; when it is over, the model says so. */
export async function startChatModel(turns: readonly ChatTurn[]): Promise<ChatModel> {
  const requests: ChatMessage[][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
        messages: ChatMessage[];
      };
      const n = requests.push(body.messages);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(completion(turns[n - 1] ?? "The script is over.", n)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function completion(turn: ChatTurn, n: number): object {
  const call = (tool: string, input: object): object => ({
    id: `call_${n}`,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(input) },
  });
  const message =
    typeof turn === "string"
      ? { role: "assistant", content: turn }
      : { role: "assistant", content: null, tool_calls: [call(turn.tool, turn.input)] };
  const finish_reason = typeof turn === "string" ? "stop" : "tool_calls";
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const choices = [{ index: 0, message, finish_reason }];
  return { id: `c${n}`, object: "chat.completion", created: 1, model: "fake", choices, usage };
}

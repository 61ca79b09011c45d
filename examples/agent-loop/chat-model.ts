import type { Message } from "./agent.ts";

export interface Endpoint {
  readonly url: string;
  readonly model: string;
  readonly key: string;
  /** Tools that take one text, `command`. */
  readonly tools: readonly string[];
}

/** A model behind an endpoint that speaks chat completions. */
export function chatModel({ url, model, key, tools }: Endpoint) {
  const parameters = { type: "object", properties: { command: { type: "string" } } };
  const offered = tools.map((name) => ({ type: "function", function: { name, parameters } }));
  return async (messages: readonly Message[]): Promise<Message> => {
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages, tools: offered }),
    });
    if (!response.ok) throw new Error(`the model answered ${response.status}`);
    const { choices } = (await response.json()) as { choices: readonly { message: Message }[] };
    const { content, ...message } = choices[0]!.message;
    return { ...message, content: content ?? "" };
  };
}

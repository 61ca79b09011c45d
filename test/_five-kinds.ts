import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";

/**
 * One chain with all five kinds of handler, in mixed order; whoever runs hooks must answer the same.
 * Each rewriting hook adds its letter to the command, so the command says who ran after whom.
 */
export const FIVE_KINDS = {
  event: "PreToolUse",
  payload: "PreToolUse--Bash",
  input: { command: "ls", description: "list" },
  /** In the order in which they must run, which is not the order in which they are written. */
  hooks: ["a-command", "b-http", "c-module", "d-prompt", "e-list", "f-agent"],
  /** The agent lets the command through when it was rewritten so far, in this order. */
  rewritten: "ls a b c e",
  /** What the model was shown by the prompt hook, in the middle of the chain. */
  shown: "ls a b c",
  denied: "the agent says no",
} as const;

/** `.anyhook/hooks.yaml` and what it names; `url` is that of `startFiveKinds`. */
export const fiveKindsFiles = (url: string): Record<string, string> => ({
  ".anyhook/hooks.yaml": `hooks:
  - { name: f-agent, events: PreToolUse, order: 60, block: true, type: agent, prompt: "Look at a.ts first. {tool_input.command}", provider: openai, base_url: "${url}/v1", model: fake }
  - { name: d-prompt, events: PreToolUse, order: 40, block: true, prompt: "Is {tool_input.command} fine?", provider: anthropic, base_url: "${url}", model: fake }
  - { name: e-list, events: PreToolUse, order: 50, command: [sh, -c, 'printf ''{"rewrite":{"command":"%s e"}}'' "$1"', sh, "{tool_input.command}"] }
  - { name: b-http, events: PreToolUse, order: 20, url: "${url}/hook" }
  - { name: c-module, events: PreToolUse, order: 30, module: modules/c.mjs }
  - { name: a-command, events: PreToolUse, order: 10, command: 'printf ''{"rewrite":{"command":"%s a"}}'' {tool_input.command}' }
`,
  ".anyhook/modules/c.mjs":
    "export default { run: (event) => ({ rewrite: { command: `${event.tool_input.command} c` } }) };\n",
  "a.ts": "export const a = 1;\n",
});

export interface FiveKinds {
  readonly url: string;
  /** Texts of the questions that the prompt hook asked. */
  readonly questions: readonly string[];
  /** Tool results that the agent got. */
  readonly looked: readonly string[];
  close(): Promise<void>;
}

/** The endpoint, and both dialects of a model, in one server on loopback. */
export async function startFiveKinds({ agent }: { agent: boolean }): Promise<FiveKinds> {
  const questions: string[] = [];
  const looked: string[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const notes = { agent, questions, looked };
    const said = ANSWERS[request.url ?? ""]?.(await jsonOf(request), notes);
    response.writeHead(said === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(said ?? {}));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, questions, looked },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Body {
  readonly tool_input?: { readonly command: string };
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
}

interface Notes {
  readonly agent: boolean;
  readonly questions: string[];
  readonly looked: string[];
}

const jsonOf = async (request: IncomingMessage): Promise<Body> =>
  JSON.parse(Buffer.concat(await request.toArray()).toString("utf8")) as Body;

const ANSWERS: Readonly<Record<string, (body: Body, notes: Notes) => unknown>> = {
  "/hook": ({ tool_input }) => ({ rewrite: { command: `${tool_input!.command} b` } }),
  "/v1/messages": ({ messages }, { questions }) => {
    questions.push(messages![0]!.content);
    const content = [
      { type: "tool_use", id: "t", name: "answer", input: { ok: true, reason: "" } },
    ];
    const usage = { input_tokens: 3, output_tokens: 2 };
    return { type: "message", role: "assistant", content, stop_reason: "tool_use", usage };
  },
  "/v1/chat/completions": ({ messages }, { agent, looked }) => {
    const result = messages!.findLast(({ role }) => role === "tool");
    if (result) looked.push(result.content);
    const [name, input] = result
      ? ["answer", { ok: agent, reason: FIVE_KINDS.denied, findings: [] }]
      : ["read_file", { path: "a.ts" }];
    const call = {
      id: "c",
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    };
    const message = { role: "assistant", content: null, tool_calls: [call] };
    const usage = { prompt_tokens: 3, completion_tokens: 2 };
    return { choices: [{ index: 0, message, finish_reason: "tool_calls" }], usage };
  },
};

import { afterEach, describe, expect, test } from "vitest";
import { startModel, type Model } from "../../src/prove/model/model.ts";
import { promptFor, type Scripts } from "../../src/prove/model/script.ts";

const SCRIPTS: Scripts = {
  main: [{ shell: "ls" }, { text: "Seen.", full: true }],
  part: [{ text: "Part done." }],
  ill: [{ status: 529 }],
};

const models: Model[] = [];
afterEach(() => Promise.all(models.splice(0).map((model) => model.close())));

async function start(): Promise<Model> {
  const model = await startModel({
    scripts: SCRIPTS,
    toTool: (call) => ("shell" in call ? { name: "run", input: { cmd: call.shell } } : undefined),
    fullAt: 900,
  });
  models.push(model);
  return model;
}

/** A conversation: the user's words, then what the model said and what it was answered, in turn. */
type Turns = readonly [string, ...string[]];

interface Dialect {
  readonly name: string;
  readonly path: (stream: boolean) => string;
  readonly body: (turns: Turns, stream: boolean) => object;
  /** Where the text, the name and the arguments of a call are in a whole answer. */
  readonly whole: (answer: never) => unknown;
  /** The same, put together from the events of a stream. */
  readonly streamed: (events: never[]) => unknown;
}

const roles = (turns: Turns, model: string) =>
  turns.map((text, i) => ({ role: i % 2 === 0 ? "user" : model, text }));

interface Block {
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
}
interface Delta {
  readonly type: string;
  readonly content_block?: Block;
  readonly delta?: { readonly text?: string; readonly partial_json?: string };
  readonly item?: Item;
}
interface Item {
  readonly name?: string;
  readonly arguments?: string;
  readonly content?: readonly Block[];
}
interface Chat {
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly function: { name: string; arguments: string } }[];
}
interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly name: string; readonly args: unknown };
}

const call = (name: string, input: unknown): unknown => ({ name, input });
const fromItem = ({ name, arguments: args, content }: Item): unknown =>
  name === undefined ? content![0]!.text : call(name, JSON.parse(args!));
const fromChat = ({ content, tool_calls: [first] = [] }: Chat): unknown =>
  first ? call(first.function.name, JSON.parse(first.function.arguments)) : content;
const fromPart = ({ text, functionCall }: Part): unknown =>
  functionCall ? call(functionCall.name, functionCall.args) : text;
type Contents = { candidates: [{ content: { parts: [Part] } }] };

const DIALECTS: readonly Dialect[] = [
  {
    name: "Messages",
    path: () => "/v1/messages?beta=true",
    body: (turns, stream) => ({
      stream,
      tools: [{ name: "run" }],
      messages: roles(turns, "assistant").map(({ role, text }) => ({
        role,
        content: [{ type: "text", text }],
      })),
    }),
    whole: ({ content: [block] }: { content: [Block] }) =>
      block.name === undefined ? block.text : call(block.name, block.input),
    streamed: (events: Delta[]) => {
      const { name } = events.find((one) => one.content_block)!.content_block!;
      const { delta } = events.find(({ type }) => type === "content_block_delta")!;
      return name === undefined ? delta!.text : call(name, JSON.parse(delta!.partial_json!));
    },
  },
  {
    name: "Responses",
    path: () => "/v1/responses",
    body: (turns, stream) => ({
      stream,
      tools: [{ type: "function", name: "run" }],
      input: roles(turns, "assistant").map(({ role, text }) => ({
        type: "message",
        role,
        content: [{ type: "input_text", text }],
      })),
    }),
    whole: ({ output: [item] }: { output: [Item] }) => fromItem(item),
    streamed: (events: Delta[]) =>
      fromItem(events.find(({ type }) => type === "response.output_item.done")!.item!),
  },
  {
    name: "chat completions",
    path: () => "/v1/chat/completions",
    body: (turns, stream) => ({
      stream,
      tools: [{ type: "function", function: { name: "run" } }],
      messages: [
        { role: "system", content: "You obey." },
        ...roles(turns, "assistant").map(({ role, text }) => ({ role, content: text })),
      ],
    }),
    whole: ({ choices: [{ message }] }: { choices: [{ message: Chat }] }) => fromChat(message),
    streamed: (events: { choices: [{ delta: Chat }] }[]) => fromChat(events[1]!.choices[0].delta),
  },
  {
    name: "generateContent",
    path: (stream) =>
      `/v1beta/models/fake:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: (turns) => ({
      tools: [{ functionDeclarations: [{ name: "run" }] }],
      contents: roles(turns, "model").map(({ role, text }) => ({ role, parts: [{ text }] })),
    }),
    whole: ({ candidates: [{ content }] }: Contents) => fromPart(content.parts[0]),
    streamed: ([first]: Contents[]) => fromPart(first!.candidates[0].content.parts[0]),
  },
];

const ask = (model: Model, path: string, body: object): Promise<Response> =>
  fetch(model.url + path, { method: "POST", body: JSON.stringify(body) });

async function eventsOf(response: Response): Promise<unknown[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  const data = lines.map((line) => line.slice("data: ".length));
  return data.filter((text) => text !== "[DONE]").map((text) => JSON.parse(text) as unknown);
}

describe.each(DIALECTS)("$name", ({ path, body, whole, streamed }) => {
  const said = async (model: Model, turns: Turns, stream: boolean): Promise<unknown> => {
    const response = await ask(model, path(stream), body(turns, stream));
    expect(response.headers.get("content-type")).toBe(
      stream ? "text/event-stream" : "application/json",
    );
    return stream
      ? streamed((await eventsOf(response)) as never[])
      : whole((await response.json()) as never);
  };

  test.each([true, false])(
    "follows the script that the prompt names (stream: %s)",
    async (stream) => {
      const model = await start();
      const prompt = promptFor("main");
      expect(await said(model, [prompt], stream)).toEqual({ name: "run", input: { cmd: "ls" } });
      expect(await said(model, [prompt, "I call run.", "a.txt"], stream)).toBe("Seen.");
      expect(await said(model, [prompt, "-", "-", "-", "go on"], stream)).toBe(
        "The script is over.",
      );
      // Nothing is remembered: a retry and a sub-agent find their own place.
      expect(await said(model, [prompt, "I call run.", "a.txt"], stream)).toBe("Seen.");
      expect(await said(model, [promptFor("part")], stream)).toBe("Part done.");
      expect(
        model.requests.map(({ script, step, news }) => ({ script, step, news })),
      ).toMatchObject([
        { script: "main", step: 0 },
        { script: "main", step: 1, news: expect.stringContaining("a.txt") as string },
        { script: "main", step: 2, news: expect.not.stringContaining("a.txt") as string },
        { script: "main", step: 1 },
        { script: "part", step: 0 },
      ]);
      expect(model.unknown).toEqual([]);
    },
  );

  test("a full context is reported once, so that a client compacts once", async () => {
    const model = await start();
    const turns: Turns = [promptFor("main"), "-", "-"];
    const tokens = async (): Promise<boolean> =>
      (await (await ask(model, path(false), body(turns, false))).text()).includes("900");
    expect([await tokens(), await tokens()]).toEqual([true, false]);
  });

  test("a side errand gets a text and leaves the script alone", async () => {
    const model = await start();
    const { tools: _, ...errand } = body([promptFor("main")], false) as { tools: unknown };
    const response = await ask(model, path(false), errand);
    expect(whole((await response.json()) as never)).toBe("<summary>The work goes on.</summary>");
    const asks: Turns = [promptFor("main"), "-", "Write a detailed summary of our conversation."];
    expect(await said(model, asks, true)).toBe("<summary>The work goes on.</summary>");
    expect([model.requests.length, model.errands.length]).toEqual([0, 2]);
  });

  test("a model that is not well says so with its status", async () => {
    const model = await start();
    const response = await ask(model, path(true), body([promptFor("ill")], true));
    expect(response.status).toBe(529);
    expect(await response.text()).toContain("The model is not well.");
  });
});

test("what clients ask beside is answered or recorded", async () => {
  const model = await start();
  const models = (await (await fetch(`${model.url}/v1/models`)).json()) as { data: unknown[] };
  expect(models.data).toMatchObject([{ id: "fake-model" }]);
  expect((await fetch(`${model.url}/telemetry`)).status).toBe(404);
  expect(model.unknown).toEqual(["GET /v1/models", "GET /telemetry"]);
});

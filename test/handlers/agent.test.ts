import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Llm, type Said, startLlm } from "../_llm.ts";
import { hookOf, judged, PAYLOAD, workOf } from "../_remote.ts";

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function llm(...script: Said[]): Promise<Llm> {
  const server = await startLlm(...script);
  closers.push(() => server.close());
  return server;
}

function project(): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-agent-")));
  closers.push(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, "shop"));
  writeFileSync(join(base, "shop/a.ts"), "const password = 1;\n");
  writeFileSync(join(base, "outside.txt"), "out of bounds\n");
  return join(base, "shop");
}

const KEY = "sk-test-0123456789abcdef";
const env = { PATH: process.env["PATH"], ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY };

const WIRES = ["anthropic", "openai"].flatMap((provider) => [
  { provider, stream: false },
  { provider, stream: true },
]);

const run = async (
  server: Llm,
  wire: { provider: string; stream: boolean },
  extra: object = {},
  more: object = {},
) => {
  const base_url = wire.provider === "openai" ? `${server.url}/v1` : server.url;
  const hook = hookOf("agent", "No secrets in the code.", {
    ...wire,
    base_url,
    model: "fake",
    ...extra,
  });
  const said = await judged(hook, workOf(PAYLOAD, { env, root: project(), ...more }));
  return { ...said, detail: said.detail.replaceAll(server.url.slice(7), "H") };
};

const look = (path: string): Said => ({ calls: [{ name: "read_file", input: { path } }] });
const answer = (ok: boolean, reason: string, findings: string[] = []): Said => ({
  calls: [{ name: "answer", input: { ok, reason, findings } }],
});

/** What the model was told last. */
const told = (server: Llm, n: number): string =>
  JSON.stringify(server.asked[n]!.body.messages.at(-1));

describe.each(WIRES)("C3: $provider, stream: $stream", (wire) => {
  const tokens =
    wire.provider === "openai" && wire.stream
      ? /^3 turns, \d+ tokens in, \d+ out$/
      : /^3 turns, 33 tokens in, 21 out$/;

  test("it looks, answers, and what it did is told", async () => {
    const server = await llm(
      {
        calls: [
          { name: "list_files", input: {} },
          { name: "grep", input: { text: "password" } },
        ],
      },
      look("a.ts"),
      answer(false, "there is a password", ["a.ts:1: a password"]),
    );
    expect(await run(server, wire)).toEqual({
      ...{ status: "ok", detail: "", said: "deny: there is a password" },
      trace: [
        `asked ${wire.provider} fake`,
        "list_files {}: a.ts",
        'grep {"text":"password"}: a.ts:1: const password = 1;',
        'read_file {"path":"a.ts"}: 2 lines',
        expect.stringMatching(tokens),
        "found: a.ts:1: a password",
      ],
    });
    expect(told(server, 1)).toContain("a.ts:1: const password = 1;");
    expect(told(server, 2)).toContain("const password = 1;");
  });

  test("what is outside of the project stays there", async () => {
    const server = await llm(look("../outside.txt"), answer(true, "nothing to see"));
    const said = await run(server, wire);
    expect(said).toMatchObject({ status: "ok", said: "pass" });
    expect(said.trace[1]).toBe(
      'read_file {"path":"../outside.txt"}: refused: outside of the project',
    );
    expect(told(server, 1)).not.toContain("out of bounds");
    expect(told(server, 1)).toContain("outside of the project");
  });

  test("what tools bring is data as well", async () => {
    const server = await llm(look("a.ts"), answer(true, "fine"));
    await run(server, wire);
    const { body } = server.asked[1]!;
    const rules = body.system ?? String(body.messages[0]!.content);
    const tag = /data-[0-9a-f]{24}/.exec(rules)![0];
    expect(told(server, 1)).toContain(`<${tag} name=\\"read_file\\">\\n1\\tconst password`);
  });

  test("the last turn can only answer; who does not is a failure", async () => {
    const server = await llm(look("a.ts"));
    const said = await run(server, wire, { max_turns: 3 });
    expect(said).toMatchObject({
      status: "failed",
      detail: "no answer within 3 turns",
      said: "pass",
    });
    const forced = server.asked.map(({ body }) =>
      JSON.stringify(body.tool_choice).includes("answer"),
    );
    expect(forced).toEqual([false, false, true]);
  });

  test("a budget of tokens", async () => {
    const server = await llm(look("a.ts"));
    const said = await run(server, wire, { token_budget: 10 });
    expect(said).toMatchObject({ status: "failed", detail: "no answer within 10 tokens" });
    expect(server.asked.length).toBe(1);
  });

  test("words instead of a call: an answer if it is one", async () => {
    const server = await llm(
      { text: '{"ok": false, "reason": "bad", "findings": ["x"]}' },
      { text: "Looks good!" },
    );
    expect(await run(server, wire)).toMatchObject({ status: "ok", said: "deny: bad" });
    expect(await run(server, wire)).toMatchObject({
      status: "failed",
      detail: 'the model gave no {ok, reason}: "Looks good!"',
    });
  });

  test.each([
    ["500", { status: 500, headers: { "retry-after": "0" } }, "H: 500 (asked 3 times)"],
    ["a cut stream", { half: "x", close: true }, "H: the answer was cut off"],
  ])("%s on the way", async (_, said: Said, detail) => {
    const server = await llm(look("a.ts"), said);
    const ended = await run(server, wire);
    expect(ended).toMatchObject({ status: "failed", detail, said: "pass" });
    expect(ended.trace).toContain('read_file {"path":"a.ts"}: 2 lines');
  });

  test("a model that hangs meets the timeout, with the trace so far", async () => {
    const server = await llm(look("a.ts"), { hang: true });
    const said = await run(server, wire, {}, { timeout: 300 });
    expect(said).toMatchObject({ status: "timeout", detail: "no answer within 300 ms" });
    expect(said.trace).toContain('read_file {"path":"a.ts"}: 2 lines');
  });
});

test("many calls in one turn are bounded, and so is their trace", async () => {
  const calls = Array.from({ length: 30 }, () => ({ name: "read_file", input: { path: "a.ts" } }));
  const server = await llm(
    { calls },
    { calls },
    { calls },
    { calls },
    answer(
      true,
      "",
      Array.from({ length: 99 }, () => "f"),
    ),
  );
  const said = await run(server, WIRES[0]!);
  expect(told(server, 1).split("too many calls in one turn").length - 1).toBe(22);
  expect(said.trace.length).toBe(24 + 1 + 1 + 12);
});

import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { makeProject, payloadOf, REPO, type Project } from "./_dispatch.ts";
import { type Llm, type Said, startLlm } from "./_llm.ts";
import { blocksOf } from "./_markdown.ts";
import { dispatchLater, startServer, type Server } from "./_remote.ts";

/** Hooks that leave the machine's own processes, through the real dispatcher. */
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function project(hooks: string, more: Record<string, string> = {}): Project {
  const made = makeProject({ ".anyhook/hooks.yaml": `hooks:\n${hooks}`, ...more });
  closers.push(() => made.remove());
  return made;
}

async function llm(...script: Said[]): Promise<Llm> {
  const server = await startLlm(...script);
  closers.push(() => server.close());
  return server;
}

async function endpoint(answer: Parameters<typeof startServer>[0]): Promise<Server> {
  const server = await startServer(answer);
  closers.push(() => server.close());
  return server;
}

const bash = (on: Project, event = "PreToolUse"): string =>
  payloadOf("claude-code", `${event}--Bash`, on, { tool_input: { command: "git push --force" } });

/** Every file below a folder, as one text. */
function allText(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isFile())
    .map(textOf)
    .join("\n");
}

/** What watched the event may take its own files away meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const KEY = "sk-test-0123456789abcdef";
const TOKEN = "plain-looking-token-value";

describe("secrets", () => {
  test("neither a key nor a header is in the ledger, the store, the reply or the trace", async () => {
    const server = await endpoint((_, response) => response.writeHead(503).end(TOKEN));
    const model = await llm({
      status: 401,
      body: JSON.stringify({ error: { type: "authentication_error", message: `bad key ${KEY}` } }),
    });
    const it = project(
      `  - { name: web, events: PreToolUse, url: "${server.url}?t=${TOKEN}", headers: { authorization: "Bearer $TOKEN" }, allowed_env: [TOKEN], on_failure: warn }
  - { name: ask, events: PreToolUse, prompt: "ok?", provider: anthropic, base_url: "${model.url}", model: fake, key_env: KEY, on_failure: block, block: true }\n`,
    );
    const env = { KEY, TOKEN, ANYHOOK_TRACE: "1" };
    const reply = await dispatchLater(it, "claude-code", "PreToolUse", bash(it), env);
    expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(model.asked[0]!.headers["x-api-key"]).toBe(KEY);
    expect(reply.stdout).toContain("401 authentication_error");
    const hooks = it.ledger()[0]!["hooks"] as { name: string; note: string }[];
    expect(hooks.map(({ name, note }) => [name, note])).toEqual([
      ["web", `127.0.0.1:${server.port}: answered 503`],
      ["ask", `${model.url.slice(7)}: 401 authentication_error bad key [redacted]`],
    ]);
    const said = reply.stdout + reply.stderr + allText(it.layout.ledger);
    expect(said).not.toContain(KEY);
    expect(said).not.toContain(TOKEN);
    expect(allText(it.layout.project)).not.toContain(KEY);
  });
});

describe("an endpoint", () => {
  test("decides on every harness; what it gets is canonical", async () => {
    const server = await endpoint((_, response) =>
      response.end('{"decision":"block","reason":"not here"}'),
    );
    const it = project(
      `  - { name: web, events: PreToolUse, url: "${server.url}", block: true }\n`,
    );
    // Nobody listens there: a proxy that were used would be a failure.
    const proxies = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9" };
    const env = { ...proxies, NODE_USE_ENV_PROXY: "1" };
    const claude = await dispatchLater(it, "claude-code", "PreToolUse", bash(it), env);
    const patch = payloadOf("codex", "PreToolUse--apply_patch", it);
    const codex = await dispatchLater(it, "codex", "PreToolUse", patch);
    expect(claude.stdout).toContain("not here");
    expect({ status: codex.status, stderr: codex.stderr }).toEqual({
      status: 2,
      stderr: "not here\n",
    });
    expect(JSON.parse(server.seen[1]!.body)).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_name: "Edit",
    });
  });

  test("that answers {} has no objection and tells the model nothing", async () => {
    const said = ["{}", '{"note":1}'];
    const server = await endpoint((_, response) => response.end(said.shift()));
    const it = project(`  - { name: web, events: PreToolUse, url: "${server.url}" }\n`);
    const empty = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
    expect(empty).toEqual({ stdout: "", stderr: "", status: 0 });
    const text = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
    expect(text.stdout).toContain("additionalContext");
  });

  test("that hangs fails closed where the hook says so, and open otherwise", async () => {
    const server = await endpoint(() => {});
    const it = project(
      `  - { name: open, events: PreToolUse, url: "${server.url}", timeout: 200 }
  - { name: closed, events: PreToolUse, url: "${server.url}", timeout: 200, block: true, on_failure: block }\n`,
    );
    const { stdout } = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
    expect(stdout).toContain("Hook closed failed (no answer within 200 ms)");
    const [{ hooks, decision }] = it.ledger() as [
      { hooks: { status: string; verdict: string }[]; decision: { verdict: string } },
    ];
    expect(hooks.map(({ status, verdict }) => `${status} ${verdict}`)).toEqual([
      "timeout pass",
      "timeout deny",
    ]);
    expect(decision.verdict).toBe("deny");
  });

  test("allowed_hosts in settings binds hooks that were written elsewhere", async () => {
    const server = await endpoint((_, response) => response.writeHead(204).end());
    const it = project(`  - { name: web, events: PreToolUse, url: "${server.url}" }\n`, {
      ".anyhook/settings.json": '{ "allowed_hosts": ["*.example.org"] }',
    });
    const { stderr } = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
    expect(stderr).toContain("is not in allowed_hosts");
    it.write({ ".anyhook/settings.json": '{ "allowed_hosts": ["127.0.0.1"] }' });
    const again = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
    expect([again.stderr, server.seen.length]).toEqual(["", 1]);
  });
});

/** A key and a certificate for localhost, from the openssl program where there is one. */
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

test.skipIf(!hasOpenssl)("https: a certificate counts when the machine trusts it", async () => {
  const it = project("");
  const [key, cert] = [join(it.base, "key.pem"), join(it.base, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", key, "-out", cert, "-nodes", "-days", "1"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...files, ...subject], {
    stdio: "ignore",
  });
  const options = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createServer(options, (request, response) => {
    request.resume();
    request.on("end", () => response.end('{"decision":"block","reason":"over TLS"}'));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const url = `https://localhost:${port}/`;
  it.write({
    ".anyhook/hooks.yaml": `hooks:\n  - { name: web, events: PreToolUse, url: "${url}", block: true }\n`,
  });
  const refused = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
  expect(refused.stderr).toContain(`localhost:${port}: its certificate is not trusted`);
  const trusted = { NODE_EXTRA_CA_CERTS: cert };
  const taken = await dispatchLater(it, "claude-code", "PreToolUse", bash(it), trusted);
  expect(taken.stdout).toContain("over TLS");
});

describe("a model", () => {
  const prompt = (model: Llm, more = ""): string =>
    `  - { name: ask, events: [PreToolUse, PostToolUse], prompt: "No force.", provider: anthropic, base_url: "${model.url}", model: fake, block: true${more} }\n`;

  test("decides, and why tells who was asked", async () => {
    const model = await llm({ text: '{"ok": false, "reason": "it is forced"}' });
    const it = project(prompt(model));
    const { stdout } = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
    expect(stdout).toContain("it is forced");
    const { stdout: why } = it.cli("why");
    expect(why).toContain("asked anthropic fake");
    expect(why).toContain("11 tokens in, 7 out");
  });

  test("answers from the store's cache in the next process", async () => {
    const model = await llm({ text: '{"ok": false, "reason": "it is forced"}' });
    const it = project(prompt(model, ", cache_ttl: 5m"));
    const first = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
    const second = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
    expect(second).toEqual(first);
    expect(model.asked.length).toBe(1);
    expect(JSON.stringify(it.ledger().at(-1))).toContain("answered from the cache");
  });

  test("S1.18: every step waits for a naive audit, and none for one that is async", async () => {
    const naive = await llm({ text: '{"ok": true, "reason": ""}', after: 1500 });
    const held = project(prompt(naive));
    await dispatchLater(held, "claude-code", "PostToolUse", bash(held, "PostToolUse"));
    expect(naive.answered()).toBe(1);
    const model = await llm({ text: '{"ok": true, "reason": ""}', after: 1500 });
    const it = project(prompt(model, ", async: true"));
    await dispatchLater(it, "claude-code", "PostToolUse", bash(it, "PostToolUse"));
    expect(model.answered()).toBe(0);
    const [line] = it.ledger() as [{ hooks: { status: string }[] }];
    expect(line.hooks.map(({ status }) => status)).toEqual(["async"]);
    await expect.poll(() => it.ledger().length, { timeout: 10_000 }).toBe(2);
    expect(it.ledger()[1]).toMatchObject({ lane: "async", hooks: [{ name: "ask", status: "ok" }] });
  });
});

test("an agent's findings and tool calls are in the ledger and in why", async () => {
  const model = await llm(
    {
      calls: [
        { name: "grep", input: { text: "password" } },
        { name: "read_file", input: { path: "/etc/passwd" } },
      ],
    },
    {
      calls: [
        {
          name: "answer",
          input: { ok: false, reason: "a password", findings: ["app.ts:1 has password=hunter22"] },
        },
      ],
    },
  );
  const it = project(
    `  - { name: look, events: PreToolUse, type: agent, prompt: "No secrets.", provider: openai, base_url: "${model.url}/v1", model: fake, block: true }\n`,
    { "app.ts": "const password = read();\n" },
  );
  const { stdout } = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
  expect(stdout).toContain("a password");
  const [{ hooks }] = it.ledger() as [{ hooks: { trace: string[] }[] }];
  expect(hooks[0]!.trace).toEqual([
    "asked openai fake",
    'grep {"text":"password"}: app.ts:1: const [redacted];',
    'read_file {"path":"/etc/passwd"}: refused: outside of the project',
    "2 turns, 22 tokens in, 14 out",
    "found: app.ts:1 has [redacted]",
  ]);
  const { stdout: why } = it.cli("why");
  expect(why).toContain("found: app.ts:1 has [redacted]");
  expect(why).toContain("refused: outside of the project");
});

test("also those of one that runs in the background", async () => {
  const model = await llm(
    { calls: [{ name: "grep", input: { text: "password" } }] },
    { calls: [{ name: "answer", input: { ok: true, reason: 'it\'s "fine"', findings: [] } }] },
  );
  const it = project(
    `  - { name: look, events: PostToolUse, type: agent, async: true, prompt: "No secrets.", provider: openai, base_url: "${model.url}/v1", model: fake }\n`,
    { "app.ts": "const password = read();\n" },
  );
  await dispatchLater(it, "claude-code", "PostToolUse", bash(it, "PostToolUse"));
  await expect.poll(() => it.ledger().length, { timeout: 30_000 }).toBe(2);
  const trace = [
    "asked openai fake",
    'grep {"text":"password"}: app.ts:1: const [redacted];',
    "2 turns, 22 tokens in, 14 out",
    'it\'s "fine"',
  ];
  expect(it.ledger()[1]).toMatchObject({
    lane: "async",
    hooks: [{ name: "look", status: "ok", trace }],
  });
  expect(it.cli("why").stdout).toContain(trace[1]);
});

test("the example second-opinion: both are told, and the agent waits for neither", async () => {
  const server = await endpoint((_, response) => response.writeHead(204).end());
  const model = await llm({ text: '{"ok": false, "reason": "it says what"}' });
  const file = "examples/second-opinion/.anyhook/hooks.yaml";
  const hooks = readFileSync(join(REPO, file), "utf8").replace("8787", String(server.port));
  const it = makeProject({ ".anyhook/hooks.yaml": hooks });
  closers.push(() => it.remove());
  const written = { tool_input: { file_path: join(it.root, "a.ts"), content: "// adds one" } };
  const payload = payloadOf("claude-code", "PostToolUse--Write", it, written);
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url };
  const reply = await dispatchLater(it, "claude-code", "PostToolUse", payload, env);
  expect(reply).toEqual({ status: 0, stdout: "", stderr: "" });
  await expect.poll(() => it.ledger().length, { timeout: 10_000 }).toBe(3);
  expect(JSON.parse(server.seen[0]!.body)).toMatchObject(written);
  expect(JSON.stringify(model.asked[0]!.body.messages)).toContain("// adds one");
});

test("a password in an address is refused, and stands nowhere but in the user's own file", async () => {
  const at = "bob:hunter22@127.0.0.1:9";
  const good =
    '  - { name: good, events: PreToolUse, url: "http://127.0.0.1:9/a?key=in-the-query" }\n';
  const it = project(
    `${good}  - { name: web, events: PreToolUse, url: "http://${at}/a" }\n` +
      `  - { events: PreToolUse, url: "http://${at}" }\n` +
      `  - { name: ask, events: PreToolUse, prompt: p, provider: openai, model: m, base_url: "http://${at}/v1" }\n`,
  );
  const said = await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
  const { stdout } = it.cli("validate");
  expect(stdout.match(/holds a user name or a password/g)?.length).toBe(3);
  const holding = (text: string): string[] =>
    readdirSync(it.base, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file, "utf8").includes(text));
  expect(holding("hunter22")).toEqual([join(it.root, ".anyhook/hooks.yaml")]);
  expect([stdout, said.stdout, said.stderr].join()).not.toContain("hunter22");
  // What is in a query is in the store, which nobody else can look into, and not in the ledger.
  const kept = holding("in-the-query").filter((file) => !file.startsWith(it.root));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.filter((file) => file.startsWith(it.layout.ledger))).toEqual([]);
  const explained = it.cli("explain", "good").stdout + it.cli("explain", "good", "--json").stdout;
  expect(explained.match(/http:\/\/127\.0\.0\.1:9\/a\?…/g)?.length).toBe(2);
  expect(explained).not.toContain("in-the-query");
  const store = it.layout.slot.slice(0, it.layout.slot.indexOf("/projects/"));
  expect(lstatSync(store).mode & 0o777).toBe(0o700);
  expect(it.ledger()).toMatchObject([{ hooks: [{ name: "good", status: "failed" }] }]);
});

test("what the page shows compiles", () => {
  const page = readFileSync(join(REPO, "docs/handlers.md"), "utf8");
  const blocks = blocksOf(page).filter(({ language }) => language === "yaml");
  const it = project(blocks.map(({ code }) => code.replace(/^hooks:\n/, "")).join(""));
  const { errors, diagnostics } = JSON.parse(it.cli("validate", "--json").stdout) as {
    errors: number;
    diagnostics: unknown[];
  };
  expect(blocks.length).toBe(3);
  expect(errors).toBe(0);
  expect(diagnostics).toEqual([]);
});

describe("validate", () => {
  test("names the typical cost, then the measured one, and what to do instead", async () => {
    const server = await endpoint((_, response) => response.writeHead(204).end());
    const it = project(`  - { name: web, events: PreToolUse, url: "${server.url}" }\n`);
    expect(it.cli("validate").stdout).toContain(
      "every PreToolUse waits for this http hook: typically 0.05–0.5 s per call",
    );
    for (let i = 0; i < 3; i++) await dispatchLater(it, "claude-code", "PreToolUse", bash(it));
    const { stdout } = it.cli("validate");
    expect(stdout).toMatch(/waits for this http hook: [\d.]+ m?s in the median of its last 3 runs/);
    expect(stdout).toContain("check with a command here, or use async: true on PostToolUse");
  });

  test("says where an event gives less time than the hook wants", () => {
    const it = project('  - { name: ask, events: UserPromptSubmit, prompt: "ok?" }\n');
    expect(it.cli("validate", "--runtime", "claude").stdout).toContain(
      "is ended after 28 s, before its timeout of 30 s",
    );
  });
});

import { expect, test } from "vitest";
import { brief, byName, project } from "./_project.ts";

const HOOKS = `hooks:
  - { events: Stop, name: web, url: "https://x.org/" }
  - { events: Stop, name: ask, prompt: "ok?", model: own }
  - { events: Stop, name: look, type: agent, prompt: "ok?", timeout: 7s }
  - { events: Stop, name: run, command: "true" }
`;

const extras = async (it: ReturnType<typeof project>): Promise<Record<string, unknown>> => {
  const { hooks } = await it.compile();
  return Object.fromEntries(
    [...byName(hooks)].map(([name, [row]]) => [
      name,
      [row!.timeout, row!.extra === "" ? "" : (JSON.parse(row!.extra) as unknown)],
    ]),
  );
};

test("what settings say lies below what a hook says, in its own row", async () => {
  const it = project({
    ".anyhook/hooks.yaml": HOOKS,
    ".anyhook/settings.json": JSON.stringify({
      allowed_hosts: ["x.org"],
      llm: { provider: "openai", model: "m", max_turns: 3, cache_ttl: "2m", prompt_timeout: "9s" },
    }),
    "user/settings.json": JSON.stringify({
      allowed_hosts: ["*.org"],
      llm: { model: "weaker", key_env: "MY_KEY", agent_timeout: "99s" },
    }),
  });
  const allowed_hosts = [["x.org"], ["*.org"]];
  const shared = { provider: "openai", key_env: "MY_KEY", allowed_hosts };
  expect(await extras(it)).toEqual({
    web: [5000, { allowed_hosts }],
    ask: [9000, { ...shared, model: "own", cache_ttl: 120_000 }],
    look: [7000, { ...shared, model: "m", max_turns: 3 }],
    run: [5000, ""],
  });
});

test("what settings say about one provider is not laid below another", async () => {
  const it = project({
    ".anyhook/hooks.yaml": `hooks:
  - { events: Stop, name: same, prompt: "ok?" }
  - { events: Stop, name: other, prompt: "ok?", provider: anthropic }
  - { events: Stop, name: by-program, type: agent, prompt: "ok?", provider: claude-cli }
`,
    ".anyhook/settings.json": JSON.stringify({
      llm: {
        ...{ provider: "openai", model: "m", base_url: "https://own.example", key_env: "MY_KEY" },
        ...{ max_tokens: 9, max_turns: 3 },
      },
    }),
  });
  const own = { base_url: "https://own.example", key_env: "MY_KEY", model: "m", max_tokens: 9 };
  expect(await extras(it)).toEqual({
    same: [30_000, { provider: "openai", ...own }],
    other: [30_000, { provider: "anthropic", max_tokens: 9 }],
    "by-program": [60_000, { provider: "claude-cli", max_turns: 3 }],
  });
  expect((await it.compile()).diagnostics).toEqual([]);
});

test("without settings a row holds what the hook says, and the kind's own timeout", async () => {
  const it = project({ ".anyhook/hooks.yaml": HOOKS });
  expect(await extras(it)).toEqual({
    web: [5000, ""],
    ask: [30_000, { model: "own" }],
    look: [7000, ""],
    run: [5000, ""],
  });
});

test("a project says nothing about a user's own hooks, nor anybody below about managed ones", async () => {
  const settings = (host: string): string =>
    JSON.stringify({ allowed_hosts: [host], llm: { base_url: `https://${host}/` } });
  const hook = (name: string): string => `hooks:\n  - { events: Stop, name: ${name}, prompt: p }\n`;
  const it = project({
    ".anyhook/hooks.yaml": hook("theirs"),
    ".anyhook/settings.json": settings("project.example"),
    "user/hooks.yaml": hook("mine"),
    "user/settings.json": settings("user.example"),
    "managed/hooks.yaml": hook("ours"),
  });
  const project_url = "https://project.example/";
  expect(await extras(it)).toEqual({
    ours: [30_000, ""],
    theirs: [
      30_000,
      { base_url: project_url, allowed_hosts: [["project.example"], ["user.example"]] },
    ],
    mine: [30_000, { base_url: "https://user.example/", allowed_hosts: [["user.example"]] }],
  });
});

test("a list of hosts that cannot be read lets nothing through", async () => {
  const it = project({
    ".anyhook/hooks.yaml": HOOKS,
    ".anyhook/settings.json": '{ "allowed_hosts": "x.org" }',
  });
  expect(await extras(it)).toMatchObject({ web: [5000, { allowed_hosts: [[]] }] });
  const { diagnostics } = await it.compile();
  expect(brief(diagnostics, it)).toContain(".anyhook/settings.json:1 error bad-value");
});

test("settings that cannot be read: remote hooks go on as they were, new ones do not run", async () => {
  const it = project({
    ".anyhook/hooks.yaml": HOOKS,
    ".anyhook/settings.json": '{ "allowed_hosts": ["x.org"] }',
  });
  const previous = (await it.compile()).hooks;
  it.write({
    ".anyhook/settings.json": '{ "allowed_hosts": [',
    ".anyhook/hooks.yaml": `${HOOKS}  - { events: Stop, name: new, url: "https://y.org/" }\n`,
  });
  const rows = byName((await it.compile({ previous })).hooks);
  expect(rows.get("web")![0]!.extra).toBe('{"allowed_hosts":[["x.org"]]}');
  expect(rows.get("new")![0]!.broken).toContain("settings.json cannot be read");
  expect(rows.get("run")![0]!.broken).toBe("");
});

import { mkdirSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { FIELD_NAMES, jsonSchema } from "../../src/compile/fields.ts";
import { frontMatter, located } from "../../src/compile/located.ts";
import { brief, project, script } from "./_project.ts";

const HOOK = "---\nsurface: hook\nevents: Stop\n---\n";
const RUN = "#!/bin/sh\n";

test("YAML and JSON know their lines, also behind aliases and merges", () => {
  const yaml = located("a.yaml", "a: &x\n  b: 1\nc:\n  <<: *x\n  d:\n    - 2\n").root!;
  expect(yaml.value).toEqual({ a: { b: 1 }, c: { b: 1, d: [2] } });
  expect(yaml.entries!.get("c")!.node.entries!.get("d")!.node.items![0]!.line).toBe(6);
  const json = located("a.json", '{ // c\n "a": [\n 1,\n],\n}').root!;
  expect([json.value, json.entries!.get("a")!.node.items![0]!.line]).toEqual([{ a: [1] }, 3]);
  expect(located("a.yaml", "a: &x [*x]\n").problems.map(({ code }) => code)).toEqual(["bad-yaml"]);
  expect(located("a.json", '{"__proto__": 1}').root!.entries!.has("__proto__")).toBe(true);
});

test("front matter keeps the lines of the file and the bytes of the body", () => {
  const found = frontMatter("\uFEFF---\r\na: 1\r\nb: 2\r\n---\r\nBody\r\n---\r\n")!;
  expect(found.root!.entries!.get("b")!.keyLine).toBe(3);
  expect([found.body, found.bodyLine]).toEqual(["Body\r\n---\r\n", 5]);
  expect(frontMatter("text\n---\na: 1\n---\n")).toBeUndefined();
});

test("the schema has every field", () => {
  const schema = jsonSchema() as { properties: { hooks: { items: { properties: object } } } };
  expect(Object.keys(schema.properties.hooks.items.properties)).toEqual([...FIELD_NAMES, "event"]);
});

test.each([
  ["# ", ""],
  ["// ", ""],
  ["-- ", ""],
  ["; ", ""],
  ["% ", ""],
  [" * ", ""],
  ["/* ", " */"],
  ["#", ""],
])("a header may be written with %j", async (open, close) => {
  const lines = [
    "HOOK: x",
    "event: user-prompt, Stop",
    "On-Failure: warn",
    "Timeout: 500ms (short)",
  ];
  const text = ["#!/bin/cat", "", ...lines.map((line) => open + line + close)].join("\n");
  const { hooks } = await project({ ".anyhook/hooks/deep/x": text }).compile();
  expect(
    hooks.map(({ event, name, onFailure, timeout }) => ({ event, name, onFailure, timeout })),
  ).toEqual([
    { event: "UserPromptSubmit", name: "x", onFailure: "warn", timeout: 500 },
    { event: "Stop", name: "x", onFailure: "warn", timeout: 500 },
  ]);
});

test("a header below code is none, and the file's name serves when it gives none", async () => {
  const { hooks } = await project({
    ".anyhook/hooks/my-check.sh": script("Event: Stop"),
    ".anyhook/hooks/late.sh": `#!/bin/sh\n${":\n".repeat(60)}# Hook: late\n# Event: Stop\n`,
  }).compile();
  expect(hooks.map(({ name }) => name)).toEqual(["my-check"]);
});

test.each([
  ["same stem", { "guard.md": HOOK, "guard.py": RUN, "other.py": RUN }, "guard", "guard.py"],
  ["only executable", { "node.md": HOOK, "check.rb": RUN, "data.csv": "x" }, "n", "check.rb"],
  ["usual name", { "README.md": HOOK, "handler.sh": RUN, "tool.sh": RUN }, "n", "handler.sh"],
  [
    "named",
    { "README.md": HOOK.replace("---\n", "---\nscript: b.sh\n"), "a.sh": RUN, "b.sh": RUN },
    "n",
    "b.sh",
  ],
  [
    "front matter name",
    { "x.md": HOOK.replace("---\n", "---\nname: mine\n"), "a.sh": RUN },
    "mine",
    "a.sh",
  ],
])("node: script by %s", async (_, files, name, file) => {
  const below = Object.entries(files).map(
    ([key, text]) => [`.anyhook/deep/n/${key}`, text] as const,
  );
  const { hooks, diagnostics } = await project(Object.fromEntries(below)).compile();
  expect(diagnostics).toEqual([]);
  expect(hooks.map((hook) => [hook.name, hook.script])).toEqual([
    [name, `.anyhook/deep/n/${file}`],
  ]);
});

test("list: every kind of handler", async () => {
  const it = project({
    ".anyhook/hooks.yml": `hooks:
  - { events: PostToolUse, command: "prettier --write {file}" }
  - { events: PostToolUse, command: [ls, -l] }
  - { events: PostToolUse, command: tool, args: [a, "b c"] }
  - { event: PostToolUse, type: HTTP, url: "https://x.org/audit", headers: { A: b }, name: web }
  - { events: PostToolUse, type: PROMPT, prompt: "ok?", model: m, async: true }
  - { events: PostToolUse, type: agent, prompt: "look", max_turns: 3, timeout: 2m }
`,
  });
  const { hooks, diagnostics } = await it.compile();
  expect(diagnostics.map(({ code, hook }) => `${code} ${hook}`)).toEqual([
    "slow-in-critical-path agent",
  ]);
  expect(
    hooks.map(({ name, kind, script: run, args, timeout, extra }) => [
      name,
      kind,
      run,
      args,
      timeout,
      extra,
    ]),
  ).toEqual([
    ["prettier", "shell", 'prettier --write "${ANYHOOK_ARG_1}"', ["file"], 5000, ""],
    ["ls", "exec", '["ls","-l"]', [], 5000, ""],
    ["tool", "exec", '["tool","a","b c"]', [], 5000, ""],
    ["web", "http", "https://x.org/audit", [], 5000, '{"headers":{"A":"b"}}'],
    ["prompt", "prompt", "ok?", [], 30000, '{"model":"m"}'],
    ["agent", "agent", "look", [], 120000, '{"max_turns":3}'],
  ]);
});

test("Claude's own hooks move in unchanged", async () => {
  const it = project({
    ".anyhook/settings.json": JSON.stringify({
      hooks: {
        PreToolUse: [
          {
            matcher: "Edit|Write",
            hooks: [
              {
                type: "command",
                command: 'python3 "$CLAUDE_PROJECT_DIR"/a/guard.py',
                timeout: 0.5,
                async: true,
              },
            ],
          },
        ],
        SessionStart: [{ hooks: [{ type: "command", command: "date", statusMessage: "…" }] }],
        PostToolUse: [
          { matcher: "", hooks: [{ type: "http", url: "https://x.org/y", allowedEnvVars: ["T"] }] },
        ],
      },
    }),
    "a/guard.py": "",
  });
  const { hooks, diagnostics } = await it.compile();
  expect(diagnostics).toEqual([]);
  expect(
    hooks.map(({ name, event, timeout, matcher, needs, extra }) => [
      name,
      event,
      timeout,
      matcher,
      needs,
      extra,
    ]),
  ).toEqual([
    ["date", "SessionStart", 5000, [], [], ""],
    [
      "guard",
      "PreToolUse",
      500,
      [{ path: "tool_name", op: "eq", values: ["Edit", "Write"] }],
      ["python3", "{project}/a/guard.py"],
      "",
    ],
    ["y", "PostToolUse", 5000, [], [], '{"allowed_env":["T"]}'],
  ]);
});

test("a registration counts, not the script's own header; where they differ it is said", async () => {
  const it = project({
    ".anyhook/hooks/a.sh": script("Hook: named-here", "Event: PreToolUse", "Matcher: Bash"),
    ".anyhook/hooks/b.sh": script("Hook: b", "Event: Stop"),
    ".anyhook/hooks/c.sh": script("Hook: c", "Event: Stop"),
    ".anyhook/settings.json": `{ "hooks": {
      "Stop": [ { "path": "hooks/a.sh" },
        { "path": ".anyhook/hooks/b.sh" },
        { "hooks": [ { "type": "command", "command": "$CLAUDE_PROJECT_DIR/.anyhook/hooks/c.sh" } ] } ] } }`,
  });
  const { hooks, diagnostics } = await it.compile();
  expect(hooks.map(({ event, name, source }) => [event, name, source])).toEqual([
    ["Stop", "named-here", ".anyhook/settings.json:2"],
    ["Stop", "b", ".anyhook/settings.json:3"],
    ["Stop", "c", ".anyhook/settings.json:4"],
  ]);
  expect(brief(diagnostics, it)).toEqual([
    ".anyhook/settings.json:2 warning header-mismatch named-here",
    ".anyhook/settings.json:2 warning header-mismatch named-here",
  ]);
  expect(diagnostics.map(({ message }) => message).join()).toContain(
    `${it.path(".anyhook/hooks/a.sh")}:2`,
  );
});

test("roots: more folders of the project, found by pattern", async () => {
  const it = project({
    ".anyhook/settings.json": '{ "roots": ["spec/**/.config", "tools/?x/hooks-*"] }',
    "spec/a/.config/n/README.md": HOOK,
    "spec/a/.config/n/run.sh": RUN,
    "spec/b/c/.config/hooks.yaml": "hooks:\n  - { events: Stop, command: deep }\n",
    "spec/node_modules/.config/hooks.yaml": "hooks:\n  - { events: Stop, command: never }\n",
    "tools/ax/hooks-1/hooks/s.sh": script("Hook: s", "Event: Stop"),
    "tools/abx/hooks-1/hooks/t.sh": script("Hook: t", "Event: Stop"),
  });
  const { hooks, globBases, roots, diagnostics } = await it.compile();
  expect(diagnostics).toEqual([]);
  expect(hooks.map(({ name, layer }) => `${layer} ${name}`)).toEqual([
    "project n",
    "project deep",
    "project s",
  ]);
  expect(globBases).toEqual([it.path("spec"), it.path("tools")]);
  expect(roots.slice(4).map(({ root }) => root)).toEqual(
    ["spec/a/.config", "spec/b/c/.config", "tools/ax/hooks-1"].map(it.path),
  );
});

test("links in a circle end, local is a layer of its own, two lists are both read", async () => {
  const it = project({
    ".anyhook/local/hooks/l.sh": script("Hook: l", "Event: Stop"),
    ".anyhook/hooks/p.sh": script("Hook: p", "Event: Stop"),
    ".anyhook/hooks.yaml": "hooks:\n  - { events: Stop, command: one }\n",
    ".anyhook/hooks.json": '{ "hooks": [ { "events": "Stop", "command": "two" } ] }',
  });
  mkdirSync(it.path(".anyhook/rules"));
  symlinkSync("..", it.path(".anyhook/rules/loop"));
  symlinkSync("self", it.path(".anyhook/rules/self"));
  const { hooks, diagnostics } = await it.compile();
  expect(hooks.map(({ name, layer }) => `${layer} ${name}`)).toEqual([
    "local l",
    "project two",
    "project one",
    "project p",
  ]);
  expect(brief(diagnostics, it)).toEqual([".anyhook/hooks.json:0 warning several-lists"]);
});

test("nothing configured gives nothing", async () => {
  const it = project({});
  const { hooks, diagnostics, definitions, inputs } = await it.compile({ projectRoot: "" });
  expect({ hooks, diagnostics, definitions, inputs }).toEqual({
    hooks: [],
    diagnostics: [],
    definitions: [],
    inputs: [],
  });
});

test("a script outside the roots is an input: its mode decides whether it can run", async () => {
  const it = project({
    ".anyhook/settings.json": '{ "hooks": { "Stop": [ { "path": "tools/x.sh" } ] } }',
    "tools/x.sh": RUN,
  });
  expect((await it.compile()).inputs).toEqual([it.path("tools/x.sh")]);
});

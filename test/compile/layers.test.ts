import { expect, test } from "vitest";
import type { Compiled } from "../../src/compile/compile.ts";
import { brief, byName, project, script } from "./_project.ts";

const states = ({ definitions }: Compiled): string[] =>
  definitions.map(({ name, layer, state }) => `${layer} ${name} ${state}`).toSorted();
const names = ({ hooks }: Compiled): string[] => hooks.map(({ name, layer }) => `${layer} ${name}`);
const list = (...entries: string[]): string =>
  `hooks:\n${entries.map((one) => `  - ${one}\n`).join("")}`;

test("the strongest layer wins, and can switch a weaker hook off", async () => {
  const it = project({
    "user/hooks.yaml": list(
      "{ name: a, events: Stop, command: weak }",
      "{ name: b, events: Stop, command: user }",
    ),
    ".anyhook/hooks.yaml": list(
      "{ name: a, events: Stop, command: strong }",
      "{ name: c, events: Stop, command: c }",
    ),
    ".anyhook/local/hooks.yaml": list("{ name: c, enabled: false }"),
  });
  const compiled = await it.compile();
  expect(compiled.diagnostics).toEqual([]);
  expect(compiled.hooks.map(({ name, script: run }) => `${name} ${run}`)).toEqual([
    "a strong",
    "b user",
  ]);
  expect(states(compiled)).toEqual([
    "local c disabled",
    "project a active",
    "project c shadowed",
    "user a shadowed",
    "user b active",
  ]);
});

test("a managed hook is neither replaced nor disabled from below", async () => {
  const it = project({
    "managed/hooks.yaml": list("{ name: guard, events: PreToolUse, command: real, block: true }"),
    "managed/hooks/watch.sh": script("Hook: watch", "Event: Stop"),
    ".anyhook/hooks.yaml": list(
      "{ name: guard, enabled: false }",
      "{ name: mine, script: ../managed/hooks/watch.sh, events: Stop, enabled: false }",
    ),
    ".anyhook/settings.json": '{ "disabled": ["guard", "watch"], "blocking": [] }',
  });
  const compiled = await it.compile();
  expect(names(compiled)).toEqual(["managed guard", "managed watch"]);
  expect(compiled.hooks[0]!.block).toBe(true);
  expect(compiled.settings.PreToolUse.blockable).toBe(true);
  expect(compiled.settings.Stop.blockable).toBe(true);
  expect(compiled.settings.UserPromptSubmit.blockable).toBe(false);
  expect(brief(compiled.diagnostics, it)).toEqual([
    ".anyhook/hooks.yaml:2 warning managed-hook guard",
    ".anyhook/settings.json:0 warning managed-hook",
  ]);
});

test("blocking: binds the layer that says it and weaker ones", async () => {
  const hooks = list("{ name: x, events: [Stop, PreToolUse], command: x, block: true }");
  const it = project({
    ".anyhook/hooks.yaml": hooks,
    ".anyhook/settings.json": '{ "blocking": ["PreToolUse"] }',
  });
  const compiled = await it.compile();
  expect(compiled.hooks.map(({ event, block }) => [event, block])).toEqual([
    ["PreToolUse", true],
    ["Stop", false],
  ]);
  expect([compiled.settings.PreToolUse.blockable, compiled.settings.Stop.blockable]).toEqual([
    true,
    false,
  ]);
});

test("disabled: names hooks of its own layer and weaker ones; a slip is reported", async () => {
  const it = project({
    ".anyhook/hooks.yaml": list(
      "{ name: format, events: Stop, command: x }",
      "{ name: lint, events: Stop, command: y }",
    ),
    ".anyhook/local/settings.json": '{ "disabled": ["format", "lnt"] }',
  });
  const compiled = await it.compile();
  expect(names(compiled)).toEqual(["project lint"]);
  expect(states(compiled)).toEqual(["project format disabled", "project lint active"]);
  expect(compiled.diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
    ["unknown-hook", 'did you mean "lint"?'],
  ]);
});

test("equal names in one layer: both run, one under another name", async () => {
  const it = project({
    ".anyhook/hooks.yaml": list(
      "{ name: a, events: Stop, command: x }",
      "{ name: a, events: Stop, command: y }",
    ),
  });
  const compiled = await it.compile();
  expect(names(compiled)).toEqual(["project a", "project a#2"]);
  expect(brief(compiled.diagnostics, it)).toEqual([
    ".anyhook/hooks.yaml:3 warning duplicate-name a#2",
  ]);
});

test("names made up from commands neither collide nor shadow", async () => {
  const it = project({
    ".anyhook/hooks.yaml": list(
      "{ events: Stop, command: prettier a }",
      "{ events: Stop, command: prettier b }",
    ),
    "user/hooks.yaml": list("{ events: Stop, command: prettier c }"),
  });
  const compiled = await it.compile();
  expect(names(compiled)).toEqual(["project prettier", "project prettier#2", "user prettier#3"]);
  expect(compiled.diagnostics).toEqual([]);
});

test("one script at two events is one hook", async () => {
  const entry = '[{ "path": "bin/x.sh" }]';
  const it = project({
    ".anyhook/settings.json": `{ "hooks": { "Stop": ${entry}, "SessionStart": ${entry} } }`,
    ".anyhook/bin/x.sh": "#!/bin/sh\n",
  });
  const compiled = await it.compile();
  expect(compiled.hooks.map(({ event, name }) => `${event} ${name}`)).toEqual([
    "SessionStart x",
    "Stop x",
  ]);
  expect(compiled.diagnostics).toEqual([]);
});

test("pending is listed and never runs", async () => {
  const it = project({
    ".anyhook/n/README.md": "---\nsurface: hook\nevents: Stop\nstatus: pending\n---\n",
    ".anyhook/n/run.sh": "#!/bin/sh\n",
  });
  const compiled = await it.compile();
  expect([states(compiled), compiled.hooks]).toEqual([["project n pending"], []]);
});

test("order, then layer, then registration, then path; never the order of files alone", async () => {
  const it = project({
    "user/hooks.yaml": list(
      "{ name: u, events: Stop, command: x, order: -1 }",
      "{ name: u2, events: Stop, command: x2 }",
    ),
    ".anyhook/hooks.yaml": list(
      "{ name: p2, events: Stop, command: x }",
      "{ name: p1, events: Stop, command: y }",
    ),
    ".anyhook/hooks/z.sh": script("Hook: z", "Event: SessionStart, Stop", "Order: 5"),
    ".anyhook/hooks/b.sh": script("Hook: b", "Event: Stop", "Order: 5"),
    "managed/hooks/m.sh": script("Hook: m", "Event: Stop", "Order: 5"),
  });
  const { hooks } = await it.compile();
  expect(hooks.map(({ event, name }) => `${event} ${name}`)).toEqual([
    "SessionStart z",
    "Stop u",
    "Stop p2",
    "Stop p1",
    "Stop u2",
    "Stop m",
    "Stop b",
    "Stop z",
  ]);
});

test("settings: the strongest layer that says something counts, per event", async () => {
  const it = project({
    "user/settings.json": '{ "chain": "first-block", "context_limit": 5, "raw": true }',
    ".anyhook/settings.json": '{ "chain": { "Stop": "run-all" }, "record": "payload" }',
    "managed/settings.json": '{ "context_limit": 7, "failure_budget": 0, "async_limit": 2 }',
  });
  const { settings } = await it.compile();
  const rest = {
    ...{ raw: true, recordPayload: true, contextLimit: 7 },
    ...{ failureBudget: 0, asyncLimit: 2 },
  };
  expect(settings.Stop).toEqual({ chain: "run-all", blockable: true, ...rest });
  expect(settings.SessionEnd).toEqual({ chain: "first-block", blockable: false, ...rest });
});

test("block is on by default where S3 wants it and off where S0 and S1 do", async () => {
  const it = project({
    ".anyhook/hooks/s.sh": script("Hook: script", "Event: PreToolUse, PostToolUse"),
    ".anyhook/hooks.yaml": list("{ name: list, events: PreToolUse, command: x }"),
    ".anyhook/n/README.md": "---\nname: node\nsurface: hook\nevents: PreToolUse\n---\n",
    ".anyhook/n/run.sh": "#!/bin/sh\n",
    ".anyhook/hooks/m.mjs": 'export default { name: "module", event: "PreToolUse", run() {} };\n',
    ".anyhook/settings.json": `{ "hooks": { "PreToolUse": [
      { "name": "settings", "path": "n/other.sh" },
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "claude", "timeout": 3 } ] } ] } }`,
    ".anyhook/n/other.sh": "#!/bin/sh\n",
  });
  // Two scripts beside the node: its own is named like the usual ones.
  const compiled = await it.compile();
  expect(compiled.diagnostics).toEqual([]);
  const rows = byName(compiled.hooks);
  const blocks = Object.fromEntries(
    [...rows].map(([name, all]) => [name, all.map(({ block }) => block)]),
  );
  expect(blocks).toEqual({
    script: [true, false],
    list: [false],
    node: [false],
    module: [true],
    settings: [true],
    claude: [true],
  });
  expect(rows.get("claude")![0]).toMatchObject({
    timeout: 3000,
    kind: "shell",
    matcher: [{ path: "tool_name" }],
  });
  expect(rows.get("settings")![0]!.timeout).toBe(5000);
});

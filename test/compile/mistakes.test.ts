import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { type Files, brief, project, script } from "./_project.ts";

const RUN = "#!/bin/sh\nexit 0\n";
const list = (...lines: string[]): Files => ({
  ".anyhook/hooks.yaml": ["hooks:", ...lines.map((line) => `  ${line}`), ""].join("\n"),
});
const settings = (...lines: string[]): Files => ({ ".anyhook/settings.json": lines.join("\n") });
const header = (...lines: string[]): Files => ({ ".anyhook/hooks/a.sh": script(...lines) });
const node = (...lines: string[]): Files => ({
  ".anyhook/n/README.md": ["---", ...lines, "---", "text"].join("\n"),
  ".anyhook/n/run.sh": RUN,
});
const module = (...lines: string[]): Files => ({
  ".anyhook/hooks/m.ts": ['import { defineHook } from "anyhook";', ...lines].join("\n"),
});

/** mistake → files → what is said about it, and a part of the hint. */
const MISTAKES: [string, Files, string, string][] = [
  // scripts
  [
    "script: unknown event",
    header("Hook: a", "Event: PreTooluse2"),
    ".anyhook/hooks/a.sh:3 error unknown-event a",
    '"PreToolUse"',
  ],
  [
    "script: no event",
    header("Hook: a", "Order: 1"),
    ".anyhook/hooks/a.sh:2 error missing-events a",
    "# Event:",
  ],
  [
    "script: bad order",
    header("Hook: a", "Event: Stop", "Order: ten"),
    ".anyhook/hooks/a.sh:4 error bad-value a",
    "whole number",
  ],
  [
    "script: bad on-failure",
    header("Hook: a", "Event: Stop", "On-Failure: blok"),
    ".anyhook/hooks/a.sh:4 error unknown-value a",
    '"block"',
  ],
  [
    "script: slip in a limit",
    header("Hook: a", "Event: Stop", "Matchr: Bash"),
    ".anyhook/hooks/a.sh:4 error unknown-field a",
    '"matcher"',
  ],
  [
    "script: slip elsewhere",
    header("Hook: a", "Event: Stop", "Oder: 5"),
    ".anyhook/hooks/a.sh:4 warning unknown-field a",
    '"order"',
  ],
  [
    "script: slip in a name",
    header("Hok: a", "Event: Stop"),
    ".anyhook/hooks/a.sh:2 warning unknown-field a",
    'did you mean "hook"?',
  ],
  [
    "script: slip in a strength",
    header("Hook: a", "Event: Stop", "On-Failur: block"),
    ".anyhook/hooks/a.sh:4 error misspelt-field a",
    '"on_failure"',
  ],
  [
    "list: slip in a strength",
    list("- { name: a, events: Stop, command: x,", "  blok: true }"),
    ".anyhook/hooks.yaml:3 error misspelt-field a",
    '"block"',
  ],
  [
    "list: another word for a strength",
    list("- { name: a, events: Stop, command: x,", "  blocking: true }"),
    ".anyhook/hooks.yaml:3 error misspelt-field a",
    '"block"',
  ],
  [
    "list: slip in a timeout",
    list("- { name: a, events: Stop, command: x,", "  timeot: 60s }"),
    ".anyhook/hooks.yaml:3 error misspelt-field a",
    '"timeout"',
  ],
  [
    "list: slip in a strength and in its value",
    list("- { name: a, events: Stop, command: x,", "  on_failur: blok }"),
    ".anyhook/hooks.yaml:3 error unknown-field a",
    '"on_failure"',
  ],
  [
    "node: slip in a strength",
    node("surface: hook", "events: Stop", "blocks: true"),
    ".anyhook/n/README.md:4 error misspelt-field n",
    '"block"',
  ],
  [
    "module: slip in a strength",
    module(
      "export default defineHook({",
      '  name: "m", event: "Stop",',
      '  onFailur: "block",',
      "  run() {} });",
    ),
    ".anyhook/hooks/m.ts:4 error misspelt-field m",
    '"on_failure"',
  ],
  [
    "script: bad regex",
    header("Hook: a", "Event: Stop", 'Matcher: tool_name ~ "("'),
    ".anyhook/hooks/a.sh:4 error bad-matcher a",
    "",
  ],
  [
    "script: bad harness",
    header("Hook: a", "Event: Stop", "Harness: codx"),
    ".anyhook/hooks/a.sh:4 error unknown-harness a",
    '"codex"',
  ],
  [
    "script: bad name",
    header("Hook: my hook!", "Event: Stop"),
    ".anyhook/hooks/a.sh:2 error bad-name my hook!",
    "my-hook",
  ],
  [
    "script: no header",
    { ".anyhook/hooks/a.sh": RUN },
    ".anyhook/hooks/a.sh:1 warning no-header",
    "# Hook:",
  ],
  [
    "script: the same key twice",
    header("Hook: a", "Event: Stop", "Event: SessionEnd"),
    ".anyhook/hooks/a.sh:4 warning duplicate-key a",
    "the first one counts",
  ],
  [
    "script: outside hooks/",
    { ".anyhook/a.sh": script("Hook: a", "Event: Stop") },
    ".anyhook/a.sh:1 warning outside-hooks",
    "hooks/",
  ],
  [
    "script: syntax",
    { ".anyhook/hooks/a.sh": "#!/bin/sh\n# Hook: a\n# Event: Stop\nif true; then\n" },
    ".anyhook/hooks/a.sh:5 error syntax-error a",
    "correct",
  ],
  [
    "script: carriage return",
    { ".anyhook/hooks/a.sh": "#!/bin/sh\r\n# Hook: a\r\n# Event: Stop\r\n" },
    ".anyhook/hooks/a.sh:2 error crlf-shebang a",
    "sed",
  ],
  // lists
  [
    "list: unknown event",
    list("- events: [Stop, PreTolUse]", "  command: a"),
    ".anyhook/hooks.yaml:2 error unknown-event a",
    '"PreToolUse"',
  ],
  [
    "list: unknown event on its own line",
    list("- command: a", "  events:", "    - Stop", "    - Stopp"),
    ".anyhook/hooks.yaml:5 error unknown-event a",
    '"Stop"',
  ],
  [
    "list: no event",
    list("- command: a"),
    ".anyhook/hooks.yaml:2 error missing-events a",
    "events:",
  ],
  [
    "list: nothing to run",
    list("- events: Stop", "  name: a"),
    ".anyhook/hooks.yaml:2 error missing-handler a",
    "command",
  ],
  [
    "list: two handlers",
    list("- events: Stop", "  command: a", "  url: https://x"),
    ".anyhook/hooks.yaml:2 error several-handlers a",
    "two hooks",
  ],
  [
    "list: type and handler",
    list("- events: Stop", "  type: HTTP", "  command: a"),
    ".anyhook/hooks.yaml:2 error wrong-handler a",
    "url",
  ],
  [
    "list: unknown type",
    list("- events: Stop", "  type: comand", "  command: a"),
    ".anyhook/hooks.yaml:3 error unknown-value a",
    '"command"',
  ],
  [
    "list: bad url",
    list("- events: Stop", "  url: x.org", "  name: a"),
    ".anyhook/hooks.yaml:2 error bad-url a",
    "https://",
  ],
  [
    "list: a url with a port that is none",
    list("- events: Stop", "  url: https://x.org:99999/", "  name: a"),
    ".anyhook/hooks.yaml:2 error bad-url a",
    "https://",
  ],
  [
    "list: a url with a password",
    list("- events: Stop", "  url: https://bob:hunter22@x.org/", "  name: a"),
    ".anyhook/hooks.yaml:2 error bad-url a",
    "allowed_env: [VAR]",
  ],
  [
    "list: a secret that is written out",
    list(
      "- events: Stop",
      "  url: https://x.org/",
      "  name: a",
      '  headers: { Authorization: "Bearer abc", X-Token: "$T", accept: "*/*" }',
      "  allowed_env: [T]",
    ),
    ".anyhook/hooks.yaml:2 warning secret-in-file a",
    "write ${VAR}",
  ],
  [
    "list: a model's address with a password",
    list("- events: Stop", "  prompt: p", "  name: a", "  base_url: https://bob:hunter22@x.org/"),
    ".anyhook/hooks.yaml:5 error bad-url a",
    "key_env",
  ],
  [
    "settings: a model's address that is none",
    { ".anyhook/settings.json": '{\n  "llm": { "base_url": "hunter22@x.org" }\n}\n' },
    ".anyhook/settings.json:2 error bad-url",
    "https://",
  ],
  [
    "list: unknown field",
    list("- events: Stop", "  command: a", "  tiemout: 5"),
    ".anyhook/hooks.yaml:4 error misspelt-field a",
    '"timeout"',
  ],
  [
    "list: bad timeout",
    list("- events: Stop", "  command: a", "  timeout: soon"),
    ".anyhook/hooks.yaml:4 error bad-value a",
    '"5s"',
  ],
  [
    "list: bad block",
    list("- events: Stop", "  command: a", "  block: maybe"),
    ".anyhook/hooks.yaml:4 error bad-value a",
    "true or false",
  ],
  [
    "list: bad matcher",
    list(
      "- events: PreToolUse",
      "  command: a",
      "  matcher:",
      "    tool_name: Bash",
      "    tool_input.command: /(/",
    ),
    ".anyhook/hooks.yaml:6 error bad-matcher a",
    "",
  ],
  ["list: not a map", list("- just text"), ".anyhook/hooks.yaml:2 error bad-entry", "name:"],
  [
    "list: no hooks",
    { ".anyhook/hooks.yaml": "hoks: []\n" },
    ".anyhook/hooks.yaml:1 error missing-hooks",
    "`hooks:`",
  ],
  [
    "list: duplicate key",
    list("- events: Stop", "  command: a", "  command: b"),
    ".anyhook/hooks.yaml:4 warning duplicate-key",
    "remove",
  ],
  [
    "list: bad YAML",
    { ".anyhook/hooks.yaml": "hooks:\n  - events: [Stop\n" },
    ".anyhook/hooks.yaml:2 error bad-yaml",
    "indentation",
  ],
  [
    "list: bad JSON",
    { ".anyhook/hooks.json": '{\n  "hooks": [\n' },
    ".anyhook/hooks.json:3 error bad-json",
    "commas",
  ],
  [
    "list: missing script",
    list("- events: Stop", "  script: gone.sh"),
    ".anyhook/hooks.yaml:2 error missing-file gone",
    "path",
  ],
  [
    "list: code placeholder",
    list("- events: Stop", "  command: sh -c 'cat {file}'", "  name: a"),
    ".anyhook/hooks.yaml:2 error bad-placeholder a",
    '"$1"',
  ],
  [
    "list: code placeholder in a list",
    list("- events: Stop", "  command: [bash, -c, 'cat {file}']", "  name: a"),
    ".anyhook/hooks.yaml:2 error bad-placeholder a",
    '"$1"',
  ],
  [
    "list: a placeholder of another event",
    list("- events: PreToolUse", "  command: fmt {result}", "  name: a"),
    ".anyhook/hooks.yaml:2 warning empty-placeholder a",
    "PostToolUse",
  ],
  [
    "list: a placeholder that nothing has",
    list("- events: PreToolUse", "  command: fmt {tool_inpt.command}", "  name: a"),
    ".anyhook/hooks.yaml:2 warning empty-placeholder a",
    "tool_input",
  ],
  [
    "list: a bracket that is not closed",
    list("- name: a", "  events: [Stop", "  command: x"),
    ".anyhook/hooks.yaml:3 error bad-yaml",
    "indentation",
  ],
  [
    "list: a quote that is not closed",
    list("- name: a", "  events: Stop", '  command: "x', "- name: b"),
    ".anyhook/hooks.yaml:4 error bad-yaml",
    "indentation",
  ],
  [
    "list: not a duration",
    list("- { name: a, events: Stop, command: x,", "  timeout: fast }"),
    ".anyhook/hooks.yaml:3 error bad-value a",
    'write 5000 (milliseconds) or "5s"',
  ],
  [
    "list: a slip in another name of a harness",
    list("- { name: a, events: Stop, command: x,", "  harness: cluade }"),
    ".anyhook/hooks.yaml:3 error unknown-harness a",
    'did you mean "claude"?',
  ],
  [
    "list: a gate that does not say how long it may take",
    list("- { name: a, events: PreToolUse, url: 'http://127.0.0.1:1/', block: true }"),
    ".anyhook/hooks.yaml:2 warning slow-in-critical-path a",
    "timeout:",
  ],
  [
    "list: a misspelt placeholder",
    list("- events: UserPromptSubmit", "  command: [fmt, '{promt}']", "  name: a"),
    ".anyhook/hooks.yaml:2 warning empty-placeholder a",
    "{prompt}",
  ],
  [
    "list: a short misspelt placeholder",
    list("- events: PreToolUse", "  command: fmt {fiel}", "  name: a"),
    ".anyhook/hooks.yaml:2 warning empty-placeholder a",
    "{file}",
  ],
  [
    "list: a misspelt placeholder in a prompt",
    list("- events: PostToolUse", "  prompt: polite? {arg}", "  async: true", "  name: a"),
    ".anyhook/hooks.yaml:2 warning empty-placeholder a",
    "{args}",
  ],
  [
    "list: notify without async",
    list("- events: PostToolUse", "  command: x", "  notify: context", "  name: a"),
    ".anyhook/hooks.yaml:2 warning no-effect a",
    "async: true",
  ],
  [
    "list: notify whom",
    list("- events: PostToolUse", "  command: x", "  async: true", "  notify: me", "  name: a"),
    ".anyhook/hooks.yaml:5 error unknown-value a",
    "context",
  ],
  [
    "list: missing file of a command",
    list("- events: Stop", "  name: a", '  command: python3 "$CLAUDE_PROJECT_DIR/gone.py"'),
    ".anyhook/hooks.yaml:2 warning missing-file a",
    "add the file",
  ],
  [
    "list: block where nothing can be",
    list("- events: SessionStart", "  command: a", "  block: true"),
    ".anyhook/hooks.yaml:2 warning cannot-block a",
    "remove block",
  ],
  [
    "list: exit 2 that may not block",
    list("- events: PreToolUse", "  name: a", "  command: exit 2"),
    ".anyhook/hooks.yaml:2 warning unarmed a",
    "add block: true",
  ],
  [
    "list: slow prompt",
    list("- events: PreToolUse", "  prompt: is it safe?", "  name: a"),
    ".anyhook/hooks.yaml:2 warning slow-in-critical-path a",
    "async: true",
  ],
  [
    "list: a prompt between two steps",
    list("- events: PostToolUse", "  prompt: is it safe?", "  name: a"),
    ".anyhook/hooks.yaml:2 warning slow-in-critical-path a",
    "add async: true",
  ],
  [
    "list: an http hook in the critical path",
    list("- events: PreToolUse", "  url: http://127.0.0.1:1/", "  name: a"),
    ".anyhook/hooks.yaml:2 warning slow-in-critical-path a",
    "check with a command",
  ],
  [
    "list: unknown provider",
    list("- events: Stop", "  prompt: p", "  name: a", "  provider: antropic"),
    ".anyhook/hooks.yaml:5 error unknown-value a",
    'did you mean "anthropic"?',
  ],
  [
    "list: a server for a program",
    list(
      "- events: Stop",
      "  prompt: p",
      "  name: a",
      "  provider: claude-cli",
      "  base_url: http://x.org",
    ),
    ".anyhook/hooks.yaml:2 warning no-effect a",
    "remove it",
  ],
  [
    "list: a key for nobody",
    list("- events: Stop", "  prompt: p", "  name: a", "  key_env: MY_KEY"),
    ".anyhook/hooks.yaml:2 error bad-provider a",
    "another provider",
  ],
  [
    "list: fields of another kind",
    list("- events: Stop", "  url: https://x.org/", "  name: a", "  model: m"),
    ".anyhook/hooks.yaml:2 warning no-effect a",
    "remove it",
  ],
  [
    "settings: a host that is none",
    { ".anyhook/settings.json": '{\n  "allowed_hosts": ["https://x.org/"]\n}\n' },
    ".anyhook/settings.json:2 error bad-value",
    "name:port",
  ],
  [
    "settings: a slip in llm",
    { ".anyhook/settings.json": '{\n  "llm": {\n    "modle": "m"\n  }\n}\n' },
    ".anyhook/settings.json:3 error unknown-setting",
    'did you mean "model"?',
  ],
  [
    "list: no effect",
    list("- events: Stop", "  command: a", "  env: { A: b }"),
    ".anyhook/hooks.yaml:2 warning no-effect a",
    "VAR=value",
  ],
  [
    "list: milliseconds",
    list("- events: Stop", "  command: a", "  timeout: 5"),
    ".anyhook/hooks.yaml:2 warning short-timeout a",
    '"5s"',
  ],
  [
    "list: missing module",
    list("- events: Stop", "  module: gone.ts"),
    ".anyhook/hooks.yaml:2 error missing-file gone",
    "path",
  ],
  [
    "list: args alone",
    list("- events: Stop", "  script: ../run.sh", "  args: [a]", "  name: a"),
    ".anyhook/hooks.yaml:2 error args-without-command a",
    "command",
  ],
  // settings
  [
    "settings: unknown event",
    settings("{", '"hooks": {', '"PreTolUse": [{ "path": "a" }] } }'),
    ".anyhook/settings.json:3 error unknown-event",
    '"PreToolUse"',
  ],
  [
    "settings: unknown key",
    settings("{", '"chian": "run-all" }'),
    ".anyhook/settings.json:2 error unknown-setting",
    '"chain"',
  ],
  [
    "settings: bad chain",
    settings("{", '"chain": {', '"Stop": "first" } }'),
    ".anyhook/settings.json:3 error unknown-value",
    "first-block",
  ],
  [
    "settings: bad blocking",
    settings("{", '"blocking": ["PreTolUse"] }'),
    ".anyhook/settings.json:2 error unknown-event",
    '"PreToolUse"',
  ],
  [
    "settings: odd entry",
    settings('{ "hooks": { "Stop": [', '{ "command": "a" } ] } }'),
    ".anyhook/settings.json:2 error bad-entry",
    "path",
  ],
  [
    "settings: hooks is a list",
    settings('{ "hooks":', "[] }"),
    ".anyhook/settings.json:2 error bad-hooks",
    "PreToolUse",
  ],
  [
    "settings: missing path",
    settings('{ "hooks": { "Stop": [', '{ "path": "gone.sh" } ] } }'),
    ".anyhook/settings.json:2 error missing-file gone",
    "path",
  ],
  [
    "settings: leaves the project",
    settings("{", '"roots": ["../x"] }'),
    ".anyhook/settings.json:0 error bad-roots",
    "relative",
  ],
  [
    "settings: unknown system file",
    settings("{", '"system_files": ["README.md"] }'),
    ".anyhook/settings.json:2 error unknown-value",
    "AGENTS.md",
  ],
  [
    "claude: unknown type",
    settings('{ "hooks": { "Stop": [ { "hooks": [', '{ "type": "mcp_tool" } ] } ] } }'),
    ".anyhook/settings.json:2 warning unsupported-type",
    "command",
  ],
  [
    "claude: if",
    settings(
      '{ "hooks": { "PreToolUse": [ { "hooks": [',
      '{ "type": "command", "command": "a",',
      '"if": "Bash(git *)" } ] } ] } }',
    ),
    ".anyhook/settings.json:3 error unsupported-field a",
    "matcher",
  ],
  [
    "claude: bad matcher",
    settings(
      '{ "hooks": { "PreToolUse": [',
      '{ "matcher": "(", "hooks": [ { "type": "command", "command": "a" } ] } ] } }',
    ),
    ".anyhook/settings.json:2 error bad-matcher a",
    "",
  ],
  // nodes
  [
    "node: unknown surface",
    node("surface: hok", "events: Stop"),
    ".anyhook/n/README.md:2 error unknown-surface n",
    '"hook"',
  ],
  [
    "node: unknown event",
    node("surface: hook", "events: Stopp"),
    ".anyhook/n/README.md:3 error unknown-event n",
    '"Stop"',
  ],
  [
    "node: no event",
    node("surface: hook"),
    ".anyhook/n/README.md:2 error missing-events n",
    "events",
  ],
  [
    "node: slip",
    node("surface: hook", "events: Stop", "matchers: Bash"),
    ".anyhook/n/README.md:4 error unknown-field n",
    '"matcher"',
  ],
  [
    "node: bad YAML",
    node("surface: hook", "events: [Stop"),
    ".anyhook/n/README.md:3 error bad-yaml n",
    "indentation",
  ],
  [
    "node: unclosed",
    { ".anyhook/n/README.md": "---\nsurface: hook\n\ntext\n" },
    ".anyhook/n/README.md:2 error unclosed-front-matter n",
    "---",
  ],
  [
    "node: no script",
    { ".anyhook/n/README.md": "---\nsurface: hook\nevents: Stop\n---\n" },
    ".anyhook/n/README.md:2 error missing-script n",
    "script",
  ],
  [
    "node: two scripts",
    { ...node("surface: hook", "events: Stop"), ".anyhook/n/b.sh": RUN, ".anyhook/n/run.py": RUN },
    ".anyhook/n/README.md:2 error ambiguous-script n",
    "script: b.sh",
  ],
  // modules
  [
    "module: unknown event",
    module(
      "export default defineHook({",
      '  name: "m",',
      '  event: "PreTolUse",',
      "  run() {} });",
    ),
    ".anyhook/hooks/m.ts:4 error unknown-event m",
    '"PreToolUse"',
  ],
  [
    "module: unknown field",
    module(
      "export default defineHook({",
      '  name: "m", event: "Stop",',
      "  ordr: 1,",
      "  run() {} });",
    ),
    ".anyhook/hooks/m.ts:4 warning unknown-field m",
    '"order"',
  ],
  [
    "module: no run",
    module('export default defineHook({ name: "m", event: "Stop" });'),
    ".anyhook/hooks/m.ts:1 error bad-module m",
    "run(event)",
  ],
  [
    "module: throws",
    module("// no types", "", 'throw new Error("boom")', "export default defineHook({});"),
    ".anyhook/hooks/m.ts:4 error bad-module m",
    "run(event)",
  ],
  [
    "module: effects when loaded",
    module(
      'import { writeFileSync } from "node:fs";',
      'writeFileSync("/tmp/anyhook-effect", "x");',
      "export default defineHook({});",
    ),
    ".anyhook/hooks/m.ts:3 error bad-module m",
    "run()",
  ],
  [
    "module: leaves when loaded",
    module("process.exit(0);", "export default defineHook({});"),
    ".anyhook/hooks/m.ts:1 error bad-module m",
    "run(event)",
  ],
  [
    "module: a slip in an import",
    {
      ".anyhook/hooks/m.ts": 'import { defineHok } from "anyhook";\nexport default defineHok({});',
    },
    ".anyhook/hooks/m.ts:1 error bundle-failed m",
    'did you mean "defineHook"?',
  ],
  [
    "module: syntax",
    module("export default defineHook({", "  name: ) });"),
    ".anyhook/hooks/m.ts:3 error bundle-failed m",
    "last version",
  ],
  [
    "module: unknown package",
    module('import x from "no-such-package";', "export default defineHook(x);"),
    ".anyhook/hooks/m.ts:2 error bundle-failed m",
    "install",
  ],
  [
    "module: nothing in it",
    { ".anyhook/hooks/m.ts": "export const x = 1;\n" },
    ".anyhook/hooks/m.ts:1 warning no-default-export",
    "_",
  ],
];

test.each(MISTAKES)("%s", async (_, files, said, hint) => {
  const it = project({ ...files, "run.sh": RUN });
  const { diagnostics } = await it.compile();
  const lines = brief(diagnostics, it);
  expect(lines).toContain(said);
  expect(diagnostics[lines.indexOf(said)]!.hint).toContain(hint);
  const errors = (all: readonly string[]): string[] =>
    all.filter((line) => line.includes(" error "));
  expect(errors(lines)).toEqual(errors([said]));
});

test("a slip in a strength: the hook runs, never weaker than it was meant", async () => {
  const it = project({
    ...header("Hook: a", "Event: PreToolUse", "On-Failur: block", "Blocks: forced pushes"),
    ".anyhook/hooks.yaml": `hooks:
  - { name: b, events: PreToolUse, command: x, blok: yes, reentrnt: true, timeot: 1 }
  - { name: c, events: PreToolUse, command: x, block: true, blok: false, on_failur: allow }
  - { name: d, events: PreToolUse, command: x, on_failure: warn, on_failur: block }
`,
    ".anyhook/n/README.md": "---\nsurface: hook\nevents: Stop\nblocked: true\n---\n",
    ".anyhook/n/run.sh": RUN,
  });
  const { hooks, definitions } = await it.compile();
  const strength = hooks.map(({ name, block, onFailure, reentrant, timeout }) => ({
    ...{ name, block, onFailure, reentrant, timeout },
  }));
  const usual = { onFailure: "allow", reentrant: false, timeout: 5000 };
  expect(strength.toSorted((x, y) => x.name.localeCompare(y.name))).toEqual([
    { ...usual, name: "a", block: true, onFailure: "block" },
    { ...usual, name: "b", block: true, reentrant: true },
    { ...usual, name: "c", block: true },
    { ...usual, name: "d", block: false, onFailure: "warn" },
    // Somebody else's word.
    { ...usual, name: "n", block: false },
  ]);
  expect([...new Set(definitions.map(({ state }) => state))]).toEqual(["active"]);
});

test("not executable: still in the manifest, and cannot run", async () => {
  const it = project(header("Hook: a", "Event: PreToolUse"));
  chmodSync(it.path(".anyhook/hooks/a.sh"), 0o644);
  const { hooks, diagnostics } = await it.compile();
  expect(brief(diagnostics, it)).toEqual([".anyhook/hooks/a.sh:2 error not-executable a"]);
  expect(diagnostics[0]!.hint).toBe(`chmod +x ${it.path(".anyhook/hooks/a.sh")}`);
  expect(hooks.map(({ name, broken }) => ({ name, broken }))).toEqual([
    { name: "a", broken: "not executable" },
  ]);
});

test("ordinary comments and Markdown are nobody's mistake", async () => {
  const it = project({
    ...header(
      "Hook: a",
      "Event: Stop",
      "Author: me",
      "Owner: me",
      "Note: this",
      "See: https://x.org",
    ),
    ".anyhook/notes.md": "---\ntitle: x\ntags: [a]\n---\n",
    ".anyhook/rule.md": "# no front matter\n---\n",
    ".anyhook/hooks/data.json": "{}",
    ".anyhook/hooks/_part.sh": RUN,
    ".anyhook/hooks/a.test.sh": RUN,
  });
  const { hooks, diagnostics } = await it.compile();
  expect(diagnostics).toEqual([]);
  expect(hooks.map(({ name }) => name)).toEqual(["a"]);
});

test("one bad hook does not disable the others", async () => {
  const it = project({
    ...list(
      "- { name: bad, events: Nope, command: x }",
      "- { name: good, events: Stop, command: x }",
    ),
    ...header("Hook: scripted", "Event: Stop"),
    ".anyhook/hooks/broken.ts": "export default {",
    ".anyhook/settings.json": "{ nope",
  });
  const { hooks, definitions } = await it.compile();
  expect(hooks.map(({ name }) => name)).toEqual(["scripted", "good"]);
  expect(definitions.map(({ name, state }) => `${name} ${state}`).toSorted()).toEqual([
    "bad bad",
    "broken bad",
    "good active",
    "scripted active",
  ]);
});

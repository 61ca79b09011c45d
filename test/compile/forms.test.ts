import { expect, test } from "vitest";
import type { Hook } from "../../src/model.ts";
import { type Files, project } from "./_project.ts";

const MATCHER = 'tool_name = "Bash" and tool_input.command ~ "push.*--force"';
const OBJECT = `{ tool_name: "Bash", "tool_input.command": "/push.*--force/" }`;
const RUN = "#!/bin/sh\nexit 0\n";

/** One hook, written in each of the ways there are. */
const FORMS = {
  script: {
    ".anyhook/hooks/guard.sh": `#!/bin/sh
# Hook: guard
# Event: PreToolUse
# Matcher: ${MATCHER}
# Order: 10            (optional: lower is earlier)
# Block: true
# Timeout: 5s
exit 0
`,
  },
  module: {
    ".anyhook/hooks/guard.ts": `import { defineHook, deny } from "anyhook";
export default defineHook({
  name: "guard",
  event: "PreToolUse",
  matcher: { tool_name: "Bash", "tool_input.command": /push.*--force/ },
  order: 10,
  block: true,
  timeout: 5000,
  run: () => deny("no"),
});
`,
  },
  node: {
    ".anyhook/rules/guard/README.md": `---
surface: hook
events: PreToolUse
order: 10
block: true
timeout: 5000
matcher: ${OBJECT}
---
Keeps main safe.
`,
    ".anyhook/rules/guard/check.sh": RUN,
  },
  list: {
    ".anyhook/hooks.yaml": `hooks:
  - name: guard
    events: [pre_tool_use]
    script: bin/check.sh
    order: 10
    block: yes
    timeout: 5000
    matcher: ${OBJECT}
`,
    ".anyhook/bin/check.sh": RUN,
  },
  settings: {
    ".anyhook/settings.json": `{
  // comments are fine
  "hooks": { "PRE_TOOL_USE": [
    { "name": "guard", "path": "bin/check.sh", "order": 10, "block": true, "matcher": ${OBJECT.replaceAll("tool_name:", '"tool_name":')}, },
  ] }
}`,
    ".anyhook/bin/check.sh": RUN,
  },
} satisfies Record<string, Files>;

/** What the hook does, apart from where it was written and who runs it. */
function behaviour(hook: Hook): object {
  const matcher = hook.matcher.map((one) =>
    one.op === "re" ? { path: one.path, dfa: one.dfa } : one,
  );
  const apart = ["script", "kind", "source", "needs"];
  const rest = Object.entries(hook).filter(([key]) => !apart.includes(key));
  return { ...Object.fromEntries(rest), matcher };
}

test.each(Object.entries(FORMS))(
  "%s: the same hook compiles to the same behaviour",
  async (form, files) => {
    const it = project(files);
    const { hooks, diagnostics, automata } = await it.compile();
    expect(diagnostics).toEqual([]);
    const [dfa] = automata.keys();
    expect(hooks.map(behaviour)).toEqual([
      {
        event: "PreToolUse",
        order: 10,
        block: true,
        name: "guard",
        layer: "project",
        timeout: 5000,
        onFailure: "allow",
        chain: "",
        async: false,
        once: false,
        notify: false,
        reentrant: false,
        payload: "",
        harness: [],
        args: [],
        matcher: [
          { path: "tool_name", op: "eq", values: ["Bash"] },
          { path: "tool_input.command", dfa },
        ],
        broken: "",
        extra: "",
      },
    ]);
    expect(hooks[0]!.kind).toBe(form === "module" ? "module" : "script");
  },
);

test("all forms give one and the same automaton", async () => {
  const ids = new Set<string>();
  for (const files of Object.values(FORMS)) {
    const { automata } = await project(files).compile();
    for (const id of automata.keys()) ids.add(id);
  }
  expect([...ids]).toHaveLength(1);
});

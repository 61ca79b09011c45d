import { expect, test } from "vitest";
import { dispatch, makeProject, payloadOf, type Lane, type Project } from "../_dispatch.ts";

const LANE: Lane = { name: "dash", shell: ["dash"], real: true };

interface Listed {
  readonly name: string;
  readonly layer: string;
  readonly state: string;
  readonly events: readonly string[];
}

const hooksOf = (project: Project): Listed[] =>
  (JSON.parse(project.cli("list", "--json").stdout) as { hooks: Listed[] }).hooks;

test("a built-in pack is a layer of its own, the weakest, once whoever names it", () => {
  const packs = '{ "packs": ["anyhook/memory"] }';
  const project = makeProject({
    ".anyhook/settings.json": packs,
    "home/.config/anyhook/settings.json": packs,
  });
  const named = hooksOf(project).map(({ name, layer, state }) => `${name} ${layer} ${state}`);
  expect(named.toSorted()).toEqual(
    ["post-tool-use", "pre-compact", "session-start", "stop", "user-prompt"].map(
      (name) => `memory-${name} pack active`,
    ),
  );
  project.write({
    ".anyhook/settings.json": '{ "packs": ["anyhook/memory"], "disabled": ["memory-stop"] }',
  });
  expect(hooksOf(project).find(({ name }) => name === "memory-stop")?.state).toBe("disabled");
  project.remove();
});

test("an unknown pack is a mistake with a suggestion, and disables nothing else", () => {
  const project = makeProject({
    ".anyhook/settings.json": '{\n  "packs": ["anyhook/memry", "anyhook/memory"] }',
    ".anyhook/hooks.yaml": "hooks:\n  - name: mine\n    events: [Stop]\n    command: 'true'\n",
  });
  const { stdout, status } = project.cli("validate", "--json");
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; message: string; hint: string; line: number }[];
  };
  expect(status).toBe(1);
  expect(
    diagnostics.map(({ code, message, hint, line }) => ({ code, message, hint, line })),
  ).toEqual([
    {
      line: 2,
      code: "unknown-pack",
      message: 'packs: there is no pack "anyhook/memry"',
      hint: 'did you mean "anyhook/memory"?',
    },
  ]);
  expect(hooksOf(project)).toHaveLength(6);
  project.remove();
});

test("naming a pack takes effect at the next event, and so does taking the name away", () => {
  const project = makeProject();
  const start = (n: string): string =>
    dispatch(
      project,
      LANE,
      "claude-code",
      "SessionStart",
      payloadOf("claude-code", "SessionStart--startup", project, { session_id: n }),
    ).stdout;
  expect(start("a")).toBe("");
  project.write({ ".anyhook/settings.json": '{ "packs": ["anyhook/memory"] }' });
  expect(start("b")).toContain("Memory:");
  project.write({ ".anyhook/settings.json": "{}" });
  expect(start("c")).toBe("");
  project.remove();
});

test("memory: in the settings is checked", () => {
  const project = makeProject({
    ".anyhook/settings.json":
      '{\n "memory": { "runtime": "three", "packet_bytes": 7, "budget": 1 }\n}',
  });
  const { diagnostics } = JSON.parse(project.cli("validate", "--json").stdout) as {
    diagnostics: { code: string; line: number }[];
  };
  expect(diagnostics.map(({ code, line }) => [code, line]).toSorted()).toEqual([
    ["out-of-range", 2],
    ["unknown-setting", 2],
    ["unknown-value", 2],
  ]);
  project.write({
    ".anyhook/settings.json": '{ "memory": { "runtime": "tree", "packet_bytes": 1000 } }',
  });
  expect(project.cli("validate").status).toBe(0);
  project.remove();
});

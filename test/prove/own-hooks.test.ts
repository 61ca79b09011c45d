import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { compile, type Compiled } from "../../src/compile/compile.ts";
import { layerRoots } from "../../src/compile/materialize.ts";
import { DRIVERS } from "../../src/prove/clients/_all.ts";
import { cast } from "../../src/prove/own-hooks.ts";
import { reaching } from "../../src/prove/reaching.ts";
import { sample } from "../../src/prove/sample.ts";
import { makeProject, REPO, type Project } from "../_dispatch.ts";

const projects: Project[] = [];
afterEach(() => projects.splice(0).forEach((one) => one.remove()));

async function compiled(hooks: readonly object[]): Promise<Compiled> {
  const project = makeProject({ ".anyhook/hooks.json": JSON.stringify({ hooks }) });
  projects.push(project);
  return compile({
    roots: layerRoots(project.root, project.env),
    projectRoot: project.root,
    libraryFile: join(REPO, "dist/index.js"),
    nodePath: process.execPath,
  });
}

const hook = (event: string, matcher?: object): object => ({
  ...{ name: "one", events: [event], command: "true" },
  ...(matcher === undefined ? {} : { matcher }),
});

async function reached(event: string, matcher?: object): Promise<unknown> {
  const { hooks, automata } = await compiled([hook(event, matcher)]);
  return reaching(hooks[0]!, { project: "/shop", automata, tag: "0" });
}

const command = (pattern: string): object => ({ tool_name: "Bash", "tool_input.command": pattern });

describe("a hook is reached by something harmless", () => {
  test("a command quotes what the matcher looks for, and does nothing else", async () => {
    expect(await reached("PreToolUse", command("/push.*--force/"))).toEqual({
      turns: [{ shell: ": 'push--force'; echo ran >proof-0.txt" }],
      ...{ leaves: "proof-0.txt", wants: "" },
    });
  });

  test.each([
    "/rm -rf \\//",
    "/; *shutdown/",
    "/>\\s*\\/dev\\/sda/",
    "/\\$\\(curl/",
    "/`id`/",
    "/&& rm/",
  ])("%s", async (pattern) => {
    const found = (await reached("PreToolUse", command(pattern))) as { turns: [{ shell: string }] };
    expect(found.turns[0].shell).toMatch(/^: '[^'\n]*'; echo ran >proof-0\.txt$/);
  });

  test.each(["/^git push/", "/it's/", "/\\n/", "rm -rf /"])(
    "%s can only be reached by the thing itself, so it is not",
    async (pattern) => {
      expect(await reached("PreToolUse", command(pattern))).toEqual({
        never: expect.stringContaining("no harmless call") as string,
      });
    },
  );

  test("files are below the project, whatever the pattern says", async () => {
    const write = await reached("PreToolUse", { tool_name: "Write", paths: "glob:src/**/*.ts" });
    expect(write).toMatchObject({
      turns: [{ write: expect.stringMatching(/^\/shop\/src\/.*\.ts$/) as string }],
    });
    expect(await reached("PreToolUse", { tool_name: "Write", paths: "/etc/passwd" })).toMatchObject(
      {
        never: expect.any(String) as string,
      },
    );
  });

  test("prompts, failures, scenes, and what no session has", async () => {
    expect(await reached("UserPromptSubmit", { prompt: "/deploy/" })).toEqual({ words: "deploy" });
    expect(await reached("UserPromptSubmit")).toEqual({ words: "Do your work." });
    expect(await reached("PostToolUseFailure", { tool_name: "Bash" })).toMatchObject({
      turns: [{ shell: ": ''; echo ran >proof-0.txt; exit 3" }],
    });
    expect(await reached("SessionStart", { source: "compact" })).toEqual({ scene: "compact" });
    expect(await reached("SubagentStop")).toEqual({ scene: "sub-agent" });
    expect(await reached("SessionStart", { source: "clear" })).toEqual({
      never: "no session here has source clear",
    });
  });
});

test("a sample is the shortest text in which a pattern occurs", async () => {
  const { automata } = await compiled([hook("PreToolUse", command("/ab+c|xyzzy/"))]);
  const [dfa = ""] = automata.values();
  expect(sample(dfa, "abcxyz")).toBe("abc");
  expect(sample(dfa, "xyz")).toBe("xyzzy");
  expect(sample(dfa, "ab")).toBeUndefined();
});

test("hooks that cannot fire are named with the reason, and never dropped", async () => {
  const all = await compiled([
    { ...hook("PreToolUse"), name: "fires" },
    { ...hook("PreToolUse"), name: "elsewhere", harness: ["gemini"] },
    { ...hook("PostToolUseFailure"), name: "no-event" },
    { ...hook("PermissionRequest"), name: "unreachable" },
    { ...hook("PreToolUse", command("/^x/")), name: "anchored" },
    { name: "asks", events: ["Stop"], type: "http", url: "https://example.org/hook" },
    { name: "wonders", events: ["Stop"], type: "prompt", prompt: "Is it done?" },
  ]);
  const adapter = ADAPTERS.find(({ id }) => id === "codex")!;
  const driver = DRIVERS.find(({ harness }) => harness === "codex")!;
  const { acts, without } = cast(all, { driver, version: "1", command: ["codex"] }, adapter);
  expect(acts.flatMap(({ hooks }) => hooks.map(({ name }) => name))).toEqual(["fires"]);
  expect(without.map(({ hook: name, state, why }) => ({ name, state, why }))).toEqual([
    { name: "elsewhere", state: "never", why: "it is limited to gemini" },
    {
      name: "anchored",
      state: "unplayed",
      why: "no harmless call has tool_name Bash and tool_input.command ~ /^x/",
    },
    { name: "unreachable", state: "unplayed", why: "`codex exec` never asks" },
    { name: "no-event", state: "never", why: "Codex CLI has no such event" },
    ...["asks", "wonders"].map((name) => ({
      ...{ name, state: "unplayed" },
      why: "it asks somebody outside, whom a proof leaves alone",
    })),
  ]);
});

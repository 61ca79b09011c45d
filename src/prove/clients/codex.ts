import { promptFor } from "../model/script.ts";
import { AGENT_WORDS, json, nested, type Driver, type Taken } from "./_driver.ts";

/** The line that says that a hook starts has no outcome; Stopped is a halt that was honoured. */
const OUTCOMES: Readonly<Record<string, "completed" | "blocked">> = {
  Completed: "completed",
  Stopped: "completed",
  Blocked: "blocked",
};

export const BYPASS = "--dangerously-bypass-hook-trust";

export const codex = {
  harness: "codex",
  program: "codex",
  fullAt: 190_000,
  settings: ({ url, hooks }) => ({
    "home/.codex/config.toml": configOf(url),
    ...(hooks.length === 0 ? {} : { "home/.codex/hooks.json": json({ hooks: nested(hooks) }) }),
  }),
  // Without --json: only the output for people says what became of each hook.
  argv: (prompt, { hooks }) => [
    ...["exec", "--skip-git-repo-check"],
    // Only hooks that we did not install need it: those that we install are trusted by their hash.
    ...(hooks.length === 0 ? [] : [BYPASS]),
    prompt,
  ],
  env: () => ({}),
  unreachable: { PermissionRequest: "`codex exec` never asks" },
  tools: {
    shell: ({ shell, workdir }) => ({ name: "exec_command", input: { cmd: shell, workdir } }),
    write: ({ write, text }) => ({
      name: "apply_patch",
      input: {},
      text: `*** Begin Patch\n*** Add File: ${write}\n${lines("+", text)}*** End Patch\n`,
    }),
    edit: ({ edit, from, to }) => ({
      name: "apply_patch",
      input: {},
      text: `*** Begin Patch\n*** Update File: ${edit}\n@@\n${lines("-", from)}${lines("+", to)}*** End Patch\n`,
    }),
    agent: ({ agent }) => ({
      name: "spawn_agent",
      namespace: "multi_agent_v1",
      input: { message: promptFor(agent, AGENT_WORDS), agent_type: "default" },
    }),
    mcp: ({ mcp, tool, input }) => ({ name: tool, namespace: `mcp__${mcp}`, input }),
  },
  taken: (_, stderr) =>
    [...stderr.matchAll(/^hook: (\w+) (\w+)/gm)].map(
      ([, event, outcome]): Taken => `${event} ${OUTCOMES[outcome!] ?? "failed"}`,
    ),
} satisfies Driver;

const lines = (mark: string, text: string): string =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}\n`)
    .join("");

// A model that it knows, since only those get the tool that applies patches.
const configOf = (url: string): string => `model = "gpt-5.5"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
model_auto_compact_token_limit = 150000

[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
`;

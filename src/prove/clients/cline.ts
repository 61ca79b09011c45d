import { promptFor } from "../model/script.ts";
import { AGENT_WORDS, DUMMY, type Driver, type NativeHook } from "./_driver.ts";

export const cline = {
  harness: "cline",
  program: "cline",
  fullAt: 190_000,
  // One file per event: the commands of an event share it, and the last one answers.
  settings: ({ hooks }) =>
    Object.fromEntries(
      [...new Set(hooks.map(({ event }) => event))].map((event) => [
        `home/.cline/hooks/${event}`,
        scriptOf(hooks.filter((one) => one.event === event)),
      ]),
    ),
  before: ({ url }) => [
    [
      ...["auth", "--provider", "openai-compatible", "--apikey", DUMMY],
      ...["--modelid", "fake-model", "--baseurl", `${url}/v1`],
    ],
  ],
  argv: (prompt) => [prompt],
  env: () => ({}),
  unreachable: {},
  tools: {
    shell: ({ shell }) => ({ name: "run_commands", input: { commands: [shell] } }),
    read: ({ read }) => ({ name: "read_files", input: { files: [{ path: read }] } }),
    write: ({ write, text }) => ({ name: "editor", input: { path: write, new_text: text } }),
    edit: ({ edit, from, to }) => ({
      name: "editor",
      input: { path: edit, old_text: from, new_text: to },
    }),
    agent: ({ agent }) => ({
      name: "spawn_agent",
      input: { systemPrompt: AGENT_WORDS, task: promptFor(agent, AGENT_WORDS) },
    }),
  },
} satisfies Driver;

const scriptOf = (hooks: readonly NativeHook[]): string =>
  `#!/bin/sh\npayload=$(cat)\n${hooks.map(({ command }) => `printf '%s' "$payload" | ${command}\n`).join("")}`;

import { promptFor } from "../model/script.ts";
import { AGENT_WORDS, DUMMY, json, type Driver, type NativeHook } from "./_driver.ts";

const PROVIDER = "openai-compatible";

export const cline = {
  harness: "cline",
  program: "cline",
  fullAt: 190_000,
  settings: ({ url, hooks }) => ({
    "home/.cline/data/settings/providers.json": json({
      version: 1,
      lastUsedProvider: PROVIDER,
      modes: {},
      providers: {
        [PROVIDER]: {
          settings: {
            provider: PROVIDER,
            apiKey: DUMMY,
            model: "fake-model",
            baseUrl: `${url}/v1`,
          },
          updatedAt: "2026-01-01T00:00:00.000Z",
          tokenSource: "manual",
        },
      },
    }),
    ...scripts(hooks),
  }),
  argv: (prompt) => [prompt],
  env: () => ({ CLINE_NO_AUTO_UPDATE: "1" }),
  unreachable: { UserPromptSubmit: "a one-shot run does not fire it" },
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

/** One file per event: the commands of an event share it, and each prints its own answer. */
const scripts = (hooks: readonly NativeHook[]): Record<string, string> =>
  Object.fromEntries(
    [...new Set(hooks.map(({ event }) => event))].map((event) => [
      `home/.cline/hooks/${event}`,
      scriptOf(hooks.filter((one) => one.event === event)),
    ]),
  );

const scriptOf = (hooks: readonly NativeHook[]): string =>
  `#!/bin/sh\npayload=$(cat)\n${hooks.map(({ command }) => `printf '%s' "$payload" | ${command}\n`).join("")}`;

import { promptFor } from "../model/script.ts";
import { AGENT_WORDS, DUMMY, json, type Driver, type NativeHook } from "./_driver.ts";

export const copilot = {
  harness: "copilot",
  program: "copilot",
  fullAt: 190_000,
  settings: ({ stage, hooks }) => ({
    "home/.copilot/config.json": json({ trustedFolders: [stage.project] }),
    ...(hooks.length === 0
      ? {}
      : { "home/.copilot/hooks/native.json": json({ version: 1, hooks: flat(hooks) }) }),
  }),
  argv: (prompt, { strict }) => ["-p", prompt, ...(strict ? [] : ["--allow-all-tools"])],
  env: ({ url }) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: DUMMY,
    COPILOT_MODEL: "fake-model",
    COPILOT_AUTO_UPDATE: "false",
  }),
  unreachable: { Notification: "only a session at a terminal has notifications" },
  tools: {
    shell: ({ shell }) => ({ name: "bash", input: { command: shell, description: "a step" } }),
    read: ({ read }) => ({ name: "view", input: { path: read } }),
    write: ({ write, text }) => ({ name: "create", input: { path: write, file_text: text } }),
    edit: ({ edit, from, to }) => ({
      name: "edit",
      input: { path: edit, old_str: from, new_str: to },
    }),
    agent: ({ agent }) => ({
      name: "task",
      input: {
        description: "a part of the work",
        agent_type: "general-purpose",
        name: "part",
        prompt: promptFor(agent, AGENT_WORDS),
      },
    }),
    mcp: ({ mcp, tool, input }) => ({ name: `${mcp}-${tool}`, input }),
  },
} satisfies Driver;

function flat(hooks: readonly NativeHook[]): Record<string, unknown[]> {
  const events: Record<string, unknown[]> = {};
  for (const { event, matcher, command } of hooks)
    (events[event] ??= []).push({
      type: "command",
      bash: command,
      ...(matcher === undefined ? {} : { matcher }),
    });
  return events;
}

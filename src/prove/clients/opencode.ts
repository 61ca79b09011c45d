import { promptFor } from "../model/script.ts";
import { AGENT_WORDS, DUMMY, json, type Driver } from "./_driver.ts";

export const opencode = {
  harness: "opencode",
  program: "opencode",
  fullAt: 190_000,
  settings: ({ url }) => ({
    "home/.config/opencode/opencode.json": json({
      model: "fake/fake-model",
      small_model: "fake/fake-model",
      autoupdate: false,
      share: "disabled",
      provider: {
        fake: {
          npm: "@ai-sdk/openai-compatible",
          name: "fake",
          options: { baseURL: `${url}/v1`, apiKey: DUMMY },
          models: { "fake-model": { tool_call: true, limit: { context: 160_000, output: 8000 } } },
        },
      },
    }),
    ...dependencies("home/.config/opencode"),
  }),
  argv: (prompt) => ["run", prompt],
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  }),
  unreachable: { Notification: "only a session at a terminal asks for permission" },
  tools: {
    shell: ({ shell, workdir }) => ({
      name: "bash",
      input: { command: shell, description: "a step", workdir },
    }),
    read: ({ read }) => ({ name: "read", input: { filePath: read } }),
    write: ({ write, text }) => ({ name: "write", input: { filePath: write, content: text } }),
    edit: ({ edit, from, to }) => ({
      name: "edit",
      input: { filePath: edit, oldString: from, newString: to },
    }),
    agent: ({ agent }) => ({
      name: "task",
      input: {
        description: "a part of the work",
        subagent_type: "general",
        prompt: promptFor(agent, AGENT_WORDS),
      },
    }),
    mcp: ({ mcp, tool, input }) => ({ name: `${mcp}_${tool}`, input }),
  },
} satisfies Driver;

/**
 * Before it loads a plugin it installs its own package in each folder of settings, unless the lock
 * file there names it; without a network it would try for minutes.
 */
function dependencies(folder: string): Record<string, string> {
  const packages = { "": { dependencies: { "@opencode-ai/plugin": "*" } } };
  return {
    [`${folder}/node_modules/.keep`]: "",
    [`${folder}/package-lock.json`]: json({ lockfileVersion: 3, packages }),
  };
}

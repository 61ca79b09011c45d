import { promptFor } from "../model/script.ts";
import { AGENT_WORDS, DUMMY, json, withHooks, type Driver } from "./_driver.ts";

export const gemini = {
  harness: "gemini",
  program: "gemini",
  fullAt: 990_000,
  settings: ({ hooks }) => ({
    "home/.gemini/settings.json": json({
      // Without it the address of the model selects another way to log in, which fails.
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      ...withHooks(hooks),
    }),
  }),
  argv: (prompt) => ["-p", prompt, "--approval-mode=yolo", "-m", "gemini-2.5-flash"],
  env: ({ url }) => ({
    GEMINI_API_KEY: DUMMY,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_TELEMETRY_ENABLED: "false",
  }),
  unreachable: { Notification: "only a session at a terminal has notifications" },
  tools: {
    shell: ({ shell }) => ({
      name: "run_shell_command",
      input: { command: shell, description: "a step" },
    }),
    read: ({ read }) => ({ name: "read_file", input: { file_path: read } }),
    write: ({ write, text }) => ({
      name: "write_file",
      input: { file_path: write, content: text },
    }),
    edit: ({ edit, from, to }) => ({
      name: "replace",
      input: { file_path: edit, instruction: "a change", old_string: from, new_string: to },
    }),
    agent: ({ agent }) => ({
      name: "invoke_agent",
      input: { agent_name: "generalist", prompt: promptFor(agent, AGENT_WORDS) },
    }),
    mcp: ({ mcp, tool, input }) => ({ name: `mcp_${mcp}_${tool}`, input }),
  },
} satisfies Driver;

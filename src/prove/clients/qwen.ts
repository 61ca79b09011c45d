import { promptFor } from "../model/script.ts";
import { AGENT_WORDS, DUMMY, json, withHooks, type Driver } from "./_driver.ts";

export const qwen = {
  harness: "qwen",
  program: "qwen",
  fullAt: 172_000,
  settings: ({ hooks }) => ({
    "home/.qwen/settings.json": json({
      security: { auth: { selectedType: "openai" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      ...withHooks(hooks),
    }),
  }),
  argv: (prompt, { strict }) => ["-p", prompt, ...(strict ? [] : ["--approval-mode=yolo"])],
  env: ({ url }) => ({
    OPENAI_API_KEY: DUMMY,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: "fake-model",
  }),
  unreachable: {
    SessionEnd: "a session without a terminal ends without it",
    PermissionRequest: "a session without a terminal refuses without asking",
    PostCompact: "so short a conversation cannot be made shorter",
  },
  tools: {
    shell: ({ shell }) => ({
      name: "run_shell_command",
      input: { command: shell, description: "a step", is_background: false },
    }),
    read: ({ read }) => ({ name: "read_file", input: { file_path: read } }),
    write: ({ write, text }) => ({
      name: "write_file",
      input: { file_path: write, content: text },
    }),
    edit: ({ edit, from, to }) => ({
      name: "edit",
      input: { file_path: edit, old_string: from, new_string: to },
    }),
    agent: ({ agent }) => ({
      name: "agent",
      input: {
        description: "a part of the work",
        subagent_type: "general-purpose",
        prompt: promptFor(agent, AGENT_WORDS),
      },
    }),
    mcp: ({ mcp, tool, input }) => ({ name: `mcp__${mcp}__${tool}`, input }),
  },
} satisfies Driver;

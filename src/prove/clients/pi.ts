import { DUMMY, json, type Driver } from "./_driver.ts";

export const pi = {
  harness: "pi",
  program: "pi",
  fullAt: 190_000,
  settings: ({ url }) => ({
    "home/.pi/agent/models.json": json({
      providers: {
        fake: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: DUMMY,
          models: [{ id: "fake-model", contextWindow: 160_000, maxTokens: 8000 }],
        },
      },
    }),
  }),
  argv: (prompt) => ["-p", "--provider", "fake", "--model", "fake-model", prompt],
  env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }),
  unreachable: { PostCompact: "the session is over before the compaction is" },
  tools: {
    shell: ({ shell }) => ({ name: "bash", input: { command: shell } }),
    read: ({ read }) => ({ name: "read", input: { path: read } }),
    write: ({ write, text }) => ({ name: "write", input: { path: write, content: text } }),
    edit: ({ edit, from, to }) => ({
      name: "edit",
      input: { path: edit, edits: [{ oldText: from, newText: to }] },
    }),
  },
} satisfies Driver;

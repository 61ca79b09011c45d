import type { VerbFacts } from "./_facts.ts";

export const START = {
  demo: {
    group: "start",
    summary: "Watch a scripted agent meet five hooks",
    about:
      "Makes a project with five hooks in a temporary folder, plays a short session through the real dispatcher, first as Claude Code and then as Codex, and checks every answer. Needs no harness, no account and no network, and leaves nothing behind.",
    options: { keep: { about: "Keep the project it was played in" } },
    examples: [["anyhook demo", "about five seconds"]],
    load: async () => (await import("./demo.ts")).demo,
  },
  help: {
    group: "start",
    summary: "Say more about one verb",
    operands: [{ name: "verb", optional: true }],
    examples: [["anyhook help simulate", "the same as anyhook simulate --help"]],
    load: async () => (await import("./_help.ts")).help,
  },
} as const satisfies Record<string, VerbFacts>;

import type { VerbFacts } from "./_facts.ts";

export const CONNECT = {
  detect: {
    group: "connect",
    summary: "Which harnesses are here, and what their hooks can do",
    about:
      "Looks for programs on PATH, for the files that harnesses leave behind and for the variables they set. Inside a hook it also says whether the environment agrees with the harness that called.",
    options: { all: { about: "Also those that are not here" } },
    examples: [
      ["anyhook detect", "what is on this machine"],
      ["anyhook detect --json | jq -r .runtime.name", "the runtime that auto means"],
    ],
    load: async () => (await import("./detect.ts")).detectHere,
  },
  contract: {
    group: "connect",
    summary: "What each harness can do at each event",
    about:
      "Straight from the adapters. With a harness: all of its events, what can be said there, and what to do about those it does not have. --check compares docs/contract.md and the plugin's manifest with the table and exits 1 when they differ; it is made for a pre-push gate.",
    operands: [{ name: "harness", optional: true }],
    options: {
      hookless: { about: "A version of the harness that has no hooks" },
      event: { value: "name", about: "Only this event" },
      check: { about: "Compare the written forms of the contract with it" },
    },
    examples: [
      ["anyhook contract", "all harnesses, one line each"],
      ["anyhook contract codex --hookless", "what stands in for hooks in an old Codex"],
      ["anyhook contract --check", "exit 1 when docs or plugin have drifted"],
    ],
    load: async () => (await import("./contract.ts")).contract,
  },
} as const satisfies Record<string, VerbFacts>;

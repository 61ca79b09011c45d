import type { VerbFacts } from "./_facts.ts";

export const PROVE = {
  prove: {
    group: "author",
    summary: "See hooks hold, or not, in the real clients here",
    about:
      "Starts every client that is installed here, for real, in a throw-away home, against a model on loopback that follows a script: no account, no network, nothing of yours is touched. First with hooks of our own that try what each event can do, then with yours. Calls that look for your hooks are harmless: a command only quotes what a matcher wants. Exit 1 when something that should be so is not.",
    options: {
      harness: {
        value: "names",
        about: "Which ones, separated by commas; all that are found here by default",
      },
      event: { value: "names", about: "Only these events, separated by commas" },
      hook: { value: "name", about: "Only this hook of yours" },
      native: {
        about: "Also: the same commands registered with the client itself, side by side",
      },
    },
    examples: [
      ["anyhook prove", "everything, everywhere"],
      ["anyhook prove --harness codex --event PreToolUse", "a quick look"],
      ["anyhook prove --hook no-force-push", "does this one hold?"],
    ],
    load: async () => (await import("./prove.ts")).proveNow,
  },
} as const satisfies Record<string, VerbFacts>;

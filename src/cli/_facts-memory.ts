import type { VerbFacts } from "./_facts.ts";

const TRANSCRIPT = { value: "file", about: "The transcript to read instead of the newest one" };

export const MEMORY = {
  hook: {
    group: "memory",
    summary: "One step of the memory, as its hooks do it",
    about:
      "One of session-start, user-prompt, post-tool-use, stop, pre-compact. The payload comes from standard input. Whatever goes wrong is told on stderr and in the ledger, and the exit code is 0.",
    operands: [{ name: "event" }],
    options: {
      payload: { value: "file", about: "Read the payload from here; - is standard input" },
      cwd: { value: "dir", about: "The working folder, instead of the payload's" },
      session: { value: "id", about: "The session, instead of the payload's" },
      transcript: { value: "file", about: "The transcript, instead of the payload's" },
      prompt: { value: "text", about: "The prompt, instead of the payload's" },
    },
    examples: [["anyhook hook session-start < payload.json", "what a new session is told"]],
    load: async () => (await import("./hook.ts")).hook,
  },
  inject: {
    group: "memory",
    summary: "Print what a session wakes up with",
    about: "For harnesses without hooks: paste it, or let a skill call it.",
    examples: [["anyhook inject", "the packet for this folder"]],
    load: async () => (await import("./inject.ts")).inject,
  },
  forge: {
    group: "memory",
    summary: "Keep what a transcript has to say",
    about:
      "`forge transcript [path]`. Without a path the newest transcript of this folder is read. What was read before is not read again.",
    operands: [
      { name: "transcript", literal: true },
      { name: "path", optional: true },
    ],
    examples: [["anyhook forge transcript", "after a session without hooks"]],
    load: async () => (await import("./flywheel.ts")).forge,
  },
  flywheel: {
    group: "memory",
    summary: "Drain, distil and report",
    about: "`flywheel close-loop`: what stop does at the end of every turn, at once and in full.",
    operands: [{ name: "close-loop", literal: true }],
    options: { transcript: TRANSCRIPT },
    examples: [["anyhook flywheel close-loop", "when a piece of work is done"]],
    load: async () => (await import("./flywheel.ts")).flywheel,
  },
  memory: {
    group: "memory",
    summary: "Look into the memory and decide what stays",
    about:
      "One of list, search <words>, show <id>, accept <id …>, reject <id …>, forget <id …>, stats, export, adopt <folder>. Ids are those that list shows; u12 belongs to the user's own memory.",
    operands: [{ name: "what" }, { name: "words", optional: true, several: true }],
    options: {
      status: { value: "status", about: "list: accepted, candidate or rejected" },
      kind: {
        value: "kind",
        about: "list: constraint, decision, preference, remember, incident or page",
      },
      lines: { short: "n", value: "count", about: "How many (list 20, search 5)" },
    },
    examples: [
      ["anyhook memory list --status candidate", "what waits for your word"],
      ["anyhook memory search which port does the test database use", "in ordinary words"],
      ["anyhook memory forget 12", "really: index and write-ahead log included"],
    ],
    load: async () => (await import("./memory.ts")).memory,
  },
} as const satisfies Record<string, VerbFacts>;

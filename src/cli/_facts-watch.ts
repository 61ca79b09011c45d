import type { VerbFacts } from "./_facts.ts";

export const WATCH = {
  status: {
    group: "watch",
    summary: "What runs, what fails, what never fired",
    options: {
      keep: { about: "Say what is new when the next session begins (dispatch.sh does)" },
    },
    examples: [["anyhook status", "exit 1 when something is failing"]],
    load: async () => (await import("./status.ts")).status,
  },
  why: {
    group: "watch",
    summary: "Who decided at an event, and why",
    about:
      "`last` is the last event at which a hook had an opinion. An id may be shortened as long as it is the only one, and the session in front of it may be left out.",
    operands: [{ name: "last|id", optional: true }],
    options: { any: { about: "The last event of all, also when nothing was decided" } },
    examples: [
      ["anyhook why", "the last decision"],
      ["anyhook why toolu_01", "one event, by its id as `log` shows it"],
    ],
    load: async () => (await import("./why.ts")).why,
  },
  log: {
    group: "watch",
    summary: "What happened, one line per event",
    options: {
      follow: { short: "f", about: "Go on until interrupted" },
      lines: { short: "n", value: "count", about: "How many to begin with (20)" },
      event: { value: "name", about: "Only this event" },
      hook: { value: "name", about: "Only where this hook was chosen" },
      session: { value: "id", about: "Only this session; the beginning of its id is enough" },
      verify: { about: "Check the seals of past days; exit 1 when something was changed" },
      verdict: {
        value: "kind",
        about: "Only this decision: pass, allow, rewrite, ask, deny or halt",
      },
    },
    examples: [
      ["anyhook log -f", "watch an agent at work"],
      ["anyhook log --verdict deny -n 5", "the last five denials"],
      ["anyhook log --json -n 1000 > events.jsonl", "one JSON object per line"],
    ],
    load: async () => (await import("./log.ts")).log,
  },
} as const satisfies Record<string, VerbFacts>;

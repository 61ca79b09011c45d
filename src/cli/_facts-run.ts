import type { VerbFacts } from "./_facts.ts";

export const RUN = {
  dispatch: {
    group: "run",
    summary: "Run the hooks for a payload on standard input, as a harness would",
    operands: [{ name: "harness" }, { name: "event" }],
    examples: [["anyhook dispatch claude Stop < payload.json", "reply and exit code as the harness gets them"]],
    load: async () => (await import("./dispatch.ts")).dispatch,
  },
  pause: {
    group: "run",
    summary: "No hook of this project runs until `resume`; managed hooks still do",
    examples: [["anyhook pause", "at once, in every session of the project"]],
    load: async () => (await import("./pause.ts")).pause,
  },
  resume: {
    group: "run",
    summary: "Hooks run again",
    examples: [["anyhook resume", "from the next event on"]],
    load: async () => (await import("./pause.ts")).resume,
  },
  path: {
    group: "run",
    summary: "Print where something is: dispatch, store, ledger, manifest …",
    operands: [{ name: "what" }],
    examples: [
      ["anyhook path dispatch", "what a harness calls"],
      [`tail -f "$(anyhook path ledger)"/*.jsonl`, "the ledger itself"],
    ],
    load: async () => (await import("./path.ts")).path,
  },
} as const satisfies Record<string, VerbFacts>;

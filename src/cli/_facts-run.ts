import type { VerbFacts } from "./_facts.ts";

export const RUN = {
  dispatch: {
    group: "run",
    summary: "Run the hooks, as a harness does",
    about:
      "The payload comes from standard input; reply and exit code are what the harness would get.",
    operands: [{ name: "harness" }, { name: "event" }],
    examples: [["anyhook dispatch claude Stop < payload.json", "one Stop event"]],
    load: async () => (await import("./dispatch.ts")).dispatch,
  },
  pause: {
    group: "run",
    summary: "Let no hook of this project run until resume",
    about: "Managed hooks run all the same: they cannot be switched off from below.",
    examples: [["anyhook pause", "at once, in every session of the project"]],
    load: async () => (await import("./pause.ts")).pause,
  },
  resume: {
    group: "run",
    summary: "Let them run again",
    examples: [["anyhook resume", "from the next event on"]],
    load: async () => (await import("./pause.ts")).resume,
  },
  path: {
    group: "run",
    summary: "Print where something is",
    about:
      "One of dispatch (the front door), shim (what harnesses call once install has written it), shell, lib (for hooks written in shell), store (of this project), slot (of this work tree), manifest, ledger, project, user, managed, home (of all stores).",
    operands: [{ name: "what" }],
    examples: [
      ["anyhook path dispatch", "the front door of every event"],
      [`tail -f "$(anyhook path ledger)"/*.jsonl`, "the ledger itself"],
    ],
    load: async () => (await import("./path.ts")).path,
  },
} as const satisfies Record<string, VerbFacts>;

import type { VerbFacts } from "./_facts.ts";

export const AUTHOR = {
  list: {
    group: "author",
    summary: "All hooks, in the order in which they run",
    about: "Grouped by event. Hooks that do not run stand at the end, with the reason.",
    examples: [
      ["anyhook list", "what runs here"],
      ["anyhook list --json | jq '.hooks[].name'", "just the names"],
    ],
    load: async () => (await import("./list.ts")).list,
  },
  explain: {
    group: "author",
    summary: "Everything about one hook",
    about:
      "When it runs, what it runs, what it can do on each harness, and how its last runs went.",
    operands: [{ name: "hook" }],
    examples: [["anyhook explain no-force-push", "one hook, by its name"]],
    load: async () => (await import("./explain.ts")).explain,
  },
  validate: {
    group: "author",
    summary: "Check what you wrote; changes nothing",
    about:
      "Prints every mistake with its file, line and what to do. With --runtime it also says whether that harness is connected here, and which hooks cannot do on it what they say.",
    options: {
      runtime: {
        value: "harness",
        about: "auto (those that are here), a harness such as claude or codex, or manual",
      },
      strict: { about: "Warnings count as well" },
    },
    examples: [
      ["anyhook validate", "exit 1 when there is an error"],
      ["anyhook validate --runtime codex --strict", "for CI of a team that uses Codex"],
    ],
    load: async () => (await import("./validate.ts")).validate,
  },
  simulate: {
    group: "author",
    summary: "Who would run at this event, and who would not",
    about:
      "The payload comes from --payload, from standard input, or is made from --tool, --command, --file and --prompt. Nothing is run unless you say --run.",
    operands: [{ name: "harness" }, { name: "event" }],
    options: {
      payload: { value: "file", about: "A payload as the harness sends it; - is standard input" },
      tool: { value: "name", about: "The tool that the agent wants to use" },
      command: { value: "text", about: "The command line of a Bash call" },
      file: { value: "path", about: "The file that is read, written or edited" },
      prompt: { value: "text", about: "What the user typed" },
      run: { about: "Really run the hooks, through the dispatcher" },
    },
    examples: [
      [`anyhook simulate claude PreToolUse --command "git push --force"`, "who would run"],
      [`anyhook simulate codex PreToolUse --tool Edit --file src/a.ts --run`, "what they answer"],
    ],
    load: async () => (await import("./simulate.ts")).simulate,
  },
  materialize: {
    group: "author",
    summary: "Compile now instead of at the next event",
    options: {
      quiet: { about: "Say nothing unless something is wrong, and then one line" },
      locked: { about: "The caller holds the lock (dispatch.sh does)" },
      root: { value: "dir", about: "Exactly this project, without a search; empty for none" },
      "without-project": {
        value: "why",
        about: "Managed and user hooks only, because the project ends the compiler",
      },
    },
    examples: [["anyhook materialize", "compile, and say what became of it"]],
    load: async () => (await import("./materialize.ts")).materializeNow,
  },
} as const satisfies Record<string, VerbFacts>;

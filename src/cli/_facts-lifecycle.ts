import type { VerbFacts } from "./_facts.ts";

export const HARNESSES = {
  detect: {
    group: "connect",
    summary: "Which harnesses are here, and why we think so",
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
  doctor: {
    group: "connect",
    summary: "What keeps hooks from holding, and the fix",
    about:
      "Per harness: is it here, does its version have hooks, is it connected, are all events wired, can what it calls be called, does it trust our entries, are its hooks switched off, does a matcher name a tool it does not have, does an event arrive twice. --fix repairs what is ours alone: entries and the file that harnesses call.",
    options: {
      harness: { value: "names", about: "Which ones, separated by commas; all by default" },
      fix: { about: "Repair what can be repaired safely" },
    },
    examples: [
      ["anyhook doctor", "exit 1 when there is something to repair"],
      ["anyhook doctor --fix", "our own entries again, where they were"],
    ],
    load: async () => (await import("./doctor.ts")).doctor,
  },
  import: {
    group: "connect",
    summary: "Take over the hooks in the settings of harnesses",
    about:
      "Commands that you registered in a harness's own settings become hooks of anyhook: equal ones of several harnesses become one, each keeps its command, its matcher, its time and the harnesses it ran in. They are taken out of the settings, so that nothing runs twice; --undo gives them back, to the byte when nobody else has changed the file. What cannot be said here stays where it is, with the reason.",
    options: {
      harness: { value: "names", about: "Which ones, separated by commas; all by default" },
      scope: { value: "scope", about: "user (the default), project or local" },
      undo: { about: "Give everything back" },
      "dry-run": { about: "Show the changes and write nothing" },
      yes: { short: "y", about: "Do not ask" },
    },
    examples: [
      ["anyhook import --dry-run", "what would move"],
      ["anyhook import --scope project --yes", "the hooks of this repository"],
      ["anyhook import --undo", "back to where they came from"],
    ],
    load: async () => (await import("./import.ts")).importNow,
  },
} as const satisfies Record<string, VerbFacts>;

const ACTION = "start, ensure-start, stop, ensure-stop, status, prompt, task-completed or skill";

const LIFECYCLE_OPTIONS = {
  thread: {
    value: "id",
    about: "Which session; else as the harness names it, else one per project",
  },
  "close-loop": { about: "With stop: the Stop hooks run first, and may hold it back (exit 1)" },
  write: { about: "With skill: write it where the harness looks for skills" },
  text: { value: "text", about: "What the prompt or the task is, for prompt and task-completed" },
} as const;

export const LIFECYCLE = {
  lifecycle: {
    group: "lifecycle",
    summary: "Begin and end a session by hand",
    about: `The action is one of ${ACTION}. start and stop run the SessionStart and SessionEnd hooks once per thread; repeated, they say performed: false and why. skill prints rules that make an agent call them.`,
    operands: [{ name: "harness" }, { name: "action" }],
    options: LIFECYCLE_OPTIONS,
    examples: [
      ["anyhook lifecycle windsurf ensure-start", "from the preamble of a skill"],
      ["anyhook lifecycle manual stop --close-loop", "by hand, with no harness at all"],
    ],
    load: async () => (await import("./lifecycle.ts")).lifecycle,
  },
  codex: {
    group: "lifecycle",
    summary: "The same, for a Codex without hooks",
    about: `The action is one of ${ACTION}.`,
    operands: [{ name: "action" }],
    options: LIFECYCLE_OPTIONS,
    examples: [
      ["anyhook codex ensure-start", "once per thread"],
      ["anyhook codex stop --close-loop", "Stop hooks, then SessionEnd hooks"],
    ],
    load: async () => (await import("./lifecycle.ts")).lifecycleOf("codex"),
  },
  gate: {
    group: "lifecycle",
    summary: "Run the hooks over what is about to be committed",
    about:
      "The only stage is pre-commit: every staged file is a Write of its staged content, for the PreToolUse and PostToolUse hooks. Exit 1 when one is blocked. install --git-hooks lets git call it.",
    operands: [{ name: "stage" }],
    examples: [["anyhook gate pre-commit", "what git would be told now"]],
    load: async () => (await import("./gate.ts")).gate,
  },
} as const satisfies Record<string, VerbFacts>;

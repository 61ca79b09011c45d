import { EVENT_NAMES, type EventName } from "../events.ts";

/**
 * Hooks of our own, one or two per event, that a session of the client should notice. What they say
 * stands nowhere else, so that a request that contains it shows that the model was told.
 */
export const SAID = {
  start: "The first word of the proof is amber.",
  promptOne: "The second word of the proof is birch.",
  promptTwo: "The third word of the proof is cedar.",
  denied: "The proof forbids this call.",
  asked: "The proof asks before this call.",
  post: "The proof has read the result.",
  failure: "The proof has seen the failure.",
  forbidden: "The proof forbids this prompt.",
  stop: "The proof wants one more turn.",
  partStart: "The proof greets the part.",
  partStop: "The proof wants one more turn of the part.",
  permission: "The proof refuses the permission.",
} as const;

/** Words in commands and prompts that the probes look for. */
export const MARKS = {
  deny: "proof-mark-deny",
  rewrite: "proof-mark-rewrite",
  ask: "proof-mark-ask",
  post: "proof-mark-post",
  forbidden: "proof-mark-forbidden",
} as const;

/** Files that a session leaves in the project; which ones, and with what, is the evidence. */
export const FILES = {
  denied: "proof-denied.txt",
  rewritten: "proof-rewritten.txt",
  asked: "proof-asked.txt",
  permitted: "proof-permitted.txt",
  ended: "proof-ended.txt",
} as const;

interface Probe {
  readonly name: string;
  readonly events: readonly [EventName];
  readonly command: string;
  readonly matcher?: Readonly<Record<string, string>>;
  readonly order?: number;
  readonly block?: true;
}

const say = (reply: object): string => `printf '%s' '${JSON.stringify(reply)}'`;
const tell = (context: string): string => say({ context });
const refuse = (reason: string): string => `echo '${reason}' >&2; exit 2`;
const command = (mark: string): Record<string, string> => ({
  tool_name: "Bash",
  "tool_input.command": `/${mark}/`,
});
const writes = (words: string): string =>
  say({ rewrite: { command: `echo ${words} >${FILES.rewritten}` } });

/** The first of two takes its time: whoever is asked first must still come first. */
const SLOWLY = "sleep 0.3; ";

const PROBES: readonly Probe[] = [
  { name: "start", events: ["SessionStart"], command: tell(SAID.start) },
  {
    name: "prompt-one",
    events: ["UserPromptSubmit"],
    order: 1,
    command: SLOWLY + tell(SAID.promptOne),
  },
  { name: "prompt-two", events: ["UserPromptSubmit"], order: 2, command: tell(SAID.promptTwo) },
  {
    name: "forbidden",
    events: ["UserPromptSubmit"],
    order: 3,
    block: true,
    matcher: { prompt: `/${MARKS.forbidden}/` },
    command: refuse(SAID.forbidden),
  },
  {
    name: "deny",
    events: ["PreToolUse"],
    block: true,
    matcher: command(MARKS.deny),
    command: refuse(SAID.denied),
  },
  {
    name: "ask",
    events: ["PreToolUse"],
    block: true,
    matcher: command(MARKS.ask),
    command: say({ decision: "ask", message: SAID.asked }),
  },
  {
    name: "rewrite-one",
    events: ["PreToolUse"],
    order: 1,
    // Where nothing can be rewritten, a hook that may block does so instead.
    block: true,
    matcher: command(MARKS.rewrite),
    command: `${SLOWLY}${writes("one")}`,
  },
  {
    name: "rewrite-two",
    events: ["PreToolUse"],
    order: 2,
    block: true,
    matcher: command(FILES.rewritten),
    command: `if grep -q 'echo one >'; then ${writes("one two")}; fi`,
  },
  {
    name: "post",
    events: ["PostToolUse"],
    matcher: command(MARKS.post),
    command: tell(SAID.post),
  },
  { name: "failure", events: ["PostToolUseFailure"], command: tell(SAID.failure) },
  {
    name: "permission",
    events: ["PermissionRequest"],
    block: true,
    // Some clients ask for every call, also in the other scenes.
    matcher: command(FILES.permitted),
    command: refuse(SAID.permission),
  },
  { name: "part-start", events: ["SubagentStart"], command: tell(SAID.partStart) },
  { name: "part-stop", events: ["SubagentStop"], block: true, command: refuse(SAID.partStop) },
  { name: "stop", events: ["Stop"], block: true, command: refuse(SAID.stop) },
  { name: "end", events: ["SessionEnd"], command: `sleep 0.1; echo ended >${FILES.ended}` },
  { name: "before-compact", events: ["PreCompact"], command: "true" },
  { name: "after-compact", events: ["PostCompact"], command: "true" },
  { name: "notification", events: ["Notification"], command: "true" },
  { name: "task", events: ["TaskCompleted"], command: "true" },
];

/** The probes' folder of hooks, as files of a stage. */
export const probeFiles = (events: readonly EventName[] = EVENT_NAMES): Record<string, string> => ({
  "project/.anyhook/hooks.json": JSON.stringify({
    hooks: PROBES.filter((probe) => events.includes(probe.events[0])),
  }),
});

/** The names of the probes at an event, in the order in which they must run. */
export const probesAt = (event: EventName): string[] =>
  PROBES.filter((probe) => probe.events.includes(event)).map(({ name }) => name);

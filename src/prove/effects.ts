import { takesContext, type Surface } from "../adapters/_contract.ts";
import type { EventName } from "../events.ts";
import { FILES, SAID } from "./probes.ts";
import { entriesAt, told, type Ran } from "./ran.ts";

/** Something that a probe does, and how it can be seen that the client honoured it. */
export interface Effect {
  readonly scene: string;
  readonly event: EventName;
  readonly what: string;
  /** Whether the adapter says that this can be done there. */
  readonly able: (surface: Surface) => boolean;
  readonly holds: (ran: Ran) => boolean;
}

const can =
  (...verdicts: ("deny" | "halt" | "rewrite" | "ask")[]) =>
  ({ replies }: Surface): boolean =>
    verdicts.some((verdict) => replies[verdict] !== undefined);

const always = (): boolean => true;

const context = (scene: string, event: EventName, words: string): Effect => ({
  ...{ scene, event, what: "context reaches the model" },
  able: takesContext,
  holds: (ran) => told(ran, words),
});

export const EFFECTS: readonly Effect[] = [
  context("tools", "SessionStart", SAID.start),
  {
    ...context("tools", "UserPromptSubmit", SAID.promptOne),
    what: "context reaches the model, in order",
    holds: ({ sessions }) =>
      sessions.some(({ requests }) =>
        requests.some(({ all }) => {
          const [one, two] = [all.indexOf(SAID.promptOne), all.indexOf(SAID.promptTwo)];
          return one >= 0 && two > one;
        }),
      ),
  },
  {
    ...{ scene: "a forbidden prompt", event: "UserPromptSubmit" },
    what: "a denied prompt never reaches the model",
    able: can("deny", "halt"),
    holds: ({ sessions }) => sessions.every(({ requests }) => requests.length === 0),
  },
  {
    ...{ scene: "tools", event: "PreToolUse", what: "a denied call does not run" },
    able: can("deny", "halt"),
    holds: ({ files }) => files[FILES.denied] === undefined,
  },
  {
    ...{ scene: "tools", event: "PreToolUse", what: "the reason reaches the model" },
    able: can("deny"),
    holds: (ran) => told(ran, SAID.denied) || endedAtOnce(ran),
  },
  {
    ...{ scene: "tools", event: "PreToolUse", what: "what is asked and not answered does not run" },
    able: can("ask", "deny", "halt"),
    holds: ({ files }) => files[FILES.asked] === undefined,
  },
  {
    ...{
      scene: "tools",
      event: "PreToolUse",
      what: "the input as two hooks rewrote it is what runs",
    },
    able: can("rewrite"),
    holds: ({ files }) => files[FILES.rewritten] === "one two\n",
  },
  {
    ...{ scene: "tools", event: "PreToolUse", what: "what cannot be rewritten does not run" },
    able: (surface) => !can("rewrite")(surface) && can("deny", "halt")(surface),
    holds: ({ files }) => files[FILES.rewritten] === undefined,
  },
  context("tools", "PostToolUse", SAID.post),
  context("tools", "PostToolUseFailure", SAID.failure),
  {
    ...{ scene: "tools", event: "Stop", what: "holds the agent back once, and not again" },
    able: can("deny"),
    holds: (ran) => told(ran, SAID.stop) && heldBack(ran, "Stop") === 1,
  },
  {
    ...{ scene: "tools", event: "SessionEnd", what: "a hook of 0.1 s finishes" },
    able: always,
    holds: ({ files }) => files[FILES.ended] === "ended\n",
  },
  context("a sub-agent", "SubagentStart", SAID.partStart),
  {
    ...{ scene: "a sub-agent", event: "SubagentStop", what: "holds the sub-agent back once" },
    able: can("deny"),
    holds: (ran) => told(ran, SAID.partStop) && heldBack(ran, "SubagentStop") === 1,
  },
  {
    ...{ scene: "a permission", event: "PermissionRequest", what: "a refused call does not run" },
    able: can("deny"),
    holds: ({ files }) => files[FILES.permitted] === undefined,
  },
  {
    ...{ scene: "a permission", event: "PermissionRequest", what: "the reason reaches the model" },
    able: can("deny"),
    holds: (ran) => told(ran, SAID.permission),
  },
];

const heldBack = (ran: Ran, event: EventName): number =>
  entriesAt(ran, event).filter(({ decision }) => decision.verdict === "deny").length;

/** Some clients end the session instead of telling the model why: then it was asked nothing more. */
const endedAtOnce = ({ sessions }: Ran): boolean =>
  sessions.length > 1 && sessions[0]!.requests.length === 1;

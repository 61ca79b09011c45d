import type { Adapter, Surface } from "./_contract.ts";
import {
  blockDecision,
  noticeOnly,
  preToolDeny,
  silent,
  stopHere,
  withContext,
} from "./_claude-wire.ts";

/**
 * Events that our own commands bring about where no harness calls us: the lifecycle verbs and the
 * git gate. They read the reply themselves, so it is always in this one dialect.
 */
const MINUTE = 60_000;

export const BY_HAND = {
  SessionStart: {
    native: "SessionStart",
    timeout: MINUTE,
    replies: { pass: withContext("SessionStart") },
  },
  SessionEnd: { native: "SessionEnd", timeout: MINUTE, replies: { pass: silent } },
  UserPromptSubmit: {
    native: "UserPromptSubmit",
    timeout: MINUTE,
    replies: { pass: withContext("UserPromptSubmit"), deny: blockDecision },
  },
  PreToolUse: {
    native: "PreToolUse",
    timeout: MINUTE,
    // Nothing can be rewritten or asked at a commit: a rewrite is refused rather than dropped.
    replies: { pass: withContext("PreToolUse"), deny: preToolDeny },
  },
  PostToolUse: {
    native: "PostToolUse",
    timeout: MINUTE,
    replies: { pass: withContext("PostToolUse") },
  },
  Stop: {
    native: "Stop",
    timeout: MINUTE,
    replies: { pass: noticeOnly, deny: blockDecision, halt: stopHere },
  },
  TaskCompleted: {
    native: "TaskCompleted",
    timeout: MINUTE,
    replies: { pass: noticeOnly, deny: blockDecision },
  },
} as const satisfies Readonly<Record<string, Surface>>;

/** The folder of their facts in dist/facts, and the value of AH_BY. */
export const BY_HAND_ID = "_by-hand";

/** A harness that nobody has described, as far as these events need it to be. */
export const unknownHarness = (id: string): Adapter => ({
  id,
  aliases: [],
  title: id,
  evidence: "documentation",
  source: { url: "", version: "" },
  projectDir: [],
  tools: {
    Write: { names: ["Write"], paths: ["file_path"] },
  },
  surfaces: BY_HAND,
  observes: [],
  presence: { programs: [], version: [], traces: [], inside: [], since: "" },
  settings: { files: {}, format: "json", trust: "", reload: "live" },
  fails: { missing: "allow", crash: "allow", late: "allow" },
});

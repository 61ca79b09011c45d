import type { Adapter, Surface } from "./_contract.ts";
import { type Answers, claudeAfterTool, claudeSays, type Natives } from "./_natives.ts";
import { hooksAt, nestedCommands, nestedEntry } from "./_claude-settings.ts";
import {
  blockDecision,
  exitTwo,
  noticeOnly,
  observer,
  preToolAllow,
  preToolAsk,
  preToolDeny,
  silent,
  specific,
  stopHere,
  withContext,
} from "./_claude-wire.ts";

/** Claude Code's hooks under other tool names: https://docs.factory.ai/harness/hooks. */
const LONG = 60_000;

const stop = (native: string): Surface => ({
  native,
  timeout: LONG,
  replies: { pass: noticeOnly, deny: blockDecision, halt: stopHere },
});

const answers: Answers = {
  json: "exit 0",
  exits: { "2": "deny" },
  text: "",
  says: claudeSays,
};

const natives: Natives = {
  // Where it exists, it is read instead.
  files: { user: ["~/.factory/hooks.json"], project: [".factory/hooks.json"] },
  shell: "sh",
  matcher: "words",
  answers,
  answersAt: {
    SessionStart: { ...answers, text: "context" },
    UserPromptSubmit: { ...answers, text: "context" },
    PostToolUse: claudeAfterTool,
    PreCompact: { ...answers, exits: { "2": "deny", "3": "deny" } },
  },
};

export default {
  id: "droid",
  aliases: ["factory", "factory-droid"],
  title: "Factory Droid",
  evidence: "source",
  source: { url: "https://docs.factory.ai/harness/hooks", version: "0.215.0" },
  projectDir: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
  // Both spellings of the members are seen in the wild; the first that is there counts.
  wire: {
    fields: {
      session_id: ["session_id", "sessionId"],
      transcript_path: ["transcript_path", "transcriptPath"],
      permission_mode: ["permission_mode", "permissionMode"],
    },
  },
  tools: {
    Execute: { names: ["Bash"] },
    Read: { names: ["Read"], paths: ["file_path"] },
    Create: { names: ["Write"], paths: ["file_path"] },
    Edit: {
      names: ["Edit"],
      paths: ["file_path"],
      input: { old_str: "old_string", new_str: "new_string" },
    },
    MultiEdit: { names: ["Edit"], paths: ["file_path"] },
    ApplyPatch: { names: ["Edit", "Write"], patch: "command", input: { input: "command" } },
    Glob: { names: ["Glob"], paths: ["path"] },
    Grep: { names: ["Grep"], paths: ["path"] },
    LS: { names: ["LS"], paths: ["path"], input: { directory_path: "path" } },
    FetchUrl: { names: ["WebFetch"] },
    WebSearch: { names: ["WebSearch"] },
    Task: { names: ["Agent", "Task"] },
  },
  surfaces: {
    SessionStart: {
      native: "SessionStart",
      timeout: LONG,
      replies: { pass: withContext("SessionStart") },
    },
    SessionEnd: { native: "SessionEnd", timeout: LONG, replies: { pass: silent } },
    UserPromptSubmit: {
      native: "UserPromptSubmit",
      timeout: LONG,
      replies: { pass: withContext("UserPromptSubmit"), deny: blockDecision },
    },
    PreToolUse: {
      native: "PreToolUse",
      timeout: LONG,
      replies: {
        pass: withContext("PreToolUse"),
        allow: preToolAllow,
        rewrite: specific(
          "PreToolUse",
          '"permissionDecision":"allow","updatedInput":$I`,"additionalContext":$C`',
        ),
        ask: preToolAsk,
        deny: preToolDeny,
      },
    },
    PostToolUse: {
      native: "PostToolUse",
      timeout: LONG,
      replies: { pass: withContext("PostToolUse") },
    },
    Notification: observer("Notification", LONG),
    SubagentStop: stop("SubagentStop"),
    Stop: stop("Stop"),
    PreCompact: {
      native: "PreCompact",
      timeout: LONG,
      replies: { pass: noticeOnly, deny: exitTwo },
    },
  },
  observes: [],
  presence: {
    programs: ["droid"],
    version: ["--version"],
    traces: ["~/.factory/settings.json", "~/.factory"],
    inside: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
    since: "",
  },
  settings: {
    // Not hooks.json: `droid exec` 0.186 did not read it and said nothing. Where a hooks.json
    // exists, the vendor's page says that the hooks of settings.json are not read.
    files: { user: "~/.factory/settings.json", project: ".factory/settings.json" },
    format: "jsonc",
    at: hooksAt,
    entry: nestedEntry(1000),
    commands: nestedCommands(1000),
    natives,
    trust: "review the hooks once in /hooks, where the version asks for it",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

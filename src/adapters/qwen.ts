import type { Adapter, Surface } from "./_contract.ts";
import { hooksAt, nestedCommands, nestedEntry } from "./_claude-settings.ts";
import {
  blockDecision,
  noticeOnly,
  observer,
  permissionDeny,
  preToolDeny,
  silent,
  specific,
  withContext,
} from "./_claude-wire.ts";

/** Its default for commands, in milliseconds (driven). */
const MINUTE = 60_000;

const HEARD = "it was seen to fire; that the answer counts is known from its source only";

/** Without the members that it does not apply. */
const ask = specific("PreToolUse", '"permissionDecision":"ask","permissionDecisionReason":$R');

const contextual = (native: string): Surface => ({
  native,
  timeout: MINUTE,
  replies: { pass: withContext(native) },
});

/** Exit 2 without stderr is an allow (driven): a block always has both. */
const stop = (native: string): Surface => ({
  native,
  timeout: MINUTE,
  replies: { pass: noticeOnly, deny: blockDecision },
});

export default {
  id: "qwen",
  aliases: ["qwen-code"],
  title: "Qwen Code",
  evidence: "proven",
  source: {
    url: "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks",
    version: "0.24.4",
  },
  projectDir: ["QWEN_PROJECT_DIR"],
  tools: {
    run_shell_command: { names: ["Bash"] },
    // A command that it watches in the background.
    monitor: { names: ["Bash"] },
    read_file: { names: ["Read"], paths: ["file_path"] },
    write_file: { names: ["Write"], paths: ["file_path"] },
    edit: { names: ["Edit"], paths: ["file_path"] },
    notebook_edit: { names: ["Edit"], paths: ["notebook_path"] },
    glob: { names: ["Glob"], paths: ["path"] },
    grep_search: { names: ["Grep"], paths: ["path"] },
    list_directory: { names: ["list_directory"], paths: ["path"] },
    web_fetch: { names: ["WebFetch"] },
    web_search: { names: ["WebSearch"] },
    agent: { names: ["Agent"] },
  },
  surfaces: {
    SessionStart: contextual("SessionStart"),
    SessionEnd: {
      native: "SessionEnd",
      timeout: MINUTE,
      remark: "never fires in a one-shot run",
      replies: { pass: silent },
    },
    UserPromptSubmit: {
      native: "UserPromptSubmit",
      timeout: MINUTE,
      ignore: {
        field: "prompt",
        is: "",
        why: "not the user's words: Qwen Code sends an empty prompt after every round of tools",
      },
      replies: { pass: withContext("UserPromptSubmit"), deny: blockDecision },
    },
    PreToolUse: {
      native: "PreToolUse",
      timeout: MINUTE,
      // Neither updatedInput nor additionalContext is applied here (driven). An ask is answered by
      // a refusal where nobody can be asked (by its source).
      replies: { pass: noticeOnly, ask, deny: preToolDeny },
    },
    PermissionRequest: {
      native: "PermissionRequest",
      timeout: MINUTE,
      remark: "by its source only; it asks nobody in a one-shot run",
      replies: {
        pass: noticeOnly,
        allow: specific("PermissionRequest", '"decision":{"behavior":"allow"`,"updatedInput":$I`}'),
        deny: permissionDeny,
      },
    },
    PostToolUse: contextual("PostToolUse"),
    PostToolUseFailure: contextual("PostToolUseFailure"),
    Notification: observer("Notification", MINUTE),
    // What it says reaches neither the sub-agent nor its parent (driven).
    SubagentStart: { ...observer("SubagentStart", MINUTE), remark: HEARD },
    SubagentStop: { ...stop("SubagentStop"), remark: HEARD },
    Stop: stop("Stop"),
    PreCompact: observer("PreCompact", MINUTE),
    PostCompact: { ...observer("PostCompact", MINUTE), remark: "by its source only" },
  },
  observes: [
    "PostToolBatch",
    "UserPromptExpansion",
    "MessageDisplay",
    "SessionDelete",
    "PermissionDenied",
    "StopFailure",
    "TodoCreated",
    "TodoCompleted",
    "InstructionsLoaded",
  ],
  presence: {
    programs: ["qwen"],
    version: ["--version"],
    traces: ["~/.qwen/settings.json", "~/.qwen"],
    // GEMINI_PROJECT_DIR is set here too; this is its own.
    inside: ["QWEN_CODE_SESSION_ID"],
    since: "0.13.0",
    sessions: ["~/.qwen/projects/*/chats/*.jsonl"],
  },
  settings: {
    files: { user: "~/.qwen/settings.json", project: ".qwen/settings.json" },
    // It reads comments in them.
    format: "jsonc",
    at: hooksAt,
    entry: nestedEntry(1),
    commands: nestedCommands(1),
    off: [
      { file: "~/.qwen/settings.json", format: "jsonc", at: ["disableAllHooks"], is: true },
      { file: ".qwen/settings.json", format: "jsonc", at: ["disableAllHooks"], is: true },
    ],
    trust: "",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

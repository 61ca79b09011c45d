import type { Adapter, Surface } from "./_contract.ts";
import { hooksAt, nestedCommands, nestedEntry } from "./_claude-settings.ts";
import {
  blockDecision,
  exitTwo,
  noticeOnly,
  observer,
  permissionDeny,
  preToolAllow,
  preToolAsk,
  preToolDeny,
  silent,
  specific,
  stopHere,
  withContext,
} from "./_claude-wire.ts";

/** Command hooks get 600 s (vendor page), prompts 30 s and the whole SessionEnd 1.5 s (driven). */
const LONG = 600_000;

const stop = (native: string): Surface => ({
  native,
  timeout: LONG,
  // additionalContext would make the turn go on (driven), so it is not offered here.
  replies: { pass: noticeOnly, deny: blockDecision, halt: stopHere },
});

export default {
  id: "claude-code",
  aliases: ["claude"],
  title: "Claude Code",
  evidence: "proven",
  source: { url: "https://code.claude.com/docs/en/hooks", version: "2.1.325" },
  projectDir: ["CLAUDE_PROJECT_DIR"],
  // `claude --help` of 2.1.325; driven. An empty --tools leaves none. CLAUDECODE would say that it
  // runs inside itself.
  asks: {
    provider: "claude-cli",
    program: "claude",
    argv: [
      ...["-p", "--tools", "", "--output-format", "json", "--no-session-persistence"],
      ...["--strict-mcp-config", "--settings", '{"disableAllHooks":true}'],
    ],
    model: "--model",
    env: { CLAUDECODE: "" },
    answer: "result",
  },
  tools: {
    Read: { names: ["Read"], paths: ["file_path"] },
    Write: { names: ["Write"], paths: ["file_path"] },
    Edit: { names: ["Edit"], paths: ["file_path"] },
    MultiEdit: { names: ["Edit"], paths: ["file_path"] },
    NotebookEdit: { names: ["Edit"], paths: ["notebook_path"] },
    Glob: { names: ["Glob"], paths: ["path"] },
    Grep: { names: ["Grep"], paths: ["path"] },
    Task: { names: ["Agent"] },
  },
  surfaces: {
    SessionStart: {
      native: "SessionStart",
      timeout: LONG,
      replies: { pass: withContext("SessionStart") },
    },
    SessionEnd: { native: "SessionEnd", timeout: 1500, replies: { pass: silent } },
    UserPromptSubmit: {
      native: "UserPromptSubmit",
      timeout: 30_000,
      replies: { pass: withContext("UserPromptSubmit"), deny: blockDecision },
    },
    PreToolUse: {
      native: "PreToolUse",
      timeout: LONG,
      // No halt: `continue:false` lets the tool run first (driven).
      replies: {
        pass: withContext("PreToolUse"),
        allow: preToolAllow,
        rewrite: specific("PreToolUse", '"updatedInput":$I`,"additionalContext":$C`'),
        ask: preToolAsk,
        deny: preToolDeny,
      },
    },
    PermissionRequest: {
      native: "PermissionRequest",
      timeout: LONG,
      // Exit 2 is ignored here (driven); the decision must be JSON. A rewrite alone cannot be
      // said: updatedInput only travels with an allow.
      replies: {
        pass: noticeOnly,
        allow: specific("PermissionRequest", '"decision":{"behavior":"allow"`,"updatedInput":$I`}'),
        deny: permissionDeny,
      },
    },
    PostToolUse: {
      native: "PostToolUse",
      timeout: LONG,
      replies: {
        pass: withContext("PostToolUse"),
        rewrite: specific("PostToolUse", '"updatedToolOutput":$I`,"additionalContext":$C`'),
      },
    },
    PostToolUseFailure: {
      native: "PostToolUseFailure",
      timeout: LONG,
      replies: { pass: withContext("PostToolUseFailure") },
    },
    Notification: observer("Notification", LONG),
    SubagentStart: {
      native: "SubagentStart",
      timeout: LONG,
      replies: { pass: withContext("SubagentStart") },
    },
    SubagentStop: {
      ...stop("SubagentStop"),
      ignore: {
        field: "agent_type",
        is: "",
        why: "no sub-agent of the session: Claude Code's own work, such as a summary",
      },
    },
    Stop: stop("Stop"),
    PreCompact: {
      native: "PreCompact",
      timeout: LONG,
      replies: { pass: noticeOnly, deny: exitTwo },
    },
    PostCompact: observer("PostCompact", LONG),
    TaskCompleted: {
      native: "TaskCompleted",
      timeout: LONG,
      replies: { pass: noticeOnly, deny: exitTwo },
    },
  },
  observes: [
    "Setup",
    "InstructionsLoaded",
    "UserPromptExpansion",
    "PermissionDenied",
    "PostToolBatch",
    "MessageDisplay",
    "StopFailure",
    "PreModelSwitch",
    "PostModelSwitch",
    "ConfigChange",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "WorktreeRemove",
    "TaskCreated",
    "TeammateIdle",
    "Elicitation",
    "ElicitationResult",
  ],
  presence: {
    programs: ["claude"],
    version: ["--version"],
    traces: ["~/.claude/settings.json", "~/.claude", "~/.claude.json"],
    // CLAUDE_PROJECT_DIR is set by at least five other harnesses; CLAUDECODE is inherited.
    inside: ["CLAUDE_CODE_SESSION_ID"],
    // Codex sets it for the hooks of its plugins as well, and PLUGIN_ROOT beside it (driven).
    signs: [{ set: "CLAUDE_PLUGIN_ROOT", unset: "PLUGIN_ROOT" }],
    session: ["CLAUDE_CODE_SESSION_ID"],
    since: "",
    sessions: ["~/.claude/projects/*/*.jsonl"],
  },
  settings: {
    files: {
      user: "~/.claude/settings.json",
      project: ".claude/settings.json",
      local: ".claude/settings.local.json",
    },
    format: "json",
    at: hooksAt,
    entry: nestedEntry(1000),
    commands: nestedCommands(1000),
    off: [
      { file: "~/.claude/settings.json", format: "json", at: ["disableAllHooks"], is: true },
      { file: ".claude/settings.json", format: "json", at: ["disableAllHooks"], is: true },
      { file: ".claude/settings.local.json", format: "json", at: ["disableAllHooks"], is: true },
    ],
    // In -p no trust is needed; an interactive session asks for the folder once.
    trust: "accept the folder's trust dialog once, in an interactive session",
    // Codex sets both names to the same folder.
    plugin: '[ -n "$CLAUDE_PLUGIN_ROOT" ] && [ "$PLUGIN_ROOT" != "$CLAUDE_PLUGIN_ROOT" ]',
    // Driven: the nearest file decides, and without the folder nothing is called.
    plugged: {
      on: ["~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"].map(
        (file) => ({
          file,
          format: "json",
          at: ["enabledPlugins", "anyhook@anyhook"],
          is: true,
        }),
      ),
      folder: {
        file: "~/.claude/plugins/known_marketplaces.json",
        format: "json",
        at: ["anyhook", "installLocation"],
      },
    },
    skills: "~/.claude/skills",
    reload: "live",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
  // Driven: ~/.claude/projects/-home-dev-shop/<session>.jsonl
  transcripts: "${CLAUDE_CONFIG_DIR:-~/.claude}/projects/{cwd}",
} as const satisfies Adapter;

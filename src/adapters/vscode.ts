import type { Adapter, Surface } from "./_contract.ts";
import { hooksAt } from "./_claude-settings.ts";
import {
  blockDecision,
  exitTwo,
  noticeOnly,
  preToolAllow,
  preToolAsk,
  preToolDeny,
  specific,
  stopHere,
  withContext,
} from "./_claude-wire.ts";
import { type Answers, claudeAfterTool, claudeSays, type Natives } from "./_natives.ts";
import { flatCommands } from "./_flat-settings.ts";

/**
 * The Local harness of VS Code; its Copilot, Claude and Codex harnesses run the hooks of those.
 * https://code.visualstudio.com/docs/agents/reference/hooks-reference
 */
const LONG = 60_000;

const contextual = (native: string): Surface => ({
  native,
  timeout: LONG,
  replies: { pass: withContext(native) },
});

/** Copilot CLI reads the same files, and takes the casing of the event for Claude Code's form. */
const SHARED = "Copilot CLI calls it too, in another form than VS Code";

const answers: Answers = { json: "exit 0", exits: { "2": "deny" }, text: "", says: claudeSays };

const natives: Natives = {
  files: { user: ["~/.copilot/hooks/*.json"], project: [".github/hooks/*.json"] },
  shell: "bash",
  matcher: "none",
  stays: {
    SessionStart: SHARED,
    UserPromptSubmit: SHARED,
    PreToolUse: SHARED,
    PostToolUse: SHARED,
    SubagentStart: SHARED,
    SubagentStop: SHARED,
    Stop: SHARED,
    PreCompact: SHARED,
  },
  answers,
  answersAt: {
    PostToolUse: claudeAfterTool,
    Stop: {
      ...answers,
      says: {
        ...claudeSays,
        "hookSpecificOutput.decision=block": "deny",
        "hookSpecificOutput.reason": "reason",
      },
    },
  },
};

const path = { filePath: "file_path" };

export default {
  id: "vscode",
  aliases: ["vscode-local"],
  title: "VS Code agent (Local)",
  evidence: "documentation",
  source: {
    url: "https://code.visualstudio.com/docs/agents/reference/hooks-reference",
    version: "documentation of 2026-07-29",
  },
  projectDir: [],
  wire: { fields: { session_id: ["sessionId", "session_id"] } },
  tools: {
    // The names of the vendor's examples, then those of the built-in tools.
    runTerminalCommand: { names: ["Bash"] },
    run_in_terminal: { names: ["Bash"] },
    editFiles: { names: ["Edit"], paths: ["file_path[]"], input: { "files[]": "file_path" } },
    createFile: { names: ["Write"], paths: ["file_path"], input: path },
    create_file: { names: ["Write"], paths: ["file_path"], input: path },
    insert_edit_into_file: { names: ["Edit"], paths: ["file_path"], input: path },
    replace_string_in_file: {
      names: ["Edit"],
      paths: ["file_path"],
      input: { ...path, oldString: "old_string", newString: "new_string" },
    },
    multi_replace_string_in_file: {
      names: ["Edit"],
      paths: ["file_path[]"],
      input: { "replacements[].filePath": "file_path" },
    },
    edit_notebook_file: { names: ["Edit", "NotebookEdit"], paths: ["file_path"], input: path },
    apply_patch: { names: ["Edit", "Write"], patch: "command", input: { input: "command" } },
    readFile: { names: ["Read"], paths: ["file_path"], input: path },
    read_file: { names: ["Read"], paths: ["file_path"], input: path },
    file_search: { names: ["Glob"] },
    grep_search: { names: ["Grep"] },
    fetch_webpage: { names: ["WebFetch"] },
    runSubagent: { names: ["Agent"] },
  },
  surfaces: {
    SessionStart: contextual("SessionStart"),
    UserPromptSubmit: {
      native: "UserPromptSubmit",
      timeout: LONG,
      // The common output only: no context.
      replies: { pass: noticeOnly, deny: exitTwo, halt: stopHere },
    },
    PreToolUse: {
      native: "PreToolUse",
      timeout: LONG,
      remark: "a rewrite that does not fit the tool's schema is ignored by VS Code",
      replies: {
        pass: withContext("PreToolUse"),
        allow: preToolAllow,
        rewrite: specific("PreToolUse", '"updatedInput":$I`,"additionalContext":$C`'),
        ask: preToolAsk,
        deny: preToolDeny,
      },
    },
    PostToolUse: contextual("PostToolUse"),
    SubagentStart: contextual("SubagentStart"),
    SubagentStop: {
      native: "SubagentStop",
      timeout: LONG,
      replies: { pass: noticeOnly, deny: blockDecision, halt: stopHere },
    },
    Stop: {
      native: "Stop",
      timeout: LONG,
      // Here the decision stands in hookSpecificOutput, unlike at SubagentStop.
      replies: {
        pass: noticeOnly,
        deny: specific("Stop", '"decision":"block","reason":$R'),
        halt: stopHere,
      },
    },
    PreCompact: {
      native: "PreCompact",
      timeout: LONG,
      replies: { pass: noticeOnly },
    },
  },
  observes: [],
  presence: {
    programs: ["code", "code-insiders"],
    version: ["--version"],
    traces: ["~/.config/Code", "~/Library/Application Support/Code", "~/.vscode"],
    // It documents none. In its payloads the event is hookEventName, which is nobody else's, so they
    // alone tell it from the harnesses whose settings it reads.
    inside: [],
    payload: ["hookEventName"],
    since: "1.110.0",
  },
  settings: {
    files: {
      user: "~/.copilot/hooks/anyhook-vscode.json",
      project: ".github/hooks/anyhook-vscode.json",
    },
    format: "json",
    at: hooksAt,
    entry: ({ command, timeout }) => ({
      type: "command",
      command,
      timeout: Math.ceil(timeout / 1000),
    }),
    commands: flatCommands(1000),
    natives,
    // All of both folders, which are Copilot CLI's too; and it reads ours.
    alsoReads: [
      "~/.claude/settings.json",
      ".claude/settings.json",
      ".claude/settings.local.json",
      "${COPILOT_HOME:-~/.copilot}/hooks/anyhook.json",
      ".github/hooks/anyhook.json",
    ],
    trust: "trust the workspace; an organisation may have disabled hooks",
    reload: "live",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

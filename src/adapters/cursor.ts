import type { Adapter, ReplyTemplate, Surface } from "./_contract.ts";
import { hooksAt } from "./_claude-settings.ts";
import type { Answers, Natives } from "./_natives.ts";
import { silent } from "./_claude-wire.ts";
import { flatCommands, plainCommand } from "./_flat-settings.ts";

/**
 * From the bundle of @cursor/sdk 1.0.32 and https://cursor.com/docs/agent/hooks: output that is not
 * JSON, or JSON with a wrong type, blocks at a permission step; nothing at all passes as long as
 * the entry is not failClosed, which ours is not.
 */
const LONG = 60_000;
const CONTEXT = '`,"additional_context":$C`';

const says = (out: string): ReplyTemplate => ({ exit: 0, out, err: "" });
const withContext = says('{`"additional_context":$C`}');

/** Its followup_message is sent as the next prompt, five times in a row at most (loop_limit). */
const stop = (native: string): Surface => ({
  native,
  timeout: LONG,
  replies: { pass: silent, deny: says('{"followup_message":$R}') },
});

const contextual = (native: string): Surface => ({
  native,
  timeout: LONG,
  replies: { pass: withContext },
});

/** At a permission step, output that is no JSON blocks (by its source). */
const answers: Answers = {
  json: "exit 0",
  exits: { "2": "deny" },
  text: "",
  says: {
    "permission=deny": "deny",
    "permission=ask": "ask",
    "permission=allow": "allow",
    "continue=false": "deny",
    agent_message: "reason",
    user_message: "reason",
    followup_message: "holds",
    updated_input: "input",
    additional_context: "context",
  },
};

const natives: Natives = {
  shell: "bash",
  matcher: "search",
  stays: {
    SessionStart: "there it may refuse the session and set variables, which no hook here can",
    SubagentStart: "there it may refuse a sub-agent, which no hook here can",
    PostToolUse: "there it may change what an MCP tool returned, which no hook here can",
  },
  answers,
  answersAt: { PreToolUse: { ...answers, text: "deny" } },
};

export default {
  id: "cursor",
  aliases: ["cursor-agent"],
  title: "Cursor",
  evidence: "source",
  source: { url: "https://cursor.com/docs/agent/hooks", version: "@cursor/sdk 1.0.32" },
  projectDir: ["CURSOR_PROJECT_DIR"],
  wire: {
    fields: {
      session_id: ["session_id", "conversation_id"],
      cwd: ["cwd", "workspace_roots.0"],
      tool_response: ["tool_output"],
      error: ["error_message"],
      agent_id: ["subagent_id"],
      agent_type: ["subagent_type"],
    },
  },
  // An MCP tool is `MCP:<tool>` and keeps that name: the server is not said.
  tools: {
    Shell: { names: ["Bash"] },
    Read: { names: ["Read"], paths: ["file_path"] },
    // Every edit is a Write with the whole new content.
    Write: { names: ["Write", "Edit"], paths: ["file_path"] },
    Delete: { names: ["Delete"], paths: ["file_path"] },
    Grep: { names: ["Grep"], paths: ["path"], input: { file_path: "path" } },
    LS: { names: ["LS"], paths: ["file_path"] },
    WebFetch: { names: ["WebFetch"] },
    WebSearch: { names: ["WebSearch"] },
    Task: { names: ["Agent", "Task"] },
  },
  surfaces: {
    SessionStart: contextual("sessionStart"),
    SessionEnd: { native: "sessionEnd", timeout: LONG, replies: { pass: silent } },
    UserPromptSubmit: {
      native: "beforeSubmitPrompt",
      timeout: LONG,
      echoesStop: true,
      replies: { pass: withContext, deny: says('{"continue":false,"user_message":$R}') },
    },
    PreToolUse: {
      native: "preToolUse",
      timeout: LONG,
      remark: "a rewrite of an MCP tool's input can change and add members, not remove them",
      replies: {
        pass: withContext,
        allow: says(`{"permission":"allow"\`,"updated_input":$I\`${CONTEXT}}`),
        rewrite: says(`{"updated_input":$I${CONTEXT}}`),
        ask: says(
          `{"permission":"ask","user_message":$R,"agent_message":$R\`,"updated_input":$I\`${CONTEXT}}`,
        ),
        deny: says(`{"permission":"deny","user_message":$R,"agent_message":$R${CONTEXT}}`),
      },
    },
    PostToolUse: contextual("postToolUse"),
    PostToolUseFailure: contextual("postToolUseFailure"),
    SubagentStart: contextual("subagentStart"),
    SubagentStop: stop("subagentStop"),
    Stop: stop("stop"),
    PreCompact: {
      native: "preCompact",
      timeout: LONG,
      replies: { pass: says('{`"user_message":$N`}') },
    },
  },
  observes: [
    "beforeShellExecution",
    "afterShellExecution",
    "beforeMCPExecution",
    "afterMCPExecution",
    "beforeReadFile",
    "afterFileEdit",
    "beforeTabFileRead",
    "afterTabFileEdit",
    "afterAgentResponse",
    "afterAgentThought",
    "workspaceOpen",
  ],
  presence: {
    programs: ["cursor-agent", "cursor"],
    version: ["--version"],
    traces: ["~/.cursor", "~/.config/Cursor", "~/Library/Application Support/Cursor"],
    inside: ["CURSOR_VERSION"],
    payload: ["cursor_version"],
    since: "1.7.0",
  },
  settings: {
    files: { user: "~/.cursor/hooks.json", project: ".cursor/hooks.json" },
    format: "json",
    base: { version: 1 },
    at: hooksAt,
    // The payload comes as a here-document behind the command: it must be one simple command.
    entry: ({ argv, timeout }) => ({
      command: plainCommand(argv),
      timeout: Math.ceil(timeout / 1000),
    }),
    commands: flatCommands(1000),
    natives,
    alsoReads: ["~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"],
    trust: "",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

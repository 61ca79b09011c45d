import type { Adapter, ReplyTemplate, Surface } from "./_contract.ts";
import { hooksAt, nestedCommands, nestedEntry } from "./_claude-settings.ts";
import type { Natives } from "./_natives.ts";
import { noticeOnly, observer, silent, stopHere, withContext } from "./_claude-wire.ts";

/** Its default for every hook, in milliseconds (driven). */
const MINUTE = 60_000;

/**
 * Exit 2 without a word is an allow, and JSON on stdout wins over the exit code (driven): both say
 * the same, and stderr is never empty.
 */
const deny: ReplyTemplate = {
  exit: 2,
  out: '{"decision":"deny","reason":$R`,"systemMessage":$N`}',
  err: "reason",
};

/** Driven: JSON wins over the exit code, 1 is a warning, any other code with a word denies. */
const natives: Natives = {
  shell: "bash",
  matcher: "search",
  // By its source, the name or else the command; versions differ in the place.
  disabled: [
    ["hooks", "disabled"],
    ["hooksConfig", "disabled"],
  ],
  stays: {
    PostToolUse: "there it may hide the result or call another tool, which no hook here can",
  },
  answers: {
    json: "first",
    jsonOnStderr: true,
    exits: { "1": "fail", "*": "deny" },
    quiet: "pass",
    text: "notice",
    says: {
      "continue=false": "halt",
      "decision=deny": "deny",
      "decision=block": "deny",
      "decision=ask": "ask",
      "decision=allow": "allow",
      "decision=approve": "allow",
      reason: "reason",
      stopReason: "reason",
      systemMessage: "notice",
      "hookSpecificOutput.additionalContext": "context",
      "hookSpecificOutput.tool_input": "input",
      "hookSpecificOutput.clearContext": "unsaid",
    },
  },
};

const contextual = (native: string): Surface => ({
  native,
  timeout: MINUTE,
  replies: { pass: withContext(native) },
});

export default {
  id: "gemini",
  aliases: ["gemini-cli"],
  title: "Gemini CLI",
  evidence: "proven",
  source: { url: "https://geminicli.com/docs/hooks", version: "0.61.0" },
  projectDir: ["GEMINI_PROJECT_DIR"],
  wire: {
    fields: { last_assistant_message: ["prompt_response"] },
    mcp: { server: "mcp_context.server_name", tool: "mcp_context.tool_name" },
  },
  tools: {
    run_shell_command: { names: ["Bash"] },
    read_file: { names: ["Read"], paths: ["file_path"] },
    read_many_files: {
      names: ["Read"],
      input: { "include[]": "file_path" },
      paths: ["file_path[]"],
    },
    write_file: { names: ["Write"], paths: ["file_path"] },
    replace: { names: ["Edit"], paths: ["file_path"] },
    glob: { names: ["Glob"], input: { dir_path: "path" }, paths: ["path"] },
    grep_search: {
      names: ["Grep"],
      input: { dir_path: "path", include_pattern: "glob" },
      paths: ["path"],
    },
    // Its name until 0.27.
    search_file_content: {
      names: ["Grep"],
      input: { dir_path: "path", include: "glob" },
      paths: ["path"],
    },
    list_directory: { names: ["list_directory"], input: { dir_path: "path" }, paths: ["path"] },
    web_fetch: { names: ["WebFetch"] },
    google_web_search: { names: ["WebSearch"] },
    invoke_agent: { names: ["Agent"], input: { agent_name: "subagent_type" } },
  },
  surfaces: {
    SessionStart: contextual("SessionStart"),
    SessionEnd: { native: "SessionEnd", timeout: MINUTE, replies: { pass: silent } },
    UserPromptSubmit: {
      native: "BeforeAgent",
      timeout: MINUTE,
      // The reason of an AfterAgent deny comes back as a prompt (driven).
      echoesStop: true,
      replies: { pass: withContext("BeforeAgent"), deny },
    },
    PreToolUse: {
      native: "BeforeTool",
      timeout: MINUTE,
      remark: "an ask becomes a deny: without a terminal Gemini CLI waits for ever for the answer",
      // additionalContext is ignored here, and tool_input replaces the arguments (driven).
      replies: {
        pass: noticeOnly,
        rewrite: {
          exit: 0,
          out: '{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":$I}`,"systemMessage":$N`}',
          err: "",
        },
        deny,
      },
    },
    PostToolUse: {
      ...contextual("AfterTool"),
      turns: { field: "tool_response.error", into: "PostToolUseFailure" },
    },
    // Context beside an error is dropped (driven).
    PostToolUseFailure: {
      ...observer("AfterTool", MINUTE),
      remark: "the same native event, told by tool_response.error",
    },
    Notification: observer("Notification", MINUTE),
    Stop: {
      native: "AfterAgent",
      timeout: MINUTE,
      replies: { pass: noticeOnly, deny, halt: stopHere },
    },
    PreCompact: {
      ...observer("PreCompress", MINUTE),
      remark: "fires before every request to the model, whether anything is compressed or not",
    },
  },
  observes: ["BeforeModel", "AfterModel", "BeforeToolSelection"],
  presence: {
    programs: ["gemini"],
    version: ["--version"],
    traces: ["~/.gemini/settings.json", "~/.gemini"],
    inside: ["GEMINI_SESSION_ID"],
    since: "0.26.0",
    sessions: ["~/.gemini/tmp/*/chats/*.jsonl"],
  },
  settings: {
    files: { user: "~/.gemini/settings.json", project: ".gemini/settings.json" },
    // It reads comments in them.
    format: "jsonc",
    at: hooksAt,
    entry: nestedEntry(1),
    commands: nestedCommands(1),
    natives,
    off: [
      {
        file: "~/.gemini/settings.json",
        format: "jsonc",
        at: ["hooksConfig", "enabled"],
        is: false,
      },
      { file: ".gemini/settings.json", format: "jsonc", at: ["hooksConfig", "enabled"], is: false },
    ],
    trust: "trust the folder; in an untrusted one it drops all hooks, those of the user as well",
    reload: "next session",
  },
  // Exit 1 is a warning, any other code but 0 denies (driven).
  fails: { missing: "deny", crash: "allow", late: "allow" },
} as const satisfies Adapter;

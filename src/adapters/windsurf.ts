import type { Adapter } from "./_contract.ts";
import { hooksAt } from "./_claude-settings.ts";
import { exitTwoOnly } from "./_natives.ts";
import { exitTwo, silent } from "./_claude-wire.ts";
import { flatCommands, plainCommand } from "./_flat-settings.ts";

/**
 * https://docs.windsurf.com/windsurf/cascade/hooks: one event per kind of tool, no matcher, nothing
 * but exit 2 is understood. No timeout is documented.
 */
const LONG = 60_000;

/** Only events of a tool have one of these. */
const IN_TOOLS = ["command_line", "file_path", "mcp_tool_name"];

/** The tool is known by its event alone, before and after it. */
const shell = { names: ["Bash"], input: { command_line: "command" } } as const;
const read = { names: ["Read"], paths: ["file_path"] } as const;
const write = { names: ["Edit", "Write"], paths: ["file_path"] } as const;

export default {
  id: "windsurf",
  aliases: ["cascade"],
  title: "Windsurf",
  evidence: "documentation",
  source: {
    url: "https://docs.windsurf.com/windsurf/cascade/hooks",
    version: "documentation of 2026",
  },
  projectDir: [],
  wire: {
    fields: {
      session_id: ["trajectory_id"],
      cwd: ["tool_info.cwd"],
      tool_name: IN_TOOLS.map((member) => `agent_action_name?tool_info.${member}`),
      // An MCP tool's input stands one level deeper.
      tool_input: [
        "tool_info?tool_info.command_line",
        "tool_info?tool_info.file_path",
        "tool_info.mcp_tool_arguments",
      ],
      tool_response: ["tool_info.mcp_result"],
      prompt: ["tool_info.user_prompt"],
      last_assistant_message: ["tool_info.response"],
    },
    mcp: { server: "tool_info.mcp_server_name", tool: "tool_info.mcp_tool_name" },
  },
  tools: {
    pre_run_command: shell,
    post_run_command: shell,
    pre_read_code: read,
    post_read_code: read,
    pre_write_code: write,
    post_write_code: write,
  },
  surfaces: {
    UserPromptSubmit: {
      native: "pre_user_prompt",
      timeout: LONG,
      replies: { pass: silent, deny: exitTwo },
    },
    PreToolUse: {
      native: "pre_run_command",
      also: ["pre_read_code", "pre_write_code", "pre_mcp_tool_use"],
      timeout: LONG,
      replies: { pass: silent, deny: exitTwo },
    },
    PostToolUse: {
      native: "post_run_command",
      also: ["post_read_code", "post_write_code", "post_mcp_tool_use"],
      timeout: LONG,
      remark: "what a command printed is not in the payload",
      replies: { pass: silent },
    },
    Stop: {
      native: "post_cascade_response",
      timeout: LONG,
      remark: "the turn is over when it fires: nothing can hold it back",
      replies: { pass: silent },
    },
  },
  observes: ["post_cascade_response_with_transcript", "post_setup_worktree"],
  presence: {
    programs: ["windsurf"],
    version: ["--version"],
    traces: ["~/.codeium/windsurf", "~/.windsurf"],
    // It documents none.
    inside: [],
    since: "",
  },
  settings: {
    files: { user: "~/.codeium/windsurf/hooks.json", project: ".windsurf/hooks.json" },
    format: "json",
    at: hooksAt,
    entry: ({ argv }) => ({ command: plainCommand(argv), show_output: true }),
    commands: flatCommands(1000),
    natives: { shell: "bash", matcher: "none", answers: exitTwoOnly },
    trust: "",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

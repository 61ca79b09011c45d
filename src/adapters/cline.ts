import type { Adapter, ReplyTemplate, Surface } from "./_contract.ts";

/** Exit codes are ignored (driven): whatever is to be said is JSON. */
const say = (out: string): ReplyTemplate => ({ exit: 0, out, err: "" });

const withContext = say('{`"contextModification":$C`}');

/** Detached: nobody waits for these, and nothing that they say is read (driven). */
const watched = (native: string): Surface => ({
  native,
  timeout: 120_000,
  replies: { pass: say("{}") },
});

export default {
  id: "cline",
  aliases: ["cline-cli"],
  title: "Cline CLI",
  evidence: "proven",
  source: { url: "https://docs.cline.bot/features/hooks", version: "3.0.65" },
  projectDir: [],
  wire: {
    fields: {
      session_id: ["sessionContext.rootSessionId", "taskId"],
      cwd: ["workspaceRoots.0", "workspaceInfo.rootPath"],
      prompt: ["userPromptSubmit.prompt"],
      tool_name: ["tool_call.name", "tool_result.name"],
      tool_input: ["tool_call.input", "tool_result.input"],
      tool_use_id: ["tool_call.id", "tool_result.id"],
      tool_response: ["tool_result.output"],
      error: ["tool_result.error", "tool_result.output.0.error", "error"],
      last_assistant_message: ["turn.outputText"],
      // The main agent has an id too; ours says that it is a sub-agent.
      agent_id: ["agent_id?parent_agent_id"],
    },
  },
  // The schemas of its tools take many shapes, and the payload has what the model wrote.
  tools: {
    run_commands: {
      names: ["Bash"],
      // In the order of its union of schemas.
      input: {
        "commands[].command/cmd/shell_command/script+args": "command",
        "command+args[]": "command",
        command: "command",
        cmd: "command",
        shell_command: "command",
        script: "command",
        "[].command/cmd/shell_command/script+args": "command",
      },
    },
    read_files: {
      names: ["Read"],
      input: {
        "files[].path/file_path/filePath": "file_path",
        "file_paths[]": "file_path",
        "paths[]": "file_path",
        path: "file_path",
        filePath: "file_path",
        "[].path/file_path/filePath": "file_path",
      },
      paths: ["file_path[]"],
    },
    editor: {
      names: ["Edit", "Write"],
      input: { path: "file_path", old_text: "old_string", new_text: "new_string" },
      paths: ["file_path"],
    },
    apply_patch: {
      names: ["Edit", "Write"],
      input: { input: "command", "[]": "command" },
      patch: "command",
    },
    search_codebase: { names: ["Grep"], input: { "queries[]": "pattern", "[]": "pattern" } },
    fetch_web_content: { names: ["WebFetch"], input: { "requests[].url": "url" } },
    spawn_agent: { names: ["Agent"], input: { task: "prompt" } },
  },
  surfaces: {
    SessionStart: {
      ...watched("TaskStart"),
      turns: { field: "parent_agent_id", into: "SubagentStart" },
    },
    SessionEnd: {
      ...watched("SessionShutdown"),
      remark: "in a one-shot run only when it is aborted",
    },
    UserPromptSubmit: { ...watched("UserPromptSubmit"), remark: "does not fire in a one-shot run" },
    PreToolUse: {
      native: "PreToolUse",
      timeout: 120_000,
      remark:
        "a block ends the whole run, and the model is not told why; `review` is read and unused",
      replies: {
        pass: withContext,
        rewrite: say('{"overrideInput":$I`,"contextModification":$C`}'),
        halt: say('{"cancel":true,"errorMessage":$R}'),
      },
    },
    PostToolUse: {
      native: "PostToolUse",
      timeout: 120_000,
      // A tool with several parts has failed when its first part has.
      turns: {
        field: "tool_result.error|tool_result.output.0.error",
        into: "PostToolUseFailure",
      },
      replies: { pass: withContext },
    },
    PostToolUseFailure: {
      native: "PostToolUse",
      timeout: 120_000,
      remark: "the same native event, told by the error in it",
      replies: { pass: withContext },
    },
    SubagentStart: {
      ...watched("TaskStart"),
      remark: "the same native event, told by parent_agent_id",
    },
    SubagentStop: {
      ...watched("TaskComplete"),
      remark: "the same native event, told by parent_agent_id",
    },
    Stop: {
      ...watched("TaskComplete"),
      turns: { field: "parent_agent_id", into: "SubagentStop" },
    },
  },
  observes: ["TaskResume", "TaskCancel", "TaskError"],
  presence: {
    programs: ["cline"],
    version: ["--version"],
    traces: ["~/.cline"],
    // It sets nothing for its hooks (driven).
    inside: [],
    since: "3.0.0",
    sessions: ["~/.cline/data/sessions/*/*.json"],
  },
  settings: {
    files: { user: "~/.cline/hooks", project: ".cline/hooks" },
    format: "scripts",
    // One file per event, by its name without the ending; a user's own rarely end in .bash. Its
    // first line says who runs it.
    render: (calls) =>
      Object.fromEntries(
        calls.map(({ native, command }) => [`${native}.bash`, `#!/bin/sh\n${command}\n`]),
      ),
    fixed: {
      files: {
        user: ["~/.cline/hooks/*", "~/Documents/Cline/Hooks/*"],
        project: [".cline/hooks/*", ".clinerules/hooks/*"],
      },
      why: "Cline CLI finds a script by its name in that folder; there is no entry that could move",
    },
    trust: "",
    reload: "live",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

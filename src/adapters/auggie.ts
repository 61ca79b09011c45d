import type { Adapter } from "./_contract.ts";
import { hooksAt, nestedCommands, nestedEntry } from "./_claude-settings.ts";
import { type Answers, claudeSays, type Natives } from "./_natives.ts";
import { exitTwo, noticeOnly, silent, specific, withContext } from "./_claude-wire.ts";

/**
 * https://docs.augmentcode.com/cli/hooks, and the bundle of @augmentcode/auggie 0.36.0 where the
 * page is silent: exit 2 blocks at PreToolUse only, JSON counts with exit 0, a command with shell
 * words in it is run by bash.
 */
const LONG = 60_000;

/** `${NAME}` in a command is filled in before a shell sees it, unless a backslash is before it. */
const guarded = (command: string): string => command.replaceAll("${", "\\${");
const unguarded = (command: string): string => command.replaceAll("\\${", "${");

const file = { paths: ["file_path"], input: { path: "file_path" } } as const;

/** Exit 2 blocks before a tool only. */
const answers: Answers = {
  json: "exit 0",
  exits: {},
  text: "",
  says: {
    ...claudeSays,
    "hookSpecificOutput.decision=block": "deny",
    "hookSpecificOutput.reason": "reason",
  },
};

const natives: Natives = {
  shell: "bash",
  matcher: "search",
  answers,
  answersAt: {
    SessionStart: { ...answers, text: "context" },
    PreToolUse: { ...answers, exits: { "2": "deny" } },
  },
};

export default {
  id: "auggie",
  aliases: ["augment"],
  title: "Auggie",
  evidence: "documentation",
  source: { url: "https://docs.augmentcode.com/cli/hooks", version: "0.36.0" },
  projectDir: ["AUGMENT_PROJECT_DIR"],
  wire: {
    fields: {
      session_id: ["conversation_id"],
      cwd: ["workspace_roots.0"],
      tool_response: ["tool_output"],
      error: ["tool_error"],
      prompt: ["user_prompt"],
      message: ["notification_message"],
    },
  },
  tools: {
    "launch-process": { names: ["Bash"] },
    view: { names: ["Read"], ...file },
    "save-file": {
      names: ["Write"],
      paths: ["file_path"],
      input: { path: "file_path", file_content: "content" },
    },
    "str-replace-editor": {
      names: ["Edit"],
      paths: ["file_path"],
      input: { path: "file_path", old_str_1: "old_string", new_str_1: "new_string" },
    },
    "remove-files": {
      names: ["Delete"],
      paths: ["file_path[]"],
      input: { "file_paths[]": "file_path" },
    },
    "web-fetch": { names: ["WebFetch"] },
    "web-search": { names: ["WebSearch"] },
    "sub-agent-explore": { names: ["Agent"] },
    "sub-agent-plan": { names: ["Agent"] },
  },
  surfaces: {
    SessionStart: {
      native: "SessionStart",
      timeout: LONG,
      replies: { pass: withContext("SessionStart") },
    },
    SessionEnd: { native: "SessionEnd", timeout: LONG, replies: { pass: silent } },
    UserPromptSubmit: {
      native: "PromptSubmit",
      timeout: LONG,
      remark: "not on the vendor's page, only in its code: observed, not blocked",
      replies: { pass: silent },
    },
    PreToolUse: {
      native: "PreToolUse",
      timeout: LONG,
      replies: {
        pass: noticeOnly,
        rewrite: specific("PreToolUse", '"permissionDecision":"allow","updatedInput":$I'),
        deny: exitTwo,
      },
    },
    PostToolUse: {
      native: "PostToolUse",
      timeout: LONG,
      turns: { field: "tool_error", into: "PostToolUseFailure" },
      replies: { pass: withContext("PostToolUse") },
    },
    PostToolUseFailure: {
      native: "PostToolUse",
      timeout: LONG,
      remark: "the same native event, told by tool_error",
      replies: { pass: withContext("PostToolUse") },
    },
    Notification: { native: "Notification", timeout: LONG, replies: { pass: noticeOnly } },
    Stop: {
      native: "Stop",
      timeout: LONG,
      replies: {
        pass: noticeOnly,
        deny: specific("Stop", '"decision":"block","reason":$R'),
      },
    },
  },
  observes: [],
  presence: {
    programs: ["auggie"],
    version: ["--version"],
    traces: ["~/.augment"],
    inside: ["AUGMENT_HOOK_EVENT"],
    since: "",
  },
  settings: {
    files: {
      user: "~/.augment/settings.json",
      project: ".augment/settings.json",
      local: ".augment/settings.local.json",
    },
    format: "json",
    at: hooksAt,
    entry: (call) => nestedEntry(1)({ ...call, command: guarded(call.command) }),
    commands: (entry) =>
      nestedCommands(1)(entry).map((one) => ({ ...one, command: unguarded(one.command) })),
    natives,
    trust: "",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

import type { Adapter } from "./_contract.ts";
import type { Json, NativeCommand } from "./_settings.ts";
import { membersOf, textOf } from "./_claude-settings.ts";
import { exitTwoOnly, type Natives } from "./_natives.ts";
import { exitTwo, silent } from "./_claude-wire.ts";

/**
 * https://kiro.dev/docs/cli/v3/hooks: a hooks file of CLI 3.0 and IDE 1.0. Exit 2 blocks at
 * PreToolUse and UserPromptSubmit; what is printed at SessionStart and UserPromptSubmit is added
 * to the context as it is.
 */
const LONG = 60_000;
const printed = { exit: 0, out: '{`"context":$C`}', err: "" } as const;
const observed = (native: string) =>
  ({ native, timeout: LONG, replies: { pass: silent } }) as const;

const shell = { names: ["Bash"] } as const;
const read = { names: ["Read"], paths: ["file_path"], input: { path: "file_path" } } as const;
// Several reads in one call, or one.
const reads = {
  names: ["Read"],
  paths: ["file_path[]"],
  input: { "operations[].path": "file_path", path: "file_path" },
} as const;
const write = {
  names: ["Write", "Edit"],
  paths: ["file_path"],
  input: { path: "file_path", file_text: "content", old_str: "old_string", new_str: "new_string" },
} as const;

const natives: Natives = {
  files: { user: ["${KIRO_HOME:-~/.kiro}/hooks/*.json"], project: [".kiro/hooks/*.json"] },
  shell: "bash",
  // Its page names `@server/tool` and categories of tools beside names.
  matcher: "names",
  answers: { ...exitTwoOnly, exits: {} },
  answersAt: {
    SessionStart: { ...exitTwoOnly, exits: {}, text: "context" },
    UserPromptSubmit: { ...exitTwoOnly, text: "context" },
    PreToolUse: exitTwoOnly,
  },
};

export default {
  id: "kiro",
  aliases: ["kiro-cli"],
  title: "Kiro",
  evidence: "documentation",
  source: { url: "https://kiro.dev/docs/cli/v3/hooks/", version: "documentation of CLI 3.0" },
  projectDir: [],
  wire: { fields: {} },
  // An MCP tool is `@<server>/<tool>` and keeps that name.
  tools: {
    shell,
    execute_bash: shell,
    read,
    fs_read: reads,
    write,
    fs_write: write,
    str_replace: write,
    glob: { names: ["Glob"], paths: ["path"] },
    grep: { names: ["Grep"], paths: ["path"] },
    web_fetch: { names: ["WebFetch"] },
    web_search: { names: ["WebSearch"] },
    subagent: { names: ["Agent"] },
  },
  surfaces: {
    SessionStart: { native: "SessionStart", timeout: LONG, replies: { pass: printed } },
    UserPromptSubmit: {
      native: "UserPromptSubmit",
      timeout: LONG,
      replies: { pass: printed, deny: exitTwo },
    },
    PreToolUse: {
      native: "PreToolUse",
      timeout: LONG,
      replies: { pass: silent, deny: exitTwo },
    },
    PostToolUse: observed("PostToolUse"),
    Stop: {
      ...observed("Stop"),
      remark: "it cannot be held back",
    },
  },
  observes: ["PreTaskExec", "PostTaskExec", "PostFileCreate", "PostFileSave", "PostFileDelete"],
  presence: {
    programs: ["kiro-cli", "kiro"],
    version: ["--version"],
    traces: ["${KIRO_HOME:-~/.kiro}"],
    // It documents none.
    inside: [],
    since: "3.0.0",
  },
  settings: {
    files: {
      user: "${KIRO_HOME:-~/.kiro}/hooks/anyhook.json",
      project: ".kiro/hooks/anyhook.json",
    },
    format: "json",
    base: { version: "v1" },
    // One list for all events; the entry says which.
    at: () => ["hooks"],
    entry: ({ native, command, timeout }) => ({
      name: `anyhook ${native}`,
      trigger: native,
      action: { type: "command", command },
      timeout: Math.ceil(timeout / 1000),
      enabled: true,
    }),
    commands: (entry: Json): readonly NativeCommand[] => {
      const { action, matcher, timeout, ...rest } = membersOf(entry);
      const { command } = membersOf(action);
      if (typeof command !== "string") return [];
      return [
        {
          command,
          matcher: typeof matcher === "string" ? matcher : "",
          ...(typeof timeout === "number" ? { timeout: timeout * 1000 } : {}),
          rest,
        },
      ];
    },
    eventOf: (entry: Json): string => textOf(membersOf(entry)["trigger"]),
    natives,
    trust: "",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

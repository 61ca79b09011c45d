import type { Adapter } from "./_contract.ts";
import type { Call } from "./_settings.ts";
import { hooksAt, nestedCommands, nestedEntry } from "./_claude-settings.ts";
import { type Answers, exitTwoOnly, type Natives } from "./_natives.ts";
import { exitTwo, silent } from "./_claude-wire.ts";

/**
 * https://goose-docs.ai/docs/guides/context-engineering/hooks: hooks live in a plugin folder. Only
 * PreToolUse and Stop can block. Standard output is the channel of the decision, and anything but
 * one reads as "no decision": so nothing is ever printed there.
 */
const LONG = 60_000;
const observed = (native: string) =>
  ({ native, timeout: LONG, replies: { pass: silent } }) as const;

/** No matcher: "*" is no regular expression, and a rule with one is skipped without a word. */
function pluginFolder(calls: readonly Call[]): Readonly<Record<string, string>> {
  const hooks = Object.fromEntries(calls.map((call) => [call.native, [nestedEntry(1000)(call)]]));
  const plugin = {
    name: "anyhook",
    version: "1.0.0",
    description: "Calls anyhook. Written by anyhook install; do not edit.",
  };
  return {
    "plugin.json": `${JSON.stringify(plugin, null, 2)}\n`,
    "hooks/hooks.json": `${JSON.stringify({ hooks }, null, 2)}\n`,
  };
}

const blocks: Answers = {
  ...exitTwoOnly,
  json: "exit 0",
  says: { "decision=block": "deny", reason: "reason" },
};

const natives: Natives = {
  files: {
    user: ["~/.agents/plugins/*/hooks/hooks.json"],
    project: [".agents/plugins/*/hooks/hooks.json"],
  },
  form: { format: "json", at: hooksAt, commands: nestedCommands(1000) },
  shell: "bash",
  matcher: "search",
  dead: "*",
  variables: ["PLUGIN_ROOT"],
  answers: { ...exitTwoOnly, exits: {} },
  answersAt: { PreToolUse: blocks, Stop: blocks },
};

export default {
  id: "goose",
  aliases: [],
  title: "Goose",
  evidence: "documentation",
  source: {
    url: "https://github.com/block/goose/blob/main/documentation/docs/guides/context-engineering/hooks.md",
    version: "documentation of main, 2026",
  },
  projectDir: [],
  wire: {
    fields: {
      cwd: ["working_dir", "cwd"],
      tool_use_id: ["tool_call_id"],
      prompt: ["message"],
    },
  },
  // Tools of other extensions are `<extension>__<tool>` and keep that name.
  tools: {
    developer__shell: { names: ["Bash"] },
    developer__write: { names: ["Write"], paths: ["file_path"], input: { path: "file_path" } },
    developer__edit: {
      names: ["Edit"],
      paths: ["file_path"],
      input: { path: "file_path", before: "old_string", after: "new_string" },
    },
    developer__text_editor: {
      names: ["Edit", "Write"],
      paths: ["file_path"],
      input: { path: "file_path" },
    },
    developer__tree: { names: ["LS"], paths: ["path"] },
    developer__read_image: {
      names: ["Read"],
      paths: ["file_path"],
      input: { source: "file_path" },
    },
  },
  surfaces: {
    SessionStart: observed("SessionStart"),
    SessionEnd: observed("SessionEnd"),
    UserPromptSubmit: { ...observed("UserPromptSubmit"), remark: "a prompt cannot be blocked" },
    PreToolUse: {
      native: "PreToolUse",
      timeout: LONG,
      replies: { pass: silent, deny: exitTwo },
    },
    PostToolUse: observed("PostToolUse"),
    PostToolUseFailure: observed("PostToolUseFailure"),
    Stop: {
      native: "Stop",
      timeout: LONG,
      remark: "Goose lets the turn end after some blocks in a row (GOOSE_STOP_HOOK_BLOCK_CAP)",
      replies: { pass: silent, deny: exitTwo },
    },
  },
  observes: [
    "PreToolUseResult",
    "BeforeReadFile",
    "AfterFileEdit",
    "BeforeShellExecution",
    "AfterShellExecution",
  ],
  presence: {
    programs: ["goose"],
    version: ["--version"],
    traces: ["${XDG_CONFIG_HOME:-~/.config}/goose", "${XDG_DATA_HOME:-~/.local/share}/goose"],
    // PLUGIN_ROOT, the only one, is not its own.
    inside: [],
    since: "1.38.0",
  },
  settings: {
    files: { user: "~/.agents/plugins/anyhook", project: ".agents/plugins/anyhook" },
    format: "scripts",
    render: pluginFolder,
    natives,
    trust: "",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

import type { Adapter, Surface } from "./_contract.ts";
import type { Json } from "./_settings.ts";
import { membersOf, textOf } from "./_claude-settings.ts";
import { claudeSays, type Natives } from "./_natives.ts";
import { exitTwo, silent } from "./_claude-wire.ts";
import { flatCommands } from "./_flat-settings.ts";

/**
 * https://moonshotai.github.io/kimi-cli/en/customization/hooks.html (beta) and the page on agents for
 * the inputs of the tools. This is the Kimi CLI that keeps its settings in ~/.kimi; its successor
 * Kimi Code (~/.kimi-code) has the same program name and other tools, and is not this harness.
 *
 * The page says that stdout with exit 0 is added to the context, without saying where; a report for
 * 1.43.0 (MoonshotAI/kimi-cli#2304) says that it is thrown away at UserPromptSubmit. So no surface
 * offers context here.
 */
const DEFAULT = 30_000;

const observed = (native: string): Surface => ({
  native,
  timeout: DEFAULT,
  replies: { pass: silent },
});

/** The page says that exit 2 blocks, but not where; its examples are a tool and a stop. */
const unsure = (native: string): Surface => ({
  ...observed(native),
  remark: "the vendor's page does not say whether it can be held back: observed only",
});

/** A prompt too: MoonshotAI/kimi-cli#2304 says so where the page has no example. */
const blocked = (native: string): Surface => ({
  native,
  timeout: DEFAULT,
  replies: { pass: silent, deny: exitTwo },
});

/** The page on agents says `path`; the examples on the page on hooks say `file_path`, which stays. */
const file = { paths: ["file_path"], input: { path: "file_path" } } as const;

const PRINTED =
  "what it prints is added to the context there, which no hook here can do in Kimi CLI";

const natives: Natives = {
  shell: "bash",
  matcher: "search",
  stays: { SessionStart: PRINTED, UserPromptSubmit: PRINTED },
  answers: { json: "exit 0", exits: { "2": "deny" }, text: "", says: claudeSays },
};

export default {
  id: "kimi",
  aliases: ["kimi-cli"],
  title: "Kimi CLI",
  evidence: "documentation",
  source: {
    url: "https://moonshotai.github.io/kimi-cli/en/customization/hooks.html",
    version: "documentation of main, 2026",
  },
  projectDir: [],
  wire: {
    fields: {
      tool_use_id: ["tool_call_id"],
      tool_response: ["tool_output"],
      agent_type: ["agent_name"],
      message: ["body"],
    },
  },
  // How tools of MCP servers are named is not documented.
  tools: {
    Shell: { names: ["Bash"] },
    ReadFile: { names: ["Read"], ...file },
    ReadMediaFile: { names: ["Read"], ...file },
    WriteFile: { names: ["Write"], ...file },
    // `edit` is one edit {old, new} or a list of them, and stays as it is.
    StrReplaceFile: { names: ["Edit"], ...file },
    Glob: { names: ["Glob"], paths: ["path"], input: { directory: "path" } },
    Grep: { names: ["Grep"], paths: ["path"] },
    SearchWeb: { names: ["WebSearch"] },
    FetchURL: { names: ["WebFetch"] },
  },
  surfaces: {
    SessionStart: observed("SessionStart"),
    SessionEnd: observed("SessionEnd"),
    UserPromptSubmit: {
      ...blocked("UserPromptSubmit"),
      remark: "no context: the vendor's page promises it, users report that it is thrown away",
    },
    PreToolUse: blocked("PreToolUse"),
    PostToolUse: observed("PostToolUse"),
    PostToolUseFailure: observed("PostToolUseFailure"),
    Notification: observed("Notification"),
    SubagentStart: observed("SubagentStart"),
    SubagentStop: unsure("SubagentStop"),
    Stop: { ...blocked("Stop"), remark: "it can be held back once per turn" },
    PreCompact: unsure("PreCompact"),
    PostCompact: observed("PostCompact"),
  },
  observes: ["StopFailure"],
  presence: {
    programs: ["kimi"],
    version: ["--version"],
    traces: ["${KIMI_SHARE_DIR:-~/.kimi}"],
    // It documents none.
    inside: [],
    // Its list of changes has hooks after 1.27.0.
    since: "1.28.0",
  },
  settings: {
    // There is no file for a project.
    files: { user: "${KIMI_SHARE_DIR:-~/.kimi}/config.toml" },
    format: "toml",
    // One list for all events; the entry says which. No matcher: all tools. A client that has written
    // the file itself leaves `hooks = []` there (src/kimi_cli/config.py), which must become this list.
    at: () => ["hooks"],
    entry: ({ native, command, timeout }) => ({
      event: native,
      command,
      timeout: Math.ceil(timeout / 1000),
    }),
    commands: flatCommands(1000),
    natives,
    eventOf: (entry: Json): string => textOf(membersOf(entry)["event"]),
    trust: "",
    reload: "next session",
  },
  // "All hook execution failures (timeouts, crashes, regex errors) are treated as allow"; a command
  // that is missing ends with another code than 2.
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

import type { Adapter, Surface } from "./_contract.ts";
import { hooksAt, nestedCommands, nestedEntry } from "./_claude-settings.ts";
import {
  exitTwo,
  noticeOnly,
  observer,
  permissionDeny,
  silent,
  specific,
  stopHere,
  withContext,
} from "./_claude-wire.ts";

/**
 * Codex reads Claude's forms through strict schemas: one unknown field and the whole output is
 * dropped, a bare allow or an ask is a failure, exit 2 needs a reason on stderr and drops the
 * JSON (all driven; the schemas stand in test/fixtures/codex/schemas).
 */
const LONG = 600_000;

const stop = (native: string): Surface => ({
  native,
  timeout: LONG,
  replies: { pass: noticeOnly, deny: exitTwo, halt: stopHere },
});

const contextual = (native: string): Surface => ({
  native,
  timeout: LONG,
  replies: { pass: withContext(native) },
});

export default {
  id: "codex",
  aliases: ["codex-cli"],
  title: "Codex CLI",
  evidence: "proven",
  source: { url: "https://developers.openai.com/codex/hooks", version: "0.166.0" },
  // Codex sets no variable at all for its hooks (driven).
  projectDir: [],
  tools: {
    // Its own matchers let Edit and Write hit apply_patch (driven).
    apply_patch: { names: ["Edit", "Write"], patch: "command" },
    exec_command: { names: ["Bash"] },
    spawn_agent: { names: ["Agent"] },
    view_image: { names: ["Read"], paths: ["path"] },
  },
  surfaces: {
    SessionStart: contextual("SessionStart"),
    SessionEnd: { native: "SessionEnd", timeout: 1000, replies: { pass: silent } },
    UserPromptSubmit: {
      native: "UserPromptSubmit",
      timeout: LONG,
      replies: { pass: withContext("UserPromptSubmit"), deny: exitTwo },
    },
    PreToolUse: {
      native: "PreToolUse",
      timeout: LONG,
      replies: {
        pass: withContext("PreToolUse"),
        rewrite: specific(
          "PreToolUse",
          '"permissionDecision":"allow","updatedInput":$I`,"additionalContext":$C`',
        ),
        deny: exitTwo,
      },
    },
    PermissionRequest: {
      native: "PermissionRequest",
      timeout: LONG,
      replies: {
        pass: noticeOnly,
        allow: specific("PermissionRequest", '"decision":{"behavior":"allow"}'),
        deny: permissionDeny,
      },
    },
    PostToolUse: contextual("PostToolUse"),
    SubagentStart: contextual("SubagentStart"),
    SubagentStop: stop("SubagentStop"),
    Stop: stop("Stop"),
    // By schema only: compaction can be stopped, not denied.
    PreCompact: {
      native: "PreCompact",
      timeout: LONG,
      replies: { pass: noticeOnly, halt: stopHere },
    },
    PostCompact: observer("PostCompact", LONG),
  },
  observes: ["Interrupt"],
  presence: {
    programs: ["codex"],
    version: ["--version"],
    traces: ["${CODEX_HOME:-~/.codex}/config.toml", "${CODEX_HOME:-~/.codex}"],
    // It sets nothing for its hooks (driven).
    inside: [],
    since: "0.115.0",
  },
  settings: {
    files: { user: "${CODEX_HOME:-~/.codex}/hooks.json", project: ".codex/hooks.json" },
    format: "json",
    at: hooksAt,
    entry: nestedEntry(1000),
    commands: nestedCommands(1000),
    off: [
      {
        file: "${CODEX_HOME:-~/.codex}/config.toml",
        format: "toml",
        at: ["features", "hooks"],
        is: false,
      },
      { file: ".codex/config.toml", format: "toml", at: ["features", "hooks"], is: false },
    ],
    trust: "trust the hook: /hooks inside Codex, or let install write its hash",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

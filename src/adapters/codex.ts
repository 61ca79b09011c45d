import type { Adapter, Surface } from "./_contract.ts";
import type { Json, TrustedEntry } from "./_settings.ts";
import { hooksAt, membersOf, nestedCommands, nestedEntry } from "./_claude-settings.ts";
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
  // `codex exec --help` and `codex features list` of 0.166.0; driven: no shell, no web, no hooks.
  asks: {
    provider: "codex-cli",
    program: "codex",
    argv: [
      ...["exec", "--skip-git-repo-check", "--ephemeral", "--sandbox", "read-only"],
      ...["shell_tool", "unified_exec", "hooks", "multi_agent", "goals", "view_image"].flatMap(
        (feature) => ["-c", `features.${feature}=false`],
      ),
      ...["-c", 'web_search="disabled"', "--color", "never"],
    ],
    model: "--model",
    env: {},
    answer: "text",
  },
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
    signs: [{ set: "CODEX_HOME" }],
    session: ["CODEX_THREAD_ID"],
    since: "0.115.0",
    sessions: ["${CODEX_HOME:-~/.codex}/sessions/*/*/*/*.jsonl"],
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
    trust: "trust them with /hooks inside Codex",
    trusted: {
      file: "${CODEX_HOME:-~/.codex}/config.toml",
      prefix: "sha256:",
      at: ({ file, native, group, handler }) => [
        ...["hooks", "state"],
        `${file}:${snake(native)}:${group}:${handler}`,
        "trusted_hash",
      ],
      text: hashedText,
    },
    // A plugin's hook gets PLUGIN_ROOT and, for Claude's sake, CLAUDE_PLUGIN_ROOT (driven); others
    // set the second only, or inherit a first that is not theirs.
    plugin: '[ -n "$PLUGIN_ROOT" ] && [ "$PLUGIN_ROOT" = "$CLAUDE_PLUGIN_ROOT" ]',
    plugged: {
      on: [
        {
          file: "${CODEX_HOME:-~/.codex}/config.toml",
          format: "toml",
          at: ["plugins", "anyhook@anyhook", "enabled"],
          is: true,
        },
      ],
      folder: "${CODEX_HOME:-~/.codex}/plugins/cache/anyhook/anyhook/*",
      // Driven: with the hash of the entry as it stands in the plugin's file.
      trustedAs: "anyhook@anyhook:hooks/hooks.json",
      // Driven: a hash of all its files stands beside, and with another file it calls nothing.
      remark: "it trusts the plugin as it is: after an update trust it again with /hooks",
    },
    skills: "${CODEX_HOME:-~/.codex}/skills",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
  // Driven: ~/.codex/sessions/2026/11/15/rollout-<time>-<session>.jsonl
  transcripts: "${CODEX_HOME:-~/.codex}/sessions",
} as const satisfies Adapter;

const snake = (native: string): string =>
  native.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();

/** Compact JSON, keys sorted, defaults filled in (driven: equal to the client's own hashes). */
function hashedText({ native, handler, entry }: TrustedEntry): string {
  const { matcher, hooks } = membersOf(entry);
  const given = membersOf((hooks as readonly Json[] | undefined)?.[handler]);
  const { command, timeout, statusMessage } = given;
  const defaults = native === "SessionEnd" || native === "Interrupt" ? 1 : 600;
  return JSON.stringify({
    event_name: snake(native),
    hooks: [
      {
        async: given["async"] ?? false,
        command,
        ...(statusMessage === undefined ? {} : { statusMessage }),
        timeout: timeout ?? defaults,
        type: "command",
      },
    ],
    ...(matcher === undefined ? {} : { matcher }),
  });
}

import type { Adapter, ReplyTemplate, Surface } from "./_contract.ts";
import { membersOf } from "./_claude-settings.ts";
import { flatCommands } from "./_flat-settings.ts";
import type { Answers, Natives } from "./_natives.ts";

/**
 * The casing of the event's key selects both the payload and the words that are understood (driven).
 * We register its own, camelCase; the same entry in Claude Code's settings reaches it in Claude's
 * form. So payloads of both forms are read, and every reply says it in both.
 */
const HALF_MINUTE = 30_000;

const say = (out: string): ReplyTemplate => ({ exit: 0, out, err: "" });

/** Flat members for its own form, hookSpecificOutput for Claude's. */
const both = (event: string, flat: string, claude: string): string =>
  `{${flat},"hookSpecificOutput":{"hookEventName":"${event}",${claude}}}`;

const withContext = (event: string): ReplyTemplate =>
  say(
    `{\`"additionalContext":$C,"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":$C}\`}`,
  );

const silent = say("{}");

/** Exit 2 does not block a prompt or a stop, and its stderr is nobody's (driven). */
const block = say('{"decision":"block","reason":$R}');

const decision = (word: string): string =>
  `"permissionDecision":"${word}","permissionDecisionReason":$R`;

const INPUT = { flat: '`,"modifiedArgs":$I`', claude: '`,"updatedInput":$I`' };
const CONTEXT = '`,"additionalContext":$C`';

const preTool = (word: string): string =>
  both(
    "PreToolUse",
    `${decision(word)}${INPUT.flat}${CONTEXT}`,
    `${decision(word)}${INPUT.claude}${CONTEXT}`,
  );

const at = (native: string, replies: Surface["replies"]): Surface => ({
  native,
  timeout: HALF_MINUTE,
  replies,
});

const permission = (behaviour: string): string =>
  both("PermissionRequest", behaviour, `"decision":{${behaviour}}`);

/** Driven: at preToolUse every exit code but 0 denies, elsewhere none does. */
const answers: Answers = {
  json: "any exit",
  exits: {},
  text: "",
  says: { "decision=block": "deny", reason: "reason", additionalContext: "context" },
};

const natives: Natives = {
  files: {
    user: ["${COPILOT_HOME:-~/.copilot}/hooks/*.json", "${COPILOT_HOME:-~/.copilot}/settings.json"],
    project: [".github/hooks/*.json", ".github/copilot/settings.json"],
    local: [".github/copilot/settings.local.json"],
  },
  shell: "bash",
  matcher: "whole",
  stays: {
    UserPromptSubmit: "there it may change the prompt, which no hook here can",
    PostToolUse: "there it may change the result, which no hook here can",
  },
  answers,
  answersAt: {
    PreToolUse: {
      json: "any exit",
      exits: { "*": "deny" },
      text: "",
      says: {
        "permissionDecision=deny": "deny",
        "permissionDecision=ask": "ask",
        "permissionDecision=allow": "allow",
        permissionDecisionReason: "reason",
        modifiedArgs: "input",
        additionalContext: "context",
      },
    },
    PermissionRequest: {
      ...answers,
      says: { "behavior=allow": "allow", "behavior=deny": "deny", message: "reason" },
    },
  },
};

export default {
  id: "copilot",
  aliases: ["copilot-cli"],
  title: "GitHub Copilot CLI",
  evidence: "proven",
  source: {
    url: "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference",
    version: "1.0.102",
  },
  projectDir: ["COPILOT_PROJECT_DIR"],
  wire: {
    fields: {
      // A sub-agent's own id stands where its session's should.
      session_id: ["parent_agent_id", "parentAgentId", "session_id", "sessionId"],
      transcript_path: ["transcript_path", "transcriptPath"],
      tool_name: ["tool_name", "toolName"],
      tool_input: ["tool_input", "toolArgs", "toolInput"],
      tool_response: ["tool_result", "toolResult"],
      stop_reason: ["stop_reason", "stopReason"],
      last_assistant_message: ["last_assistant_message", "response"],
      agent_id: ["agent_id", "agentId"],
      agent_type: ["agent_type", "agentType"],
      custom_instructions: ["custom_instructions", "customInstructions"],
    },
  },
  tools: {
    bash: { names: ["Bash"] },
    powershell: { names: ["Bash"] },
    // Keys pressed in a shell that runs already.
    write_bash: { names: ["Bash"], input: { input: "command" } },
    view: { names: ["Read"], input: { path: "file_path" }, paths: ["file_path"] },
    Read: { names: ["Read"], input: { path: "file_path" }, paths: ["file_path"] },
    create: {
      names: ["Write"],
      input: { path: "file_path", file_text: "content" },
      paths: ["file_path"],
    },
    Write: {
      names: ["Write"],
      input: { path: "file_path", file_text: "content" },
      paths: ["file_path"],
    },
    edit: {
      names: ["Edit"],
      input: { path: "file_path", old_str: "old_string", new_str: "new_string" },
      paths: ["file_path"],
    },
    Edit: {
      names: ["Edit"],
      input: { path: "file_path", old_str: "old_string", new_str: "new_string" },
      paths: ["file_path"],
    },
    str_replace_editor: {
      names: ["Edit", "Write"],
      input: { path: "file_path", old_str: "old_string", new_str: "new_string" },
      paths: ["file_path"],
    },
    apply_patch: { names: ["Edit", "Write"], input: { input: "command" }, patch: "command" },
    glob: { names: ["Glob"], paths: ["path"] },
    grep: { names: ["Grep"], paths: ["path"] },
    rg: { names: ["Grep"], paths: ["path"] },
    web_fetch: { names: ["WebFetch"] },
    web_search: { names: ["WebSearch"] },
    task: { names: ["Agent"], input: { agent_type: "subagent_type" } },
    Agent: { names: ["Agent"], input: { agent_type: "subagent_type" } },
  },
  surfaces: {
    SessionStart: at("sessionStart", { pass: withContext("SessionStart") }),
    SessionEnd: at("sessionEnd", { pass: silent }),
    UserPromptSubmit: {
      ...at("userPromptSubmitted", { pass: withContext("UserPromptSubmit"), deny: block }),
      // The reason of an agentStop block comes back as a prompt (driven).
      echoesStop: true,
      ignore: { field: "agent_id", why: "not the user's words: the task of a sub-agent" },
      remark: "a block ends a one-shot run with exit 1",
    },
    PreToolUse: {
      ...at("preToolUse", {
        pass: withContext("PreToolUse"),
        allow: say(preTool("allow").replaceAll(',"permissionDecisionReason":$R', "")),
        rewrite: say(
          both("PreToolUse", `"modifiedArgs":$I${CONTEXT}`, `"updatedInput":$I${CONTEXT}`),
        ),
        ask: say(preTool("ask")),
        // Any exit code but 0 denies; the reason is read from the JSON only (driven).
        deny: {
          exit: 2,
          out: both("PreToolUse", `${decision("deny")}${CONTEXT}`, `${decision("deny")}${CONTEXT}`),
          err: "reason",
        },
      }),
      remark: "an allow skips its own question; an ask in a one-shot run is a refusal",
    },
    PermissionRequest: at("permissionRequest", {
      pass: silent,
      allow: say(permission('"behavior":"allow"')),
      deny: say(permission('"behavior":"deny","message":$R')),
    }),
    PostToolUse: {
      ...at("postToolUse", { pass: withContext("PostToolUse") }),
      remark: "a command with an exit code other than 0 is a success here",
    },
    PostToolUseFailure: at("postToolUseFailure", { pass: withContext("PostToolUseFailure") }),
    Notification: at("notification", { pass: silent }),
    SubagentStart: at("subagentStart", { pass: withContext("SubagentStart") }),
    SubagentStop: at("subagentStop", { pass: silent, deny: block }),
    Stop: {
      ...at("agentStop", { pass: silent, deny: block }),
      ignore: { field: "agent_id", why: "the stop of a sub-agent, for which subagentStop follows" },
    },
    PreCompact: at("preCompact", { pass: silent }),
  },
  observes: [
    "preMcpToolCall",
    "userPromptTransformed",
    "postResult",
    "prePRDescription",
    "errorOccurred",
  ],
  presence: {
    programs: ["copilot"],
    version: ["--version"],
    traces: ["${COPILOT_HOME:-~/.copilot}/config.json", "${COPILOT_HOME:-~/.copilot}"],
    inside: ["COPILOT_CLI"],
    // Claude Code's payloads have none; a Claude Code inside a Copilot shell inherits the variable.
    payload: ["timestamp"],
    since: "0.0.396",
    sessions: ["${COPILOT_HOME:-~/.copilot}/session-state/*/events.jsonl"],
  },
  settings: {
    files: {
      user: "${COPILOT_HOME:-~/.copilot}/hooks/anyhook.json",
      project: ".github/hooks/anyhook.json",
    },
    format: "json",
    base: { version: 1 },
    at: (native) => ["hooks", native],
    entry: ({ command, timeout }) => ({
      type: "command",
      bash: command,
      timeoutSec: Math.ceil(timeout / 1000),
    }),
    commands: (entry) => {
      const { bash, command, timeoutSec, timeout, ...rest } = membersOf(entry);
      const written = { command: bash ?? command ?? null, timeout: timeoutSec ?? timeout ?? null };
      return flatCommands(1000)({ ...rest, ...written });
    },
    natives,
    off: [],
    alsoReads: [".claude/settings.json", ".claude/settings.local.json"],
    trust:
      "trust the folder in an interactive session; hooks of an untrusted repository are skipped without a word",
    reload: "next session",
  },
  fails: { missing: "deny", crash: "deny", late: "allow" },
} as const satisfies Adapter;

import type { Adapter } from "./_contract.ts";
import {
  pluginDeny,
  pluginDenyOnly,
  pluginObserves,
  pluginPass,
  pluginRewrite,
  pluginRewriteOnly,
  pluginSurface,
  renderPlugin,
} from "./_plugin.ts";

/** Pi waits for an extension for ever (source), so the patience is ours. */
const LONG = 120_000;

/**
 * An extension (docs/extensions.md of the package, driven): handlers run one after the other and
 * are awaited; a throw in tool_call blocks the tool, so nothing here may throw by accident;
 * `event.input` is changed in place.
 */
const EXTENSION = String.raw`
export default function (pi) {
  let waiting = [], session = {};
  // A context throws at every touch once its session is over (driven); the last words still count.
  const about = (ctx) => {
    try {
      session = {
        session_id: ctx.sessionManager.getSessionId(),
        transcript_path: ctx.sessionManager.getSessionFile() ?? "", cwd: ctx.cwd,
      };
    } catch {}
    return session;
  };
  const busy = (ctx) => {
    try { return !ctx.isIdle(); } catch { return false; }
  };
  const call = (native, event, ctx, more) => {
    const tell = (message) =>
      ctx.hasUI ? ctx.ui.notify(message, "warning") : process.stderr.write(message + "\n");
    return ask(native, { ...about(ctx), hook_event_name: event, ...more }, tell)
      .then((reply) => ({ ...reply, tell }));
  };
  const on = (native, run) => {
    if (CALLS[native]) pi.on(native, run);
  };
  const text = (content) => (typeof content === "string" ? content
    : (content ?? []).map((part) => part.text ?? "").join(""));
  const sources = { new: "clear", resume: "resume", fork: "resume" };

  on("session_start", async (event, ctx) => {
    const reply = await call("session_start", "SessionStart", ctx, {
      source: sources[event.reason] ?? "startup", reason: event.reason,
    });
    if (reply.context) waiting.push(reply.context);
  });
  on("session_shutdown", async (event, ctx) => {
    await call("session_shutdown", "SessionEnd", ctx, { reason: event.reason });
  });
  on("input", async (event, ctx) => {
    // What another extension sends is not the user's prompt.
    if (event.source === "extension") return;
    const reply = await call("input", "UserPromptSubmit", ctx, { prompt: event.text });
    if (reply.decision === "deny") {
      say(reply.tell, reasonOf(reply));
      return { action: "handled" };
    }
    if (!reply.context) return;
    // A prompt into a running turn has no before_agent_start of its own.
    if (busy(ctx))
      return { action: "transform", text: event.text + "\n\n" + reply.context };
    waiting.push(reply.context);
  });
  pi.on("before_agent_start", async () => {
    if (waiting.length === 0) return;
    const content = waiting.join("\n\n");
    waiting = [];
    return { message: { customType: "anyhook", content, display: true } };
  });
  on("tool_call", async (event, ctx) => {
    const reply = await call("tool_call", "PreToolUse", ctx, {
      tool_name: event.toolName, tool_input: event.input ?? {}, tool_use_id: event.toolCallId,
    });
    if (reply.decision === "deny") return { block: true, reason: reasonOf(reply) };
    fillIn(event.input, reply.input);
  });
  pi.on("tool_result", async (event, ctx) => {
    const reply = await call(event.isError ? "tool_result.error" : "tool_result",
      event.isError ? "PostToolUseFailure" : "PostToolUse", ctx, {
        tool_name: event.toolName, tool_input: event.input ?? {}, tool_use_id: event.toolCallId,
        ...(event.isError ? { error: text(event.content) } : { tool_response: { content: event.content } }),
      });
    let content = reply.input?.content ?? reply.input ?? event.content;
    if (typeof content === "string") content = [{ type: "text", text: content }];
    if (!Array.isArray(content)) content = event.content;
    if (reply.context) content = [...content, { type: "text", text: reply.context }];
    if (content !== event.content) return { content };
  });
  on("session_before_compact", async (event, ctx) => {
    const reply = await call("session_before_compact", "PreCompact", ctx, {
      trigger: "auto", custom_instructions: event.customInstructions ?? "",
    });
    if (reply.decision !== "deny") return;
    say(reply.tell, reasonOf(reply));
    return { cancel: true };
  });
  on("session_compact", async (event, ctx) => {
    await call("session_compact", "PostCompact", ctx, { trigger: "auto" });
  });
  on("agent_end", async (event, ctx) => {
    const last = event.messages?.findLast?.((message) => message.role === "assistant");
    await call("agent_end", "Stop", ctx, {
      stop_hook_active: false, last_assistant_message: text(last?.content),
    });
  });
}
`;

export default {
  id: "pi",
  aliases: ["pi-coding-agent"],
  title: "Pi",
  evidence: "proven",
  source: {
    url: "https://www.npmjs.com/package/@earendil-works/pi-coding-agent",
    version: "0.74.2",
  },
  projectDir: [],
  // Our extension speaks Claude's form already; only tools and their inputs have other names.
  wire: { fields: {} },
  tools: {
    bash: { names: ["Bash"] },
    read: { names: ["Read"], paths: ["file_path"], input: { path: "file_path" } },
    write: { names: ["Write"], paths: ["file_path"], input: { path: "file_path" } },
    edit: { names: ["Edit"], paths: ["file_path"], input: { path: "file_path" } },
    grep: { names: ["Grep"], paths: ["path"] },
    find: { names: ["Glob"], paths: ["path"] },
    ls: { names: ["ls"], paths: ["path"] },
  },
  surfaces: {
    SessionStart: {
      ...pluginSurface("session_start", LONG, { pass: pluginPass }),
      remark: "context arrives with the first prompt of the session",
    },
    SessionEnd: pluginSurface("session_shutdown", 5000),
    UserPromptSubmit: {
      ...pluginSurface("input", LONG, { pass: pluginPass, deny: pluginDenyOnly }),
      remark: "a denied prompt disappears; the reason is in a notice beside it",
    },
    PreToolUse: pluginSurface("tool_call", LONG, {
      pass: pluginObserves,
      rewrite: pluginRewriteOnly,
      deny: pluginDeny,
    }),
    PostToolUse: pluginSurface("tool_result", LONG, { pass: pluginPass, rewrite: pluginRewrite }),
    PostToolUseFailure: {
      ...pluginSurface("tool_result.error", LONG, { pass: pluginPass }),
      remark: "tool_result with isError",
    },
    Stop: {
      ...pluginSurface("agent_end", LONG),
      remark: "the turn is over when it fires: nothing can hold it back",
    },
    PreCompact: pluginSurface("session_before_compact", LONG, {
      pass: pluginObserves,
      deny: pluginDenyOnly,
    }),
    PostCompact: pluginSurface("session_compact", LONG),
  },
  observes: [],
  presence: {
    programs: ["pi"],
    version: ["--version"],
    traces: ["${PI_CODING_AGENT_DIR:-~/.pi/agent}", "~/.pi"],
    // It sets nothing for what its extensions start.
    inside: [],
    since: "",
    sessions: ["~/.pi/agent/sessions/*/*.jsonl"],
  },
  settings: {
    files: {
      user: "${PI_CODING_AGENT_DIR:-~/.pi/agent}/extensions/anyhook.js",
      project: ".pi/extensions/anyhook.js",
    },
    format: "module",
    render: (calls) => ({ "": renderPlugin(calls, EXTENSION) }),
    // 0.74 runs a project's extensions without asking (driven); 1.x asks for the folder once.
    fixed: {
      files: {
        user: ["${PI_CODING_AGENT_DIR:-~/.pi/agent}/extensions/*"],
        project: [".pi/extensions/*"],
      },
      why: "it is code that runs inside Pi, not a command",
    },
    trust: "accept the project's trust dialog once, where the version has one",
    reload: "next session",
  },
  // An extension file that is gone is not loaded; ours turns a missing or late dispatcher into a pass.
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

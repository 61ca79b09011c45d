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

/** opencode waits for a plugin for ever (source), so the patience is ours. */
const LONG = 120_000;

/**
 * Hooks of a plugin (https://opencode.ai/docs/plugins, driven): a throw in tool.execute.before
 * is the tool's error text; `output.args` counts only when changed in place; `event` is not
 * awaited, permission.ask is never called, tool.execute.after does not fire for a failed tool.
 */
const PLUGIN = String.raw`
export const Anyhook = async ({ client, directory }) => {
  const parents = new Map(), agents = new Map(), begun = new Map(), living = new Set();
  const headless = !process.stderr.isTTY || process.argv.includes("run");
  const tell = (message) => {
    if (headless) process.stderr.write(message + "\n");
    client?.app?.log?.({ body: { service: "anyhook", level: "warn", message } })?.catch?.(() => {});
    client?.tui?.showToast?.({ body: { message, variant: "warning" } })?.catch?.(() => {});
  };
  const rootOf = (id) => (parents.has(id) ? rootOf(parents.get(id)) : id);
  const call = (native, id, event, more) =>
    ask(native, {
      session_id: rootOf(id), cwd: directory, hook_event_name: event,
      ...(parents.has(id) && { agent_id: id, agent_type: agents.get(id) ?? "" }), ...more,
    }, tell);
  const begin = (id, source) => {
    if (!begun.has(id)) begun.set(id, call("session.created", id, "SessionStart", { source }));
    living.add(id);
    return begun.get(id);
  };
  const add = (output, text) => {
    if (!text) return;
    if (typeof output.output === "string") output.output += "\n\n" + text;
    else if (Array.isArray(output.content)) output.content.push({ type: "text", text });
  };
  const events = {
    "session.created": ({ sessionID, info }) => {
      const id = sessionID ?? info.id;
      if (info.parentID) parents.set(id, info.parentID);
      else return begin(id, "startup");
    },
    "session.idle": ({ sessionID: id }) =>
      parents.has(id)
        ? call("child.session.idle", id, "SubagentStop", { stop_hook_active: false })
        : call("session.idle", id, "Stop", { stop_hook_active: false }),
    "session.compacted": ({ sessionID: id }) => call("session.compacted", id, "PostCompact", {}),
    "permission.asked": ({ sessionID: id, permission, patterns }) =>
      call("permission.asked", id, "Notification", {
        notification_type: "permission_prompt",
        message: permission + ": " + (patterns ?? []).join(" "),
      }),
    "session.error": ({ sessionID: id = "", error }) =>
      call("session.error", id, "session.error", { error }),
  };
  return {
    event: async ({ event }) => {
      try { await events[event.type]?.(event.properties); } catch {}
    },
    "chat.message": async ({ sessionID: id, agent, messageID }, output) => {
      const child = parents.has(id);
      if (agent) agents.set(id, agent);
      const first = child ? {} : await begin(id, "resume");
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text).join("\n");
      const reply = child
        ? await call("child.chat.message", id, "SubagentStart", { prompt })
        : await call("chat.message", id, "UserPromptSubmit", { prompt });
      if (reply.decision === "deny") {
        say(tell, reasonOf(reply));
        throw new Error(reasonOf(reply));
      }
      begun.set(id, {});
      const last = output.parts.at(-1);
      [first.context, reply.context].filter((text) => text).forEach((text, at) =>
        output.parts.push({
          id: (last?.id ?? "prt_" + Date.now().toString(16)) + "anyhook" + at,
          sessionID: id, messageID: output.message?.id ?? messageID,
          type: "text", text, synthetic: true,
        }));
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      const reply = await call("tool.execute.before", sessionID, "PreToolUse", {
        tool_name: tool, tool_input: output.args ?? {}, tool_use_id: callID,
      });
      if (reply.decision === "deny") throw new Error(reasonOf(reply));
      fillIn(output.args, reply.input);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const { title, output: text, metadata, content } = output;
      const reply = await call("tool.execute.after", sessionID, "PostToolUse", {
        tool_name: tool, tool_input: args ?? {}, tool_use_id: callID,
        tool_response: content === undefined ? { title, output: text, metadata } : { content },
      });
      if (typeof reply.input === "string") output.output = reply.input;
      else if (reply.input) Object.assign(output, reply.input);
      add(output, reply.context);
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await call("experimental.session.compacting", sessionID, "PreCompact", { trigger: "auto" });
    },
    dispose: async () => {
      await Promise.all([...living].map((id) =>
        call("dispose", id, "SessionEnd", { reason: "other" })));
    },
  };
};
`;

export default {
  id: "opencode",
  aliases: [],
  title: "opencode",
  evidence: "proven",
  source: { url: "https://opencode.ai/docs/plugins", version: "1.18.33" },
  projectDir: [],
  // Our plugin speaks Claude's form already; only tools and their inputs have other names.
  wire: { fields: {} },
  tools: {
    bash: { names: ["Bash"] },
    read: { names: ["Read"], paths: ["file_path"], input: { filePath: "file_path" } },
    write: { names: ["Write"], paths: ["file_path"], input: { filePath: "file_path" } },
    edit: {
      names: ["Edit"],
      paths: ["file_path"],
      input: {
        filePath: "file_path",
        oldString: "old_string",
        newString: "new_string",
        replaceAll: "replace_all",
      },
    },
    apply_patch: { names: ["Edit", "Write"], patch: "command", input: { patchText: "command" } },
    glob: { names: ["Glob"], paths: ["path"] },
    grep: { names: ["Grep"], paths: ["path"], input: { include: "glob" } },
    list: { names: ["list"], paths: ["path"] },
    webfetch: { names: ["WebFetch"] },
    websearch: { names: ["WebSearch"] },
    task: { names: ["Agent", "Task"] },
    todowrite: { names: ["TodoWrite"] },
    skill: { names: ["Skill"] },
  },
  surfaces: {
    SessionStart: {
      ...pluginSurface("session.created", LONG, { pass: pluginPass }),
      remark: "context arrives with the first prompt of the session",
    },
    SessionEnd: pluginSurface("dispose", 5000),
    UserPromptSubmit: {
      ...pluginSurface("chat.message", LONG, { pass: pluginPass, deny: pluginDenyOnly }),
      remark: "a denied prompt is shown as a server error; the reason is in a notice beside it",
    },
    PreToolUse: pluginSurface("tool.execute.before", LONG, {
      pass: pluginObserves,
      rewrite: pluginRewriteOnly,
      deny: pluginDeny,
    }),
    PostToolUse: {
      ...pluginSurface("tool.execute.after", LONG, { pass: pluginPass, rewrite: pluginRewrite }),
      remark: "does not fire when the tool fails",
    },
    Notification: pluginSurface("permission.asked", LONG),
    SubagentStart: {
      ...pluginSurface("child.chat.message", LONG, { pass: pluginPass }),
      remark: "a message to a session that has a parent",
    },
    SubagentStop: pluginSurface("child.session.idle", LONG),
    Stop: {
      ...pluginSurface("session.idle", LONG),
      remark: "the turn is over when it fires: nothing can hold it back",
    },
    PreCompact: pluginSurface("experimental.session.compacting", LONG),
    PostCompact: pluginSurface("session.compacted", LONG),
  },
  observes: ["session.error"],
  presence: {
    programs: ["opencode"],
    version: ["--version"],
    traces: [
      "${XDG_CONFIG_HOME:-~/.config}/opencode",
      "${XDG_DATA_HOME:-~/.local/share}/opencode",
      "~/.opencode/bin/opencode",
    ],
    // OPENCODE=1 is inherited by every agent that is started from one of its shells.
    inside: [],
    since: "",
    // Driven: no file per session; those of sub-agents have a parent.
    sessionTable: {
      file: "${XDG_DATA_HOME:-~/.local/share}/opencode/opencode.db",
      query:
        "SELECT id, time_created AS born, time_updated AS at FROM session WHERE parent_id IS NULL AND time_created > ?",
    },
  },
  settings: {
    files: {
      user: "${XDG_CONFIG_HOME:-~/.config}/opencode/plugin/anyhook.js",
      project: ".opencode/plugin/anyhook.js",
    },
    format: "module",
    render: (calls) => ({ "": renderPlugin(calls, PLUGIN) }),
    fixed: {
      files: {
        user: [
          "${XDG_CONFIG_HOME:-~/.config}/opencode/plugin/*",
          "${XDG_CONFIG_HOME:-~/.config}/opencode/plugins/*",
        ],
        project: [".opencode/plugin/*", ".opencode/plugins/*"],
      },
      why: "it is code that runs inside opencode, not a command",
    },
    trust: "",
    reload: "next session",
  },
  // A plugin file that is gone is not loaded; ours turns a missing or late dispatcher into a pass.
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

import type { Adapter, ReplyTemplate } from "./_contract.ts";
import { hooksAt } from "./_claude-settings.ts";
import { claudeSays, type Natives } from "./_natives.ts";
import { flatCommands } from "./_flat-settings.ts";

/** https://github.com/charmbracelet/crush/blob/main/docs/hooks/README.md and its source. */
const says = (out: string): ReplyTemplate => ({ exit: 0, out, err: "" });
const CONTEXT = '`,"context":$C`';

const natives: Natives = {
  shell: "sh",
  matcher: "search",
  answers: {
    json: "exit 0",
    exits: { "2": "deny", "49": "halt" },
    text: "",
    says: {
      // It reads Claude Code's words too.
      ...claudeSays,
      "halt=true": "halt",
      "decision=allow": "allow",
      context: "context",
      updated_input: "merge",
    },
  },
};

export default {
  id: "crush",
  aliases: [],
  title: "Crush",
  evidence: "source",
  source: {
    url: "https://github.com/charmbracelet/crush/blob/main/docs/hooks/README.md",
    version: "main of 2026-08-21",
  },
  projectDir: ["CRUSH_PROJECT_DIR"],
  wire: { fields: {} },
  // An MCP tool is `mcp_<server>_<tool>` and keeps that name: where the server ends is not said.
  tools: {
    bash: { names: ["Bash"] },
    view: { names: ["Read"], paths: ["file_path"] },
    write: { names: ["Write"], paths: ["file_path"] },
    edit: { names: ["Edit"], paths: ["file_path"] },
    multiedit: { names: ["Edit"], paths: ["file_path"] },
    glob: { names: ["Glob"], paths: ["path"] },
    grep: { names: ["Grep"], paths: ["path"] },
    ls: { names: ["ls"], paths: ["path"] },
    fetch: { names: ["WebFetch"] },
    agentic_fetch: { names: ["WebFetch"] },
    agent: { names: ["Agent"] },
  },
  // PreToolUse alone: an event that the installed version does not know makes Crush refuse its
  // whole configuration, and versions differ in the others.
  surfaces: {
    PreToolUse: {
      native: "PreToolUse",
      timeout: 60_000,
      remark:
        "what a sub-agent does is not seen; a rewrite can change and add members, not remove them",
      replies: {
        pass: says('{`"context":$C`}'),
        // It also skips the permission prompt.
        allow: says(`{"decision":"allow"\`,"updated_input":$I\`${CONTEXT}}`),
        rewrite: says(`{"updated_input":$I${CONTEXT}}`),
        deny: says(`{"decision":"deny","reason":$R${CONTEXT}}`),
        // JSON counts only with exit 0; exit 49 and stderr say the same without it.
        halt: { exit: 49, out: "{}", err: "reason" },
      },
    },
  },
  observes: [],
  presence: {
    programs: ["crush"],
    version: ["--version"],
    traces: ["${XDG_CONFIG_HOME:-~/.config}/crush", "${XDG_DATA_HOME:-~/.local/share}/crush"],
    inside: ["CRUSH_EVENT"],
    since: "",
  },
  settings: {
    files: {
      user: "${XDG_CONFIG_HOME:-~/.config}/crush/crush.json",
      project: "crush.json",
      local: ".crush.json",
    },
    format: "json",
    at: hooksAt,
    entry: ({ command, timeout }) => ({
      name: "anyhook",
      command,
      timeout: Math.ceil(timeout / 1000),
    }),
    commands: flatCommands(1000),
    natives,
    trust: "",
    reload: "next session",
  },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Adapter;

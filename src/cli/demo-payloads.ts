/** Payloads in the shape that each harness sends; the fixtures of the tests are the models. */

/** What the scripted agent does, in no harness's words. */
export interface Deed {
  readonly event: "SessionStart" | "PreToolUse" | "PostToolUse" | "Stop";
  readonly command?: string;
  readonly edits?: string;
  /** Stop: it was held back before. */
  readonly again?: boolean;
}

export interface Actor {
  readonly harness: string;
  readonly payload: (deed: Deed, cwd: string, turn: number) => Record<string, unknown>;
}

const claude: Actor = {
  harness: "claude-code",
  payload: (deed, cwd, turn) => ({
    session_id: "3f0c9a52-1d7e-4b7e-9c55-0d6a1f2b8e10",
    transcript_path: `${cwd}/../transcript.jsonl`,
    cwd,
    ...(deed.event === "SessionStart" ? {} : { permission_mode: "default" }),
    hook_event_name: deed.event,
    ...(deed.event === "SessionStart" ? { source: "startup" } : {}),
    ...(deed.event === "Stop"
      ? { stop_hook_active: deed.again ?? false, last_assistant_message: "Done." }
      : {}),
    ...tool(deed, `toolu_demo_${turn}`, (file) => ({
      tool_name: "Edit",
      tool_input: { file_path: `${cwd}/${file}`, old_string: "", new_string: "export {};\n" },
    })),
    ...(deed.event === "PostToolUse"
      ? { tool_response: { type: "update", filePath: `${cwd}/${deed.edits}` } }
      : {}),
  }),
};

const codex: Actor = {
  harness: "codex",
  payload: (deed, cwd, turn) => ({
    session_id: "019a4de0-5b7c-7d10-8a44-6f1e2d3c4b5a",
    ...(deed.event === "SessionStart"
      ? {}
      : { turn_id: `019a4de0-5b7c-7d10-8a44-00000000000${turn}` }),
    transcript_path: `${cwd}/../rollout.jsonl`,
    cwd,
    hook_event_name: deed.event,
    model: "scripted",
    permission_mode: "default",
    ...(deed.event === "SessionStart" ? { source: "startup" } : {}),
    ...(deed.event === "Stop"
      ? { stop_hook_active: deed.again ?? false, last_assistant_message: "Done." }
      : {}),
    ...tool(deed, `call_demo_${turn}`, (file) => ({
      tool_name: "apply_patch",
      tool_input: {
        command: `*** Begin Patch\n*** Add File: ${file}\n+export {};\n*** End Patch\n`,
      },
    })),
    ...(deed.event === "PostToolUse"
      ? {
          tool_response: `Exit code: 0\nOutput:\nSuccess. Updated the following files:\nA ${deed.edits}\n`,
        }
      : {}),
  }),
};

function tool(deed: Deed, id: string, edit: (file: string) => object): object {
  if (deed.command !== undefined)
    return { tool_name: "Bash", tool_input: { command: deed.command }, tool_use_id: id };
  return deed.edits === undefined ? {} : { ...edit(deed.edits), tool_use_id: id };
}

export const ACTORS: readonly Actor[] = [claude, codex];

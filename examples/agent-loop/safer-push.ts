import { ask, defineHook, deny, rewrite } from "anyhook";

export default defineHook({
  event: "PreToolUse",
  run(event) {
    const command = String(event.tool_input?.["command"]);
    if (/\brm\s+-rf\s+\/(\s|$)/.test(command)) return deny("This would delete the whole disk.");
    if (/\bgit\s+push\b.*--force(?!-with-lease)/.test(command))
      return rewrite({ command: command.replace("--force", "--force-with-lease") });
    return /\bcurl\b/.test(command)
      ? ask(`Let the agent reach the network? ${command}`)
      : undefined;
  },
});

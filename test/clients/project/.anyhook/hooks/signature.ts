import { defineHook, rewrite } from "anyhook";

/** Comes after greeting.sh and builds on what that has made of the command. */
export default defineHook({
  name: "signature",
  event: "PreToolUse",
  order: 20,
  matcher: { tool_name: "Bash", "tool_input.command": "/echo hello/" },
  run(event) {
    const command = String(event.tool_input?.["command"]);
    return rewrite({ command: command.replace("the shell", "the shell and from a module") });
  },
});

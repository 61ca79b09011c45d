import { defineHook, rewrite } from "anyhook";

/** Matches only what greeting.sh has made of the command. */
export default defineHook({
  name: "signature",
  event: "PreToolUse",
  order: 20,
  matcher: { tool_name: "Bash", "tool_input.command": "/from the shell/" },
  run(event) {
    const command = String(event.tool_input?.["command"]);
    return rewrite({ command: command.replace("the shell", "the shell and from a module") });
  },
});

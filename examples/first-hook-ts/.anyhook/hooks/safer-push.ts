import { defineHook, rewrite } from "anyhook";

export default defineHook({
  name: "safer-push",
  description: "A forced push becomes one that cannot destroy what others pushed",
  event: "PreToolUse",
  matcher: { tool_name: "Bash", "tool_input.command": "/\\bgit\\b.*\\bpush\\b/" },
  run(event) {
    const command = event.tool_input.command ?? "";
    const safer = command.replace(
      /(\bgit\b.*\bpush\b.*)\s(?:--force|-f)(?=\s|$)/,
      "$1 --force-with-lease",
    );
    return safer === command ? undefined : rewrite({ command: safer });
  },
});

import { defineHook, deny } from "anyhook";

/** Its matcher fits only what expand.sh makes of the command. */
export default defineHook({
  name: "no-sweeping",
  event: "PreToolUse",
  order: 20,
  matcher: { tool_name: "Bash", "tool_input.command": "/swept/" },
  run: () => deny("The floor is wet."),
});

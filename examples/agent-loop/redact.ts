import { defineHook } from "anyhook";

const KEY = /sk-[A-Za-z0-9]{10,}/g;

export default defineHook({
  event: "PostToolUse",
  run(event) {
    const output = String(event.tool_response);
    const updatedToolOutput = output.replaceAll(KEY, "[a key]");
    if (updatedToolOutput === output) return undefined;
    // A text is replaced as a whole, in the words that Claude Code's hooks use as well.
    return { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput } } as object;
  },
});

import { defineHook, replaceOutput } from "anyhook";

const KEY = /sk-[A-Za-z0-9]{10,}/g;

export default defineHook({
  event: "PostToolUse",
  run(event) {
    const output = String(event.tool_response);
    const redacted = output.replaceAll(KEY, "[a key]");
    return redacted === output ? undefined : replaceOutput(redacted);
  },
});

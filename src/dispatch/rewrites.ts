/** The payload member that a rewrite replaces: the tool's input before it runs, its output after. */
export function rewritesAt(event: string): string {
  if (event === "PreToolUse" || event === "PermissionRequest") return "tool_input";
  return event === "PostToolUse" ? "tool_response" : "";
}

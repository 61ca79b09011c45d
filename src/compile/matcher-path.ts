import { suggest } from "../events.ts";
import type { MatcherProblem } from "./matcher-value.ts";

const KNOWN: readonly string[] = [
  "tool_name",
  "tool_input",
  "tool_response",
  "prompt",
  "source",
  "reason",
  "trigger",
  "cwd",
  "paths",
  "session_id",
  "agent_type",
  "agent_id",
  "notification_type",
  "message",
  "permission_mode",
  "model",
  "stop_hook_active",
  "last_assistant_message",
  "transcript_path",
  "hook_event_name",
];

/** A path may lead anywhere into the payload, so an unknown start is only worth a warning. */
export function checkPath(path: string): readonly MatcherProblem[] {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(path)) return [malformed(path)];
  const top = path.split(".")[0]!;
  if (KNOWN.includes(top)) return [];
  const near = suggest(top, KNOWN);
  const message = `${path}: no event is known to have a field "${top}"`;
  const hint = near ? `did you mean "${near}"?` : `known fields: ${KNOWN.join(", ")}`;
  return [{ severity: "warning", message, hint }];
}

const malformed = (path: string): MatcherProblem => ({
  severity: "error",
  message: `"${path}" is not a path into the payload`,
  hint: "write names joined by dots, such as tool_input.command",
});

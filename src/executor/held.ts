import { scalarText } from "../dispatch/occurrence.ts";
import type { EventName } from "../events.ts";
import type { HookResult } from "./options.ts";

type Json = Readonly<Record<string, unknown>>;

/** Which agents a hook keeps from stopping: what a harness says in `stop_hook_active`. */
export interface Held {
  isHeld(event: EventName, payload: Json): boolean;
  note(event: EventName, payload: Json, result: HookResult): void;
}

const STOPS: readonly EventName[] = ["Stop", "SubagentStop"];
/** With these something new begins, or nothing more comes. */
const TURNS: readonly EventName[] = ["SessionStart", "UserPromptSubmit", "SessionEnd"];

export function heldAgents(): Held {
  const held = new Map<string, Set<string>>();
  const sessionOf = (payload: Json): string => scalarText(payload["session_id"]);
  const agentOf = (event: EventName, payload: Json): string =>
    `${event} ${scalarText(payload["agent_id"])}`;
  return {
    isHeld: (event, payload) => held.get(sessionOf(payload))?.has(agentOf(event, payload)) ?? false,
    note(event, payload, { decision }) {
      const session = sessionOf(payload);
      if (TURNS.includes(event)) held.delete(session);
      if (!STOPS.includes(event)) return;
      const agents = held.get(session) ?? new Set();
      if (decision.verdict === "deny") agents.add(agentOf(event, payload));
      else agents.delete(agentOf(event, payload));
      if (agents.size > 0) held.set(session, agents);
      else held.delete(session);
    },
  };
}

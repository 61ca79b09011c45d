import type { Decision, Occurrence } from "../model.ts";
import type { Memory } from "./memory.ts";
import { safeName } from "./occurrence.ts";

const MOST = 8;

/**
 * A Stop hook holds the agent back at most once per reason and eight times in a row: neither
 * harness has a cap that one could rely on (Codex honoured thirty blocks, driven).
 */
export function guardStop(decision: Decision, event: Occurrence, memory: Memory): Decision {
  if (event.event !== "Stop" && event.event !== "SubagentStop") return decision;
  if (decision.verdict !== "deny") return decision;
  const name = `${safeName(event.session)}.stop`;
  const again = event.payload["stop_hook_active"] === true;
  const held = again ? linesOf(memory.read(name)) : [];
  const cause = JSON.stringify(decision.reason);
  const why = held.includes(cause)
    ? "already held back once for this reason"
    : held.length >= MOST
      ? "held back eight times already"
      : "";
  if (why === "") {
    const noted = [...held, cause, ""].join("\n");
    memory.write(name, noted);
    if (again && memory.read(name) !== noted) return released(decision, "it cannot be remembered");
    // Some harnesses deliver the reason as the next prompt; plan.awk knows it by this.
    memory.write(`${safeName(event.session)}.echo`, `${cause}\n`);
    return decision;
  }
  return released(decision, why);
}

const released = (decision: Decision, why: string): Decision => ({
  ...decision,
  verdict: "pass",
  clampedFrom: "deny",
  unenforced: why,
});

const linesOf = (text = ""): string[] => text.split("\n").filter((line) => line !== "");

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Decision, Occurrence } from "../model.ts";
import { safeName } from "./occurrence.ts";

const MOST = 8;

/**
 * A Stop hook holds the agent back at most once per reason and eight times in a row: neither
 * harness has a cap that one could rely on (Codex honoured thirty blocks, driven).
 */
export function guardStop(decision: Decision, event: Occurrence, state: string): Decision {
  if (event.event !== "Stop" && event.event !== "SubagentStop") return decision;
  if (decision.verdict !== "deny" || state === "") return decision;
  const file = join(state, `${safeName(event.session)}.stop`);
  const again = event.payload["stop_hook_active"] === true;
  const held = again ? lines(file) : [];
  const cause = JSON.stringify(decision.reason);
  const why = held.includes(cause)
    ? "already held back once for this reason"
    : held.length >= MOST
      ? "held back eight times already"
      : "";
  if (why === "") {
    writeFileSync(file, [...held, cause, ""].join("\n"));
    // Some harnesses deliver the reason as the next prompt; plan.awk knows it by this.
    writeFileSync(join(state, `${safeName(event.session)}.echo`), `${cause}\n`);
    return decision;
  }
  return { ...decision, verdict: "pass", clampedFrom: "deny", unenforced: why };
}

function lines(file: string): string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

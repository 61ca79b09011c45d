import type { Dispatched } from "../dispatch/dispatch.ts";
import type { EventName } from "../events.ts";
import type { Decision } from "../model.ts";
import type { Occasion } from "./conduct.ts";
import type { HookOutcome, HookResult, Permission } from "./options.ts";
import { withPermission } from "./permission.ts";

/** What a program is told about one call. */
export function resultOf(
  { event }: Occasion,
  { entry, reply }: Dispatched,
  permission?: Permission,
): HookResult {
  const decision = permission ? withPermission(entry.decision, permission) : entry.decision;
  return resultFrom(event, decision, entry.notes, reply.stderr, permission);
}

export function resultFrom(
  event: EventName,
  decision: Decision,
  outcomes: readonly HookOutcome[],
  warnings: string,
  permission: Permission | undefined,
): HookResult {
  const blocked = decision.verdict === "deny" || decision.verdict === "halt";
  return {
    event,
    blocked,
    reason: blocked ? decision.reason : "",
    decision,
    outcomes,
    context: decision.context,
    input: decision.input === "" ? undefined : (JSON.parse(decision.input) as unknown),
    warnings,
    problems: [],
    permission,
  };
}

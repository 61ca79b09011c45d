import type { EventName, HookExecutor, HookResult } from "anyhook";

/** What the SDK hands to a hook, and what it takes back, as far as this file needs it. */
interface Input {
  readonly hook_event_name: string;
}

interface Output {
  continue?: boolean;
  stopReason?: string;
  decision?: "block";
  reason?: string;
  systemMessage?: string;
  hookSpecificOutput?: never;
}

type Callback = (input: Input) => Promise<Output>;

/**
 * The events that are connected when none are named. SessionStart and SessionEnd are missing: the
 * SDK does not call back for them (0.3.325, driven).
 */
const EVENTS = [
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStart",
  "SubagentStop",
  "Stop",
  "PreCompact",
  "PostCompact",
] as const satisfies readonly EventName[];

type Connected<E extends string> = { [K in E]: { hooks: Callback[]; timeout: number }[] };

/**
 * `query({ prompt, options: { hooks: hooksFor(executor) } })`. The executor's `harness` should be
 * "claude-code", so that hooks know the tools by their names.
 */
export function hooksFor<const E extends EventName = (typeof EVENTS)[number]>(
  executor: HookExecutor,
  events: readonly E[] = EVENTS as readonly EventName[] as readonly E[],
  seconds = 600,
): Connected<E> {
  const call: Callback = async (input) =>
    replyTo(await executor.execute(input.hook_event_name as EventName, input));
  const pairs = events.map((event) => [event, [{ hooks: [call], timeout: seconds }]] as const);
  return Object.fromEntries(pairs) as unknown as Connected<E>;
}

/** The result in the SDK's words. */
export function replyTo(result: HookResult): Output {
  const { event, decision, blocked, context } = result;
  const notice = decision.notice === "" ? {} : { systemMessage: decision.notice };
  const halt = decision.verdict === "halt" ? { continue: false, stopReason: decision.reason } : {};
  const block =
    blocked && event !== "PreToolUse" ? { decision: "block", reason: decision.reason } : {};
  const own = { ...toolFields(result), ...(context === "" ? {} : { additionalContext: context }) };
  const specific =
    Object.keys(own).length === 0 ? {} : { hookSpecificOutput: { hookEventName: event, ...own } };
  return { ...halt, ...notice, ...block, ...specific } as Output;
}

function toolFields({ event, decision, input, blocked }: HookResult): object {
  if (event === "PostToolUse") return input === undefined ? {} : { updatedToolOutput: input };
  if (event !== "PreToolUse") return {};
  const { verdict, reason } = decision;
  const word = blocked ? "deny" : verdict;
  return {
    ...(["deny", "ask", "allow"].includes(word) ? { permissionDecision: word } : {}),
    ...(reason === "" ? {} : { permissionDecisionReason: reason }),
    ...(input === undefined ? {} : { updatedInput: input }),
  };
}

import { join } from "node:path";
import type { Index } from "../dispatch/load.ts";
import { matchEvent } from "../dispatch/match.ts";
import { isObject, scalarText } from "../dispatch/occurrence.ts";
import { planHooks, type Switches } from "../dispatch/plan.ts";
import type { Condition, Hook, Occurrence } from "../model.ts";
import { listed } from "./_words.ts";
import { oneLine } from "./_paint.ts";
import { shorten } from "./_table.ts";

/** One hook of the event: would it run, and if not, why? */
export interface Chance {
  readonly hook: Hook;
  readonly runs: boolean;
  readonly why: string;
}

/** The dispatcher's own plan, and a reason for every hook that is not in it. */
export function chances(index: Index, event: Occurrence, switches: Switches): Chance[] {
  const planned = planHooks(index, event, switches);
  return index.hooks.map((hook) => {
    const chosen = planned.find((one) => one.hook === hook);
    if (chosen) return { hook, runs: chosen.skipped === "", why: chosen.skipped };
    return { hook, runs: false, why: refusal(hook, event, index) };
  });
}

function refusal(hook: Hook, event: Occurrence, index: Index): string {
  if (hook.harness.length > 0 && !hook.harness.includes(event.harness))
    return `only on ${listed(hook.harness)}`;
  const failed = hook.matcher.find((condition) => !matchEvent([condition], event, index.automaton));
  return failed ? conditionRefusal(failed, event) : "does not match";
}

function conditionRefusal(condition: Condition, event: Occurrence): string {
  const actual = actualValue(condition.path, event);
  if (actual === "") return `there is no ${condition.path}`;
  const shown = shorten(oneLine(actual), 40);
  if (condition.op === "eq")
    return `${condition.path} is ${shown}, not ${listed(condition.values, "or")}`;
  return `${condition.path} does not match ${condition.text || "its pattern"}: ${shown}`;
}

/** For display only; matching is the dispatcher's. */
function actualValue(path: string, event: Occurrence): string {
  if (path === "tool_name") return event.tool;
  if (path === "paths") return event.paths.join(", ");
  let value: unknown = event.payload;
  for (const key of path.split(".")) value = isObject(value) ? value[key] : undefined;
  return scalarText(value);
}

export const switchesOf = (env: NodeJS.ProcessEnv, paused: boolean, slot: string): Switches => ({
  off: env["ANYHOOK"] === "0",
  paused,
  skip: (env["ANYHOOK_SKIP"] ?? "").split(","),
  depth: Number(env["ANYHOOK_DEPTH"] ?? 0) || 0,
  state: join(slot, "state"),
});

/** Node is started only for what a shell cannot run. */
export const laneOf = (hooks: readonly Hook[]): "quiet" | "shell" | "node" => {
  if (hooks.length === 0) return "quiet";
  const simple = ({ kind, payload }: Hook): boolean =>
    ["script", "shell", "exec"].includes(kind) && payload !== "canonical";
  return hooks.every(simple) ? "shell" : "node";
};

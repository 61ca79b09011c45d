import type { Condition, Occurrence } from "../model.ts";
import { accepts, type Automaton } from "./automaton.ts";
import { isObject, scalarText } from "./occurrence.ts";

/** Every condition must hold; shell/match.awk says the same in awk. */
export function matchEvent(
  matcher: readonly Condition[],
  event: Occurrence,
  automaton: (id: string) => Automaton | undefined,
): boolean {
  return matcher.every((condition) =>
    valuesAt(event, condition.path).some((value) =>
      condition.op === "eq" ? condition.values.includes(value) : accept(condition.dfa, value),
    ),
  );

  function accept(id: string, value: string): boolean {
    const dfa = automaton(id);
    return dfa !== undefined && accepts(dfa, Buffer.from(value));
  }
}

/** tool_name answers to all its names, paths to each path, anything else to its one value. */
function valuesAt(event: Occurrence, path: string): readonly string[] {
  if (path === "tool_name") return event.toolNames;
  if (path === "paths") return [...event.paths, ...event.localPaths];
  let value: unknown = event.payload;
  for (const key of path.split(".")) {
    const holder: unknown = value;
    if (isObject(holder) && Object.hasOwn(holder, key)) value = holder[key];
    else if (Array.isArray(holder) && /^(0|[1-9]\d*)$/.test(key))
      value = (holder as unknown[])[Number(key)];
    else return [];
  }
  return ["string", "number", "boolean"].includes(typeof value) ? [scalarText(value)] : [];
}

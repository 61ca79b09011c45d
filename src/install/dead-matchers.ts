import type { Adapter } from "../adapters/_contract.ts";
import type { Hook } from "../model.ts";
import type { Finding } from "./examine.ts";

const CANONICAL = [
  "Bash",
  "Read",
  "Write",
  "Edit",
  "Glob",
  "Grep",
  "WebFetch",
  "WebSearch",
  "Agent",
];

/** Hooks whose matcher names only tools that the harness does not have: they can never fire there. */
export function deadMatchers(hooks: readonly Hook[], adapter: Adapter): Finding[] {
  const known = new Set([
    ...Object.entries(adapter.tools).flatMap(([native, { names }]) => [native, ...names]),
    // A harness whose own names are the canonical ones needs no table for them.
    ...CANONICAL,
  ]);
  return hooks.flatMap(({ name, event, matcher, harness }) => {
    if (harness.length > 0 && !harness.includes(adapter.id)) return [];
    const tool = matcher.find(({ path, op }) => path === "tool_name" && op === "eq");
    if (tool?.op !== "eq") return [];
    if (tool.values.some((one) => known.has(one) || one.startsWith("mcp__"))) return [];
    return [
      {
        ...{ harness: adapter.id, check: "matcher", grade: "warning" as const },
        message: `${name} can never fire at ${event}: ${adapter.title} has no tool ${tool.values.join(" or ")}`,
        fix: `name a tool that it has: ${CANONICAL.join(", ")}`,
      },
    ];
  });
}

import type { Memory } from "./_memory.ts";

/** Everything the packet is a function of: no clock, no chance. */
export interface Packet {
  /** Best first. */
  readonly memories: readonly Memory[];
  /** How many accepted ones there are in all. */
  readonly total: number;
  readonly goal: string;
  readonly bytes: number;
}

export const BEGIN = "<!-- anyhook:memory v1 -->";
export const END = "<!-- /anyhook:memory -->";

/** What a session wakes up with. Always between the markers, never over the budget. */
export function packet({ memories, total, goal, bytes }: Packet): string {
  const goals = goal === "" ? [] : [`Goal of this session: ${oneLine(goal, 200)}`];
  if (memories.length === 0)
    return marked([...goals, "Memory: nothing recorded for this project yet."]);
  const shown: string[] = [];
  const whole = (): string => marked([...goals, headOf(shown.length, total), ...shown]);
  for (const memory of memories) {
    shown.push(lineOf(memory));
    if (Buffer.byteLength(whole()) <= bytes) continue;
    shown.pop();
    break;
  }
  return whole();
}

/** One line when a sibling tool keeps a memory of its own here: it is asked first. */
export const pointer = (total: number): string =>
  marked([
    `Memory: .trellis/ is present and comes first; anyhook has ${total} more: anyhook inject`,
  ]);

export const marked = (lines: readonly string[]): string => [BEGIN, ...lines, END].join("\n");

const headOf = (shown: number, total: number): string =>
  shown === total
    ? `Memory of this project (${total}); say so when one no longer holds:`
    : `Memory of this project (${shown} of ${total}; the rest: anyhook memory search <words>):`;

/** Where it comes from stands behind every line. */
export function lineOf(memory: Memory): string {
  const from = [
    memory.ref === "" ? "" : `#${memory.ref}`,
    memory.at.slice(0, 10),
    WHO[memory.author],
    memory.harness === "" ? "" : `${memory.harness} ${memory.session.slice(0, 8)}`.trim(),
    memory.scope === "project" ? "" : memory.scope,
    memory.status === "candidate" ? "not confirmed" : "",
  ].filter((part) => part !== "");
  return `- [${memory.kind}] ${oneLine(memory.text, 400)} (${from.join(", ")})`;
}

const WHO = { user: "by the user", assistant: "by the agent", anyhook: "noticed" } as const;

/** One line, without anything that could pass for our markers or for a tag. */
const oneLine = (text: string, most: number): string => {
  const flat = text
    .replaceAll(/[\u0000-\u001f\u007f\s]+/g, " ")
    .replaceAll(/<(?=!--|\/?anyhook)|--(?=>)/g, "")
    .trim();
  return flat.length <= most ? flat : `${flat.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
};

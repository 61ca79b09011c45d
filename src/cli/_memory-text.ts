import type { Memory } from "../memory/_memory.ts";
import type { Stats } from "../memory/browse.ts";
import type { Call } from "./_call.ts";
import { harmless, oneLine } from "./_paint.ts";
import { table } from "./_table.ts";
import { ago, count } from "./_words.ts";

/** Stable keys: what `memory` prints with --json. */
export const memoryJson = ({ id: _, key: __, evidence: ___, ref, ...memory }: Memory) => ({
  id: ref,
  ...memory,
});

export const memoryRows = (memories: readonly Memory[], { paint, width }: Call): string =>
  table(
    memories.map(({ ref, kind, status, at, text }) => [
      paint.name(ref),
      kind,
      status === "accepted" ? "" : paint.odd(status),
      paint.quiet(ago(at)),
      oneLine(text),
    ]),
    { width },
  );

export function memoryText(memory: Memory, evidence: readonly string[], { paint }: Call): string {
  const rows: [string, string][] = [
    ["kind", memory.kind],
    ["status", memory.status],
    ["scope", memory.scope],
    ["said", `${memory.at} by the ${memory.author}`],
    [
      "where",
      [memory.harness, memory.session, memory.branch, memory.folder].filter(Boolean).join(", "),
    ],
    ["files", memory.paths.join(", ")],
    ["seen", count(evidence.length, "time")],
  ];
  const known = rows.filter(([, value]) => value !== "");
  const about = table(known.map(([name, value]) => [paint.quiet(name), oneLine(value)]));
  return `${paint.strong(memory.ref)}  ${harmless(memory.text)}\n\n${about}`;
}

type Sized = Stats & { readonly file: string; readonly bytes: number };

export function statsText(stats: { project: Sized; user: Sized; queued: number }): string {
  const row = (name: string, { byStatus, signals, bytes, file }: Sized): string[] => [
    name,
    count(byStatus["accepted"] ?? 0, "accepted", "accepted"),
    count(byStatus["candidate"] ?? 0, "candidate"),
    count(byStatus["rejected"] ?? 0, "rejected", "rejected"),
    count(signals, "signal"),
    `${Math.ceil(bytes / 1024)} KB`,
    file,
  ];
  const rows = table([row("project", stats.project), row("user", stats.user)]);
  return `${rows}\n${count(stats.queued, "signal")} in the queue`;
}

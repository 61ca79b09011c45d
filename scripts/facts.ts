import type { Adapter, Surface } from "../src/adapters/_contract.ts";
import { budgetOf } from "../src/adapters/_contract.ts";
import { noticeOnly } from "../src/adapters/_claude-wire.ts";
import { rewritesAt } from "../src/dispatch/rewrites.ts";
import { EVENTS, EVENT_NAMES, factsOf, type EventName } from "../src/events.ts";

/** What shell/facts.awk reads: the adapter's facts for one event, tab-separated. */
export function factsFile(adapter: Adapter, event: string): string {
  const surfaces: Readonly<Record<string, Surface>> = adapter.surfaces;
  const surface = surfaces[event] ?? {
    native: event,
    timeout: 600_000,
    replies: { pass: noticeOnly },
  };
  const tools = Object.entries(adapter.tools).map(([native, tool]) =>
    ["tool", native, tool.names.join("|"), (tool.paths ?? []).join(","), tool.patch ?? ""].join(
      "\t",
    ),
  );
  const replies = Object.entries(surface.replies).map(([kind, reply]) =>
    ["reply", kind, String(reply.exit), reply.err, reply.out].join("\t"),
  );
  const lines = [
    `budget\t${budgetOf(surface)}`,
    `rewrites\t${rewritesAt(event)}`,
    `blockable\t${factsOf(event as EventName).block ? 1 : 0}`,
    ...tools,
    ...replies,
  ];
  return `${lines.join("\n")}\n`;
}

/** Which names mean which harness and event, and where the harness names its project. */
export function harnessesFile(adapters: readonly Adapter[], version: string): string {
  const harnesses = adapters.map((adapter) => {
    const hint =
      adapter.projectDir.map((name) => `\${${name}:-`).join("") +
      "}".repeat(adapter.projectDir.length);
    return `    ${[adapter.id, ...adapter.aliases].join(" | ")}) AH_HARNESS=${adapter.id} AH_HINT=${hint} ;;`;
  });
  const events = EVENT_NAMES.map((name) => {
    const names = [
      ...new Set([
        name,
        ...spellings(name),
        ...EVENTS[name].aliases.flatMap((a) => [a, ...spellings(a)]),
      ]),
    ];
    return `    ${names.map((n) => `'${n}'`).join(" | ")}) AH_EVENT=${name} ;;`;
  });
  const plugins = adapters.flatMap(({ id, settings: { plugin } }) =>
    plugin ? [`  if ${plugin}; then AH_HARNESS=${id}; return; fi`] : [],
  );
  return `# Written by the build from the adapters. Do not edit.
AH_VERSION='${version}'
AH_KNOWN='${adapters.map((a) => a.id).join(", ")}'
ah_harness() {
  case $1 in
${harnesses.join("\n")}
    # Our own commands may act for a harness that nobody has described.
    *[!a-z0-9-]* | '') return 1 ;;
    *) [ -n "$AH_BY" ] && AH_HARNESS=$1 AH_HINT= ;;
  esac
}
ah_event() {
  case $1 in
${events.join("\n")}
    */* | .*) return 1 ;;
    *) AH_EVENT=$1 ;;
  esac
  [ -f "$AH_DIST/facts/\${AH_BY:-$AH_HARNESS}/$AH_EVENT" ]
}
ah_plugin() {
${plugins.join("\n")}
  return 1
}
`;
}

/** kebab, snake and UPPER_SNAKE. */
function spellings(name: string): string[] {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").split(/[ .-]/);
  const lower = words.map((word) => word.toLowerCase());
  return [lower.join("-"), lower.join("_"), lower.join("_").toUpperCase()];
}

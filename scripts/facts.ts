import type { Adapter, Surface } from "../src/adapters/_contract.ts";
import { budgetOf, nativeEvents } from "../src/adapters/_contract.ts";
import { encodeReply } from "../src/adapters/_reply.ts";
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
    [
      "tool",
      native,
      tool.names.join("|"),
      (tool.paths ?? []).join(","),
      tool.patch ?? "",
      ...(tool.input ? [pairs(tool.input)] : []),
    ].join("\t"),
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
    ...wireLines(adapter),
    ...oddities(surface),
    ...closed(surface),
  ];
  return `${lines.join("\n")}\n`;
}

const pairs = (input: Readonly<Record<string, string>>): string =>
  Object.entries(input)
    .map(([from, to]) => `${from}=${to}`)
    .join(",");

function wireLines({ wire }: Adapter): string[] {
  if (!wire) return [];
  const fields = Object.entries(wire.fields).map(([name, paths]) =>
    ["field", name, paths.join("|")].join("\t"),
  );
  return [["wire", wire.mcp?.server ?? "", wire.mcp?.tool ?? ""].join("\t"), ...fields];
}

const oddities = ({ turns, ignore, echoesStop }: Surface): string[] => [
  ...(turns ? [["turns", turns.field, turns.into].join("\t")] : []),
  ...(ignore
    ? [
        ["ignore", ignore.field, ignore.is === undefined ? "*" : `=${ignore.is}`, ignore.why].join(
          "\t",
        ),
      ]
    : []),
  ...(echoesStop ? ["echoes\t1"] : []),
];

/** What run.sh says when it cannot merge what hooks said, and the harness does not read exit 2. */
function closed({ replies }: Surface): string[] {
  const template = replies.deny ?? replies.halt;
  if (!template || template.exit === 2) return [];
  const reason = "anyhook could not read what a hook said (see anyhook status)";
  const none = { input: "", context: "", notice: "", clampedFrom: "", unenforced: "" } as const;
  const { stdout } = encodeReply(template, { verdict: "deny", reason, ...none }, "");
  return [`closed\t${stdout.trimEnd()}`];
}

/** Which names mean which harness and event, and where the harness names its project. */
export function harnessesFile(adapters: readonly Adapter[], version: string): string {
  const harnesses = adapters.map((adapter) => {
    const hint =
      adapter.projectDir.map((name) => `\${${name}:-`).join("") +
      "}".repeat(adapter.projectDir.length);
    const names = [adapter.id, ...adapter.aliases].join(" | ");
    const wire = adapter.wire ? "wire" : "";
    const guests = guestsOf(adapter, adapters);
    const told = guests.filter(({ presence }) => presence.inside.length === 0).map(guestMark);
    const tests = guests
      .filter(({ presence }) => presence.inside.length > 0)
      .map((guest) => `\n      ${guestTest(guest)} || AH_GUESTS="$AH_GUESTS ${guestMark(guest)}"`);
    const sure = told.length === 0 ? "" : ` AH_TOLD='${told.join(" ")}'`;
    return `    ${names}) AH_HARNESS=${adapter.id} AH_HINT=${hint} AH_WIRE=${wire}${sure}${tests.join("")} ;;`;
  });
  const natives = adapters.flatMap((adapter) =>
    ownNames(adapter).map(([name, event]) => `    '${adapter.id}:${name}') AH_EVENT=${event} ;;`),
  );
  const events = EVENT_NAMES.map((name) => {
    const names = [...namesOf(name)];
    return `    ${names.map((n) => `'${n}'`).join(" | ")}) AH_EVENT=${name} ;;`;
  });
  const plugins = adapters.flatMap(({ id, settings: { plugin } }) =>
    plugin ? [`  if ${plugin}; then AH_HARNESS=${id}; return; fi`] : [],
  );
  return `# Written by the build from the adapters. Do not edit.
AH_VERSION='${version}'
AH_KNOWN='${adapters.map((a) => a.id).join(", ")}'
ah_harness() {
  AH_GUESTS= AH_TOLD=
  case $1 in
${harnesses.join("\n")}
    # Our own commands may act for a harness that nobody has described.
    *[!a-z0-9-]* | '') return 1 ;;
    *) [ -n "$AH_BY" ] && AH_HARNESS=$1 AH_HINT= ;;
  esac
}
ah_event() {
  case $AH_HARNESS:$1 in
${natives.join("\n")}
    *) ah_known_event "$1" || return 1 ;;
  esac
  [ -f "$AH_DIST/facts/\${AH_BY:-$AH_HARNESS}/$AH_EVENT" ]
}
ah_known_event() {
  case $1 in
${events.join("\n")}
    */* | .*) return 1 ;;
    *) AH_EVENT=$1 ;;
  esac
}
ah_plugin() {
${plugins.join("\n")}
  return 1
}
`;
}

/** Native names that do not already mean that event by themselves. */
const ownNames = (adapter: Adapter): [string, EventName][] =>
  [...nativeEvents(adapter)].filter(([name, event]) => !namesOf(event).has(name));

const namesOf = (name: EventName): Set<string> =>
  new Set([name, ...EVENTS[name].aliases].flatMap((one) => [one, ...spellings(one)]));

/** Harnesses that take hooks from this one's settings too, and can be told by what they send. */
const guestsOf = (host: Adapter, adapters: readonly Adapter[]): Adapter[] =>
  adapters.filter(
    ({ id, presence, settings }) =>
      id !== host.id &&
      (presence.payload?.length ?? 0) > 0 &&
      settings.alsoReads?.some((file) => Object.values(host.settings.files).includes(file)),
  );

const guestTest = ({ presence }: Adapter): string =>
  `[ -z "${presence.inside.map((name) => `\${${name}:-}`).join("")}" ]`;

const guestMark = ({ id, presence }: Adapter): string => `${id}:${presence.payload!.join(",")}`;

/** kebab, snake and UPPER_SNAKE. */
function spellings(name: string): string[] {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").split(/[ .-]/);
  const lower = words.map((word) => word.toLowerCase());
  return [lower.join("-"), lower.join("_"), lower.join("_").toUpperCase()];
}

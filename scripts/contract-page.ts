import { budgetOf, takesContext, takesNotice } from "../src/adapters/_contract.ts";
import type { Adapter, ReplyTemplate, Surface } from "../src/adapters/_contract.ts";
import { EVENT_NAMES, EVENTS, type EventName } from "../src/events.ts";
import { code, table, WRITTEN, yesNo } from "./markdown.ts";

/** docs/contract.md, from the adapters. */
export function contractPage(adapters: readonly Adapter[]): string {
  return `${WRITTEN}

# Contract: what each harness can do

Every cell comes from the harness's adapter in \`src/adapters/\`, which both lanes of the dispatcher
read as well. *Evidence* says how it is known: \`proven\` means that a real client of that version was
driven, \`source\` that its code was read, \`documentation\` that its page says so.

${table(["harness", "id", "evidence", "version", "source"], adapters.map(headline))}

## Which events reach us

A native event name, or **unsupported**: then a hook for that event never fires on that harness.

${table(
  ["event", ...adapters.map((adapter) => adapter.title)],
  EVENT_NAMES.map((event) => [
    code(event),
    ...adapters.map((adapter) => nativeName(adapter, event)),
  ]),
)}

${adapters.map(harnessSection).join("\n\n")}
`;
}

const headline = (adapter: Adapter): string[] => [
  adapter.title,
  [adapter.id, ...adapter.aliases].map(code).join(", "),
  adapter.evidence,
  adapter.source.version,
  `<${adapter.source.url}>`,
];

function nativeName(adapter: Adapter, event: EventName): string {
  const surface = adapter.surfaces[event];
  return surface ? code(surface.native) : "**unsupported**";
}

function harnessSection(adapter: Adapter): string {
  const rows = EVENT_NAMES.flatMap((event) => {
    const surface = adapter.surfaces[event];
    return surface ? [surfaceRow(event, surface)] : [];
  });
  const tools = Object.entries(adapter.tools)
    .filter(([native, { names, input }]) => names.join() !== native || input !== undefined)
    .map(([native, { names, input }]) => [code(native), names.map(code).join(", "), keys(input)]);
  const observed = adapter.observes.map(code).join(", ");
  return `## ${adapter.title}

A dash means that it cannot be said there; the next columns say what it becomes instead.

${table(["event", "block", "ask", "rewrite", "allow", "stop", "context", "notice", "a deny becomes", "an ask becomes", "our deadline"], rows)}

${[...payloads(adapter), ...remarks(adapter)].map((line) => `- ${line}`).join("\n")}

Tools that have another name or other keys here (all others keep theirs):

${table(["native", "in matchers", "keys of the input"], tools)}

Observe-only, under their native name: ${observed || "none"}.`;
}

const keys = (input: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(input ?? {})
    .map(([from, to]) => `${code(from)} → ${code(to)}`)
    .join(", ");

function payloads({ wire, fails, settings }: Adapter): string[] {
  const also = settings.alsoReads?.map(code).join(", ");
  return [
    wire
      ? "Its payloads are made canonical; `payload: native` gets them as sent."
      : "Its payloads have the canonical form already and are passed on byte for byte.",
    `Without our command it would ${fails.missing}; with one that dies ${fails.crash}; with one that is late ${fails.late}.`,
    ...(also ? [`It takes hooks from ${also} as well.`] : []),
  ];
}

/** What a surface does that its row does not say. */
function remarks(adapter: Adapter): string[] {
  return EVENT_NAMES.flatMap((event) => {
    const { remark, turns, ignore, echoesStop } = adapter.surfaces[event] ?? {};
    const said = [
      ...(remark ? [remark] : []),
      ...(turns
        ? [`with ${turns.field.split("|").map(code).join(" or ")} in it, it is ${code(turns.into)}`]
        : []),
      ...(ignore
        ? [
            `no hook runs where ${code(ignore.field)} is ${ignore.is === undefined ? "there" : `"${ignore.is}"`} (${ignore.why})`,
          ]
        : []),
      ...(echoesStop ? ["no hook runs for the reason of a Stop block, sent as a prompt"] : []),
    ];
    return said.map((line) => `${code(event)}: ${line}.`);
  });
}

const surfaceRow = (event: EventName, surface: Surface): string[] => [
  code(event),
  yesNo(surface.replies.deny !== undefined),
  yesNo(surface.replies.ask !== undefined),
  yesNo(surface.replies.rewrite !== undefined),
  yesNo(surface.replies.allow !== undefined),
  yesNo(surface.replies.halt !== undefined),
  yesNo(takesContext(surface)),
  yesNo(takesNotice(surface)),
  denyBecomes(event, surface),
  askBecomes(event, surface),
  `${budgetOf(surface) / 1000} s`,
];

function denyBecomes(event: EventName, surface: Surface): string {
  const { replies } = surface;
  if (!EVENTS[event].block) return feedback(surface);
  if (replies.deny) return spoken(replies.deny);
  return replies.halt ? `a stop: ${spoken(replies.halt)}` : "unenforced, and recorded as such";
}

const feedback = (surface: Surface): string =>
  `nothing can be blocked: ${takesContext(surface) ? "feedback to the model" : "a warning, recorded"}`;

function askBecomes(event: EventName, { replies }: Surface): string {
  if (replies.ask) return spoken(replies.ask);
  if (EVENTS[event].block && (replies.deny || replies.halt)) return "a deny";
  return "unenforced, and recorded as such";
}

/** How a reply is said: exit code, which JSON members, where the reason stands. */
function spoken({ exit, out, err }: ReplyTemplate): string {
  const members = ["permissionDecision", "behavior", "decision", "continue", "cancel"];
  const said = members.find(
    (member) => out.includes(`"${member}":`) && !out.includes(`"${member}":{`),
  );
  const value = said === undefined ? undefined : new RegExp(`"${said}":("?\\w+"?)`).exec(out)?.[1];
  return [
    `exit ${exit}`,
    ...(said === undefined ? [] : [code(`${said}: ${value}`)]),
    ...(err === "" ? [] : ["reason on stderr"]),
  ].join(", ");
}

import { budgetOf, takesContext, takesNotice } from "../adapters/_contract.ts";
import { SCOPES } from "../adapters/_settings.ts";
import type { Adapter, ReplyTemplate, Surface } from "../adapters/_contract.ts";
import { EVENT_NAMES, EVENTS, type EventName } from "../events.ts";
import { code, table, WRITTEN, yesNo } from "./_markdown.ts";
import { contractOf, type ContractRow } from "./contract.ts";
import { fallbackAt, lifecycleAt } from "./fallback.ts";

/** docs/contract.md, from the adapters. */
export function contractPage(adapters: readonly Adapter[]): string {
  return `${WRITTEN}

# Contract: what each harness can do

Every cell comes from the harness's adapter in \`src/adapters/\`, which both lanes of the dispatcher
read as well. *Evidence* says how it is known: \`proven\` means that a real client of that version was
driven, \`source\` that its code was read, \`documentation\` that its page says so and nobody has tried
it with us. \`anyhook contract\` prints the same table, \`anyhook contract --check\` compares this page
and the plugin's manifest with it.

${table(["harness", "id", "evidence", "version", "source"], adapters.map(headline))}

## Which events reach us

**B** a hook can block, **A** ask, **R** rewrite, **C** add context for the model; \`–\` hooks run and
look on; empty: unsupported, a hook for that event never fires on that harness.

${table(
  ["harness", ...EVENT_NAMES.map(code)],
  adapters.map((adapter) => [
    adapter.title,
    ...contractOf(adapter).map((row) => (row.support === "native" ? flagsOf(row) : " ")),
  ]),
)}

## Where there are no hooks

In a version of a harness that has none, or in one that has none at all, these commands stand in
(*adapted*); a skill or a person calls them. Everything else is *unsupported* there: it is never
mapped to something that does nothing.

${table(["event", "support", "instead"], EVENT_NAMES.map(hooklessRow))}

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

function flagsOf({ can, event }: ContractRow): string {
  const blocks = EVENTS[event].block && (can.block || can.stop);
  const flags = [
    blocks ? "B" : "",
    can.ask ? "A" : "",
    can.rewrite ? "R" : "",
    can.context ? "C" : "",
  ];
  return flags.join("") || "–";
}

function hooklessRow(event: EventName): string[] {
  const standIn = lifecycleAt("<harness>", event);
  if (standIn) return [code(event), "adapted", standIn.text];
  return [code(event), "unsupported", fallbackAt("<harness>", event)];
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
  const missing = contractOf(adapter).filter(({ support }) => support === "unsupported");
  return `## ${adapter.title}

${aboutText(adapter)}

A dash means that it cannot be said there; the next columns say what it becomes instead.

${table(["event", "native", "block", "ask", "rewrite", "allow", "stop", "context", "notice", "a deny becomes", "an ask becomes", "our deadline"], rows)}

${unsupportedText(missing)}${remarksText(adapter)}${toolsText(tools)}
Observe-only, under their native name: ${observed || "none"}.`;
}

function aboutText({ settings, fails, presence }: Adapter): string {
  const places = SCOPES.flatMap((scope) => {
    const file = settings.files[scope];
    return file === undefined ? [] : [`${scope} ${code(file)}`];
  });
  const dead = (what: keyof typeof fails): string =>
    fails[what] === "deny" ? "denies" : "goes on";
  return [
    `- Settings: ${places.join(", ") || "none"} (${settings.format}); an edit counts ${settings.reload === "live" ? "at once" : "from the next session on"}.`,
    `- Hooks since version ${presence.since || "the first that we know"}; before they run: ${settings.trust || "nothing to do"}.`,
    `- When our command is gone it ${dead("missing")}, when it dies it ${dead("crash")}, when it is late it ${dead("late")}.`,
  ].join("\n");
}

const unsupportedText = (rows: readonly ContractRow[]): string =>
  rows.length === 0
    ? ""
    : `Unsupported here, and what to use instead:

${table(
  ["event", "instead"],
  rows.map(({ event, fallback }) => [code(event), fallback]),
)}

`;

const remarksText = (adapter: Adapter): string =>
  `${[...payloads(adapter), ...remarks(adapter)].map((line) => `- ${line}`).join("\n")}\n\n`;

const keys = (input: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(input ?? {})
    .map(([from, to]) => `${code(from)} → ${code(to)}`)
    .join(", ");

function payloads({ wire, settings }: Adapter): string[] {
  const also = settings.alsoReads?.map(code).join(", ");
  return [
    wire
      ? "Its payloads are made canonical; `payload: native` gets them as sent."
      : "Its payloads have the canonical form already and are passed on byte for byte.",
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

const toolsText = (tools: readonly string[][]): string =>
  tools.length === 0
    ? ""
    : `Tools that have another name or other keys here (all others keep theirs):

${table(["native", "in matchers", "keys of the input"], tools)}

`;

const surfaceRow = (event: EventName, surface: Surface): string[] => [
  code(event),
  [surface.native, ...(surface.also ?? [])].map(code).join(", "),
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
  const members = [
    "permissionDecision",
    "permission",
    "behavior",
    "decision",
    "continue",
    "cancel",
  ];
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

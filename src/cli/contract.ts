import { ADAPTERS } from "../adapters/_all.ts";
import { resolveEvent } from "../events.ts";
import { contractOf, type ContractRow } from "../install/contract.ts";
import { driftOf, type Drift } from "../install/drift.ts";
import type { Answer, Call } from "./_call.ts";
import { Misuse } from "./_call.ts";
import type { Paint } from "./_paint.ts";
import { adapterNamed } from "./_surface.ts";
import { table } from "./_table.ts";
import { count } from "./_words.ts";

export async function contract(call: Call): Promise<Answer> {
  if (call.flag("check")) return checked(call);
  const [name] = call.operands;
  const adapters = name === undefined ? ADAPTERS : [adapterNamed(name)];
  const event = eventAsked(call);
  const rows = adapters
    .flatMap((adapter) => contractOf(adapter, !call.flag("hookless")))
    .filter((row) => event === undefined || row.event === event);
  const text =
    name === undefined && event === undefined ? overview(rows, call) : details(rows, call);
  return { exit: 0, json: { rows }, text };
}

function eventAsked(call: Call): string | undefined {
  const written = call.text("event");
  if (written === undefined) return undefined;
  const event = resolveEvent(written);
  if (event) return event;
  throw new Misuse(`there is no event "${written}"`, "docs/events.md lists them");
}

/** One line per harness: what it has, and what is missing. */
function overview(rows: readonly ContractRow[], { paint, width }: Call): string {
  const ids = [...new Set(rows.map(({ harness }) => harness))];
  const head = ["harness", "evidence", "version", "events", "unsupported"].map(paint.quiet);
  const lines = ids.map((id) => {
    const own = rows.filter(({ harness }) => harness === id);
    const missing = own.filter(({ support }) => support === "unsupported");
    const { evidence, version } = own[0]!;
    return [
      paint.name(id),
      evidence === "proven" ? paint.good(evidence) : paint.odd(evidence),
      version,
      `${own.length - missing.length} of ${own.length}`,
      missing.map(({ event }) => event).join(", ") || "nothing",
    ];
  });
  return `${table([head, ...lines], { width })}\n\nanyhook contract <harness> says what can be done at each event.`;
}

function details(rows: readonly ContractRow[], { paint, width }: Call): string {
  const head = ["harness", "event", "support", "can", "note"].map(paint.quiet);
  const lines = rows.map((row) => [
    paint.name(row.harness),
    row.event,
    SUPPORT[row.support](paint)(row.support),
    canText(row) || "–",
    noteOf(row),
  ]);
  return table([head, ...lines], { width });
}

const SUPPORT = {
  native: (paint: Paint) => paint.good,
  adapted: (paint: Paint) => paint.odd,
  unsupported: (paint: Paint) => paint.bad,
} as const;

const canText = ({ can, support }: ContractRow): string => {
  const words = Object.entries(can).flatMap(([what, is]) => (is ? [what] : []));
  return words.join(" ") || (support === "native" ? "observe" : "");
};

const noteOf = ({ fallback, remark, since, native, event }: ContractRow): string =>
  [
    fallback === "" ? "" : `instead: ${fallback}`,
    native === "" || native === event ? "" : `as ${native}`,
    since === "" ? "" : `since ${since}`,
    remark,
  ]
    .filter((part) => part !== "")
    .join("; ");

async function checked(call: Call): Promise<Answer> {
  const drift = driftOf(ADAPTERS, call.installation);
  const text = drift.map((one) => `${call.paint.bad(one.what)}: ${one.message}\n  ${one.hint}`);
  const verdict =
    drift.length === 0
      ? call.paint.good("Docs, plugin and stanzas agree with the contract.")
      : call.paint.bad(`${count(drift.length, "difference")} from the contract.`);
  return {
    exit: drift.length === 0 ? 0 : 1,
    json: { ok: drift.length === 0, drift: drift satisfies readonly Drift[] },
    text: [...text, verdict].join("\n"),
  };
}

import type { EventProof } from "../prove/client-proof.ts";
import type { HookProof } from "../prove/own-hooks.ts";
import type { ClientReport, Report } from "../prove/prove.ts";
import type { Call } from "./_call.ts";
import { harmless, type Paint } from "./_paint.ts";
import { table, wrappedTable } from "./_table.ts";
import { count, listed } from "./_words.ts";

/** What was seen, client by client, and then hook by hook. */
export function proofText(
  report: Report,
  { paint, width }: Call,
  missing: readonly string[] = [],
): string {
  const proven = report.clients.filter(({ version }) => version !== "");
  const blocks = [
    ...(proven.some(({ events }) => events.length > 0) ? [paint.quiet(LEGEND)] : []),
    ...proven.filter(({ events }) => events.length > 0).map((one) => clientText(one, paint, width)),
    ...hooksText(proven, paint, width),
    ...proven.filter(({ causes }) => causes.length > 0).map((one) => causesText(one, paint)),
    ...proven.flatMap((one) => nativeText(one, paint, width)),
    ...unproven(report.clients, paint),
    ...(report.mistakes === 0 ? [] : [paint.bad(mistakesText(report))]),
    ...(report.without === "" ? [] : [paint.odd(partText(report))]),
    ...(report.touched.length === 0
      ? []
      : [paint.bad(`Changed meanwhile, which must not be: ${listed(report.touched)}`)]),
    lastLine(report, proven, paint),
    ...(missing.length === 0 || proven.length === 0
      ? []
      : [paint.bad(`Named, and not proven: ${listed(missing)}.`)]),
  ];
  return blocks.join("\n\n");
}

const LEGEND =
  "Hooks of our own, played in each client: how often the event came while they were, whether they ran in order, and whether what they said was done.";

const nameOf = ({ title, version }: ClientReport): string => `${title} ${version}`;

function clientText(client: ClientReport, paint: Paint, width: number): string {
  const rows = client.events.flatMap((one) => eventRows(one, paint));
  const { timing } = client;
  const times = timing
    ? [
        `  a tool call takes ${timing.without} ms without hooks and ${timing.with} ms with yours: ${timing.with - timing.without} ms added`,
      ]
    : [];
  const head = ["event", "times fired", "order kept", "enforced"].map((cell) => paint.quiet(cell));
  return [
    paint.strong(nameOf(client)),
    wrappedTable([head, ...rows], { indent: 2, width }),
    ...times,
  ].join("\n");
}

/** One line per effect. */
function eventRows(proof: EventProof, paint: Paint): string[][] {
  const { event, state, fired, order, effects } = proof;
  const why = harmless(proof.why);
  if (state === "unreachable")
    return [[paint.quiet(event), paint.quiet("–"), "", paint.quiet(`not played: ${why}`)]];
  const kept = order === undefined ? paint.quiet("–") : mark(order, paint);
  const said = [
    ...(why === "" ? [] : [paint.bad(why)]),
    ...effects.map(({ what, holds }) => `${mark(holds, paint)}: ${what}`),
  ];
  const [first, ...rest] = said.length === 0 ? [paint.quiet("nothing to enforce")] : said;
  const name = state === "held" ? paint.good(event) : paint.bad(event);
  const times = fired > 0 ? String(fired) : paint.bad("no");
  return [[name, times, kept, first!], ...rest.map((line) => ["", "", "", line])];
}

const mark = (holds: boolean, paint: Paint): string =>
  holds ? paint.good("yes") : paint.bad("NO");

/** One line per hook and event: where it holds, where it does not, and why. */
function hooksText(clients: readonly ClientReport[], paint: Paint, width: number): string[] {
  const proofs = clients.flatMap((client) => client.hooks.map((proof) => ({ client, proof })));
  if (proofs.length === 0) return [];
  const keys = [...new Set(proofs.map(({ proof }) => `${proof.hook}\0${proof.event}`))];
  const rows = keys.map((key) => {
    const of = proofs.filter(({ proof }) => `${proof.hook}\0${proof.event}` === key);
    const [{ proof }] = of as [(typeof of)[number]];
    return [hookName(of, paint), proof.event, sentence(of, paint)];
  });
  const theirs = clients.filter(({ connection }) => connection === "theirs").map(nameOf);
  const fresh = clients.filter(({ connection }) => connection === "fresh").map(nameOf);
  const notes = [
    ...(theirs.length === 0 ? [] : [`called by your own entries in ${listed(theirs)}`]),
    ...(fresh.length === 0
      ? []
      : [`not connected in your settings, so with fresh entries, in ${listed(fresh)}`]),
  ];
  return [
    [
      `${paint.strong("Your hooks")} (${notes.join("; ")})`,
      wrappedTable(rows, { indent: 2, width }),
    ].join("\n"),
  ];
}

type Of = readonly { readonly client: ClientReport; readonly proof: HookProof }[];

const hookName = (of: Of, paint: Paint): string => {
  const name = of[0]!.proof.hook;
  if (of.some(({ proof }) => proof.state === "fails")) return paint.bad(name);
  return of.some(({ proof }) => proof.state === "holds") ? paint.good(name) : paint.odd(name);
};

function sentence(of: Of, paint: Paint): string {
  const holds = of
    .filter(({ proof }) => proof.state === "holds")
    .map(({ client }) => nameOf(client));
  const others = of.filter(({ proof }) => proof.state !== "holds");
  const why = [...new Set(others.map(({ proof }) => `${proof.state}\0${proof.why}`))].map((key) => {
    const same = others.filter(({ proof }) => `${proof.state}\0${proof.why}` === key);
    const [{ proof }] = same as [(typeof same)[number]];
    const where = listed(same.map(({ client }) => nameOf(client)));
    return WORDS[proof.state](where, harmless(proof.why), paint);
  });
  return [...(holds.length === 0 ? [] : [`holds in ${listed(holds)}`]), ...why].join("; ");
}

const WORDS = {
  holds: (where) => `holds in ${where}`,
  fails: (where, why, paint) => paint.bad(`does not hold in ${where}: ${why}`),
  never: (where, why) => `never fires in ${where}: ${why}`,
  unplayed: (where, why, paint) => paint.odd(`not played in ${where}: ${why}`),
} as const satisfies Record<
  HookProof["state"],
  (where: string, why: string, paint: Paint) => string
>;

const causesText = (client: ClientReport, paint: Paint): string =>
  [
    paint.bad(`Your connection of ${nameOf(client)} is broken:`),
    ...client.causes.map((cause) => `  ${harmless(cause)}`),
  ].join("\n");

/** The same commands, registered with the client itself and with us. */
function nativeText(client: ClientReport, paint: Paint, width: number): string[] {
  if (client.native === undefined) return [];
  const head = ["natively", "with anyhook", ""].map((cell) => paint.quiet(cell));
  const rows = client.native.map(({ what, native, ours }) => [native, ours, what]);
  const title = `${paint.strong(`${nameOf(client)}, side by side`)} (the same commands)`;
  return [[title, table([head, ...rows], { indent: 2, width })].join("\n")];
}

function unproven(clients: readonly ClientReport[], paint: Paint): string[] {
  const lines = clients
    .filter(({ version, why }) => version === "" || why !== "")
    .map((one) => `  ${paint.odd(nameOf(one).trim())}: ${harmless(one.why)}`);
  return lines.length === 0 ? [] : [["Not proven:", ...lines].join("\n")];
}

const mistakesText = ({ mistakes }: Report): string =>
  `${count(mistakes, "mistake")} in what is written, and so hooks that run nowhere: anyhook validate`;

const partText = ({ without }: Report): string =>
  `Of your project only its hooks were on the stage, because ${without}: a hook that needs other files may fail here and not there.`;

function lastLine({ ok }: Report, proven: readonly ClientReport[], paint: Paint): string {
  if (proven.length === 0) return paint.odd("No client could be started: nothing is proven.");
  const clients = count(proven.length, "client");
  return ok
    ? paint.good(`What was played holds, in ${clients}.`)
    : paint.bad(`Something that should hold does not; ${clients} played.`);
}

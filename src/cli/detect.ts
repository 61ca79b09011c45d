import { ADAPTERS } from "../adapters/_all.ts";
import { connection } from "../install/connection.ts";
import { detect, type Detected, type Here } from "../install/detect.ts";
import type { Candidate } from "../install/runtime.ts";
import type { Answer, Call } from "./_call.ts";
import { siteHere } from "./_harnesses.ts";
import type { Paint } from "./_paint.ts";
import { table } from "./_table.ts";
import { listed } from "./_words.ts";

/** Exit 1 only where the environment contradicts the harness that called. */
export async function detectHere(call: Call): Promise<Answer> {
  const found = detect(ADAPTERS, call.env);
  const shown = call.flag("all")
    ? found.harnesses
    : found.harnesses.filter(({ capability }) => capability !== "absent");
  const ways = waysOf(call);
  const text = [
    ...(shown.length > 0 ? [rows(shown, ways, call)] : []),
    runtimeText(found, call.paint),
    ...(found.here ? [hereText(found.here, call.paint)] : []),
  ].join("\n\n");
  return { exit: found.here && !found.here.agrees ? 1 : 0, json: jsonOf(found, ways), text };
}

type Ways = ReadonlyMap<string, readonly string[]>;

function waysOf(call: Call): Ways {
  const site = siteHere(call);
  return new Map(ADAPTERS.map((adapter) => [adapter.id, connection(adapter, site)]));
}

const jsonOf = ({ runtime, harnesses, here }: Detected, ways: Ways): unknown => ({
  runtime,
  harnesses: harnesses.map(({ id, capability, why, seen }) => ({
    ...{ harness: id, capability, connected: ways.get(id), why },
    ...seen,
  })),
  here: here ?? null,
});

const COLOURS = { native: "good", hookless: "odd", broken: "bad", absent: "quiet" } as const;

function rows(found: readonly Candidate[], ways: Ways, { paint, width }: Call): string {
  const head = ["harness", "version", "hooks", "connected", "why"].map((word) => paint.quiet(word));
  const lines = found.map(({ id, capability, why, seen }) => [
    paint.name(id),
    seen.version || "–",
    paint[COLOURS[capability]](capability),
    ways.get(id)!.join(", ") || paint.odd("no"),
    why,
  ]);
  return table([head, ...lines], { width });
}

const runtimeText = ({ runtime }: Detected, paint: Paint): string =>
  `${paint.quiet("--runtime auto means")} ${paint.strong(runtime.name)}${paint.quiet(" here:")} ${runtime.why}`;

function hereText({ called, environment, agrees }: Here, paint: Paint): string {
  const said = environment.length === 0 ? "says nothing" : `says ${listed(environment)}`;
  const text = `Inside a hook: called as ${called}, the environment ${said}.`;
  return agrees ? text : paint.bad(`${text} The same event may have been delivered twice.`);
}

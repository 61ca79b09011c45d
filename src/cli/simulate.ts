import { join } from "node:path";
import { saidWrong } from "../compile/said-wrong.ts";
import { loadIndex } from "../dispatch/load.ts";
import { decodeOccurrence } from "../dispatch/occurrence.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { readLedger } from "../ledger/read.ts";
import type { Answer, Call } from "./_call.ts";
import { dispatcher, understood } from "./_dispatcher.ts";
import { traceOf } from "./_entries.ts";
import { payloadOf } from "./_payload.ts";
import { chances, laneOf, switchesOf } from "./_plan.ts";
import { freshen, rootHere } from "./_project.ts";
import { planText, replyText, type Simulation, wrongText } from "./_simulated.ts";
import { surfaceNamed } from "./_surface.ts";
import { traceText } from "./_trace.ts";
import { pausedSince } from "./pause.ts";

/** Who would run; with --run, what they answer. */
export async function simulate(call: Call): Promise<Answer> {
  const [harness = "", name = ""] = call.operands;
  const at = surfaceNamed(harness, name);
  const root = rootHere(call);
  const given = await payloadOf(call, at);
  const { layout, compiled, manifest, diagnostics } = await freshen(call, root);
  const event = decodeOccurrence(at.adapter, at.event, Buffer.from(given.payload), root);
  const index = {
    ...loadIndex(join(layout.slot, "gen", manifest), layout.slot, at.event),
    // The same rows, with the conditions as the user wrote them.
    hooks: compiled.hooks.filter((hook) => hook.event === at.event),
  };
  const switches = switchesOf(call.env, pausedSince(layout) !== undefined, layout.slot);
  const wrong = saidWrong(diagnostics, root);
  const simulation = { at, layout, given, event, wrong, chances: chances(index, event, switches) };
  return call.flag("run") ? ran(call, simulation) : planned(call, simulation);
}

function planned(call: Call, simulation: Simulation): Answer {
  const { at, event, chances: all } = simulation;
  const lane = laneOf(all.filter(({ runs }) => runs).map(({ hook }) => hook));
  const plan = all.map(({ hook, runs, why }) => ({
    ...{ name: hook.name, order: hook.order, runs, why, block: hook.block, source: hook.source },
  }));
  const { tool, paths } = event;
  return {
    exit: 0,
    json: { harness: at.adapter.id, event: at.event, tool, paths, lane, plan },
    text: planText(simulation, lane, call),
  };
}

async function ran(call: Call, { at, layout, given, event, wrong }: Simulation): Promise<Answer> {
  const returned = await dispatcher({
    ...{ shell: call.installation.shell, adapter: at.adapter, event: at.event },
    ...{ payload: given.payload, cwd: call.from, env: call.env },
  });
  const entry = newest(layout.ledger, event.id);
  // Not every harness is told in words that can be read back; the ledger has ours.
  const { verdict, reason } = entry?.decision ?? understood(returned);
  const trace = entry
    ? traceText(traceOf(layout, entry), call.paint, call.width)
    : "The ledger has no entry for it.";
  return {
    exit: 0,
    json: { ...returned, verdict, reason, entry: entry?.raw ?? null },
    text: [replyText(returned, call), trace, ...wrongText(wrong, call)].join("\n\n"),
  };
}

function newest(ledger: string, id: string): LedgerEntry | undefined {
  for (const entry of readLedger(ledger))
    if (entry.id === id && entry.lane !== "async") return entry;
  return undefined;
}

import { statSync } from "node:fs";
import { join } from "node:path";
import { ADAPTERS } from "../adapters/_all.ts";
import { connection } from "../install/connection.ts";
import { findings, keepFindings } from "../install/findings.ts";
import { siteHere } from "./_harnesses.ts";
import { layoutOf, storeRoot } from "../dispatch/layout.ts";
import type { Answer, Call } from "./_call.ts";
import { faultsOf, healthOf, historyOf } from "./_health.ts";
import { hookViews } from "./_hooks.ts";
import { freshen, rootHere } from "./_project.ts";
import { queueOf } from "./_queue.ts";
import { type Report, statusText } from "./_status-text.ts";
import { pausedSince } from "./pause.ts";

/** One look at everything; exit 1 when something is failing. */
export async function status(call: Call): Promise<Answer> {
  if (call.flag("keep")) return keep(call);
  const report = await look(call);
  return { exit: report.ok ? 0 : 1, json: statusJson(report), text: statusText(report, call) };
}

/** When a session has ended, by dispatch.sh: nobody reads what is printed. */
async function keep(call: Call): Promise<Answer> {
  const site = siteHere(call);
  const layout = layoutOf(rootHere(call), call.env);
  const found = await findings(ADAPTERS, site, layout.project);
  keepFindings(site, layout.root, found);
  const json = { silent: found.silent.length, missed: found.missed.length };
  return { exit: 0, json, text: "" };
}

async function look(call: Call): Promise<Report> {
  const root = rootHere(call);
  const { layout, compiled, manifest, diagnostics } = await freshen(call, root);
  const history = historyOf(layout.ledger);
  const hooks = hookViews(compiled, root).map((view) => healthOf(view, history));
  const faults = faultsOf(storeRoot(call.env));
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const unwell = hooks.some(({ failing, view }) => failing || view.state === "bad");
  const { silent, missed } = await findings(ADAPTERS, siteHere(call), layout.project);
  // A generation is written once, when its content is new: its time is that of the last change.
  const made = statSync(join(layout.slot, "gen", manifest), { throwIfNoEntry: false })?.mtime;
  return {
    ...{ layout, manifest, made, hooks, history, faults, diagnostics, errors },
    ...{ silent, missed },
    callers: callersHere(call),
    paused: pausedSince(layout),
    queue: queueOf(layout),
    active: hooks.filter(({ view }) => view.rows.some(({ broken }) => broken === "")).length,
    ok: errors === 0 && !faults.recent && !unwell && silent.length + missed.length === 0,
  };
}

const callersHere = (call: Call): Report["callers"] => {
  const site = siteHere(call);
  return ADAPTERS.map((adapter) => ({
    ...{ harness: adapter.id, title: adapter.title, ways: connection(adapter, site) },
  })).filter(({ ways }) => ways.length > 0);
};

function statusJson(report: Report): unknown {
  const { ok, layout, manifest, active, history, faults, errors, diagnostics } = report;
  const hooks = report.hooks.map(({ view, ...health }) => ({
    ...{ name: view.name, state: view.state, why: view.why },
    ...health,
    last: health.last ?? null,
  }));
  return {
    ...{ ok, project: layout.root, store: layout.project, slot: layout.slot, manifest },
    compiledAt: report.made?.toISOString() ?? "",
    paused: report.paused !== undefined,
    ...{ active, events: history.events, lastEvent: history.lastTime, hooks },
    callers: report.callers.map(({ harness, ways }) => ({ harness, ways })),
    silent: report.silent.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() })),
    missed: report.missed.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() })),
    ...{ refused: history.refused, unenforced: history.unenforced, faults },
    ...{ suspended: history.suspended, queue: report.queue },
    damaged: history.damaged,
    diagnostics: { errors, warnings: diagnostics.length - errors },
  };
}

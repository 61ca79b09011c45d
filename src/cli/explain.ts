import { ADAPTERS } from "../adapters/_all.ts";
import { suggest } from "../events.ts";
import { readLedger } from "../ledger/read.ts";
import { midnight, NO_RUNS, runsOf, type Runs } from "../ledger/runs.ts";
import type { EventSettings } from "../model.ts";
import { type Answer, type Call, Missing } from "./_call.ts";
import { diagnosticJson, diagnosticText } from "./_diagnostics.ts";
import { factsText, reachText, whatRuns } from "./_explained.ts";
import { hookJson, type HookView, hookViews } from "./_hooks.ts";
import { harmless } from "./_paint.ts";
import { type Fresh, freshen, rootHere } from "./_project.ts";
import { reachOf, type Reach } from "./_reach.ts";
import { indented } from "./_table.ts";
import { ago, count } from "./_words.ts";

/** Everything about one hook. */
export async function explain(call: Call): Promise<Answer> {
  const root = rootHere(call);
  const fresh = await freshen(call, root);
  const view = find(hookViews(fresh.compiled, root), call.operands[0]!);
  const reaches = reachesOf(view, fresh);
  const runs = runsOf(readLedger(fresh.layout.ledger), midnight()).get(view.name) ?? NO_RUNS;
  const { paint } = call;
  const text = [
    title(view, call),
    indented(factsText(view, fresh.compiled.hooks, root, paint), 2),
    ...(reaches.length > 0
      ? [`${paint.strong("What it can do")}\n${reachText(reaches, paint)}`]
      : []),
    `${paint.strong("So far")}\n  ${runsText(runs)}`,
    ...(view.diagnostics.length > 0
      ? [view.diagnostics.map((one) => diagnosticText(one, root, paint)).join("\n")]
      : []),
  ].join("\n\n");
  return { exit: 0, json: explainJson(view, reaches, runs, root), text };
}

function find(views: readonly HookView[], name: string): HookView {
  const view = views.find((one) => one.name === name);
  if (view) return view;
  const near = suggest(
    name,
    views.map((one) => one.name),
  );
  const hint = near
    ? `did you mean ${near}?`
    : views.length === 0
      ? "there are no hooks here"
      : "anyhook list shows them all";
  throw new Missing(`there is no hook "${name}"`, hint);
}

function reachesOf({ rows }: HookView, { compiled }: Fresh): Reach[] {
  const settings: Readonly<Record<string, EventSettings>> = compiled.settings;
  return ADAPTERS.flatMap((adapter) =>
    rows.map((row) => reachOf(row, adapter, settings[row.event]?.blockable ?? false)),
  );
}

function title({ name, state, why, layer, description }: HookView, { paint }: Call): string {
  const colour = state === "active" ? paint.good : state === "bad" ? paint.bad : paint.odd;
  const head = `${paint.strong(name)}  ${colour(state)}${why === "" ? "" : ` (${harmless(why)})`}  ${paint.quiet(`${layer} layer`)}`;
  return description === "" ? head : `${head}\n${harmless(description)}`;
}

function runsText({ runs, failures, inARow, failingSince, last }: Runs): string {
  if (!last) return "never ran";
  const failed = failures === 0 ? "none failed" : `${failures} failed`;
  const streak =
    inARow === 0 ? "" : `; failing since ${ago(failingSince)}, ${count(inARow, "time")} in a row`;
  const said =
    last.status === "ok"
      ? last.verdict
      : `${last.status}${last.detail === "" ? "" : ` (${harmless(last.detail)})`}`;
  return `${count(runs, "run")}, ${failed}${streak}; last ${ago(last.time)}: ${said}`;
}

function explainJson(view: HookView, reaches: readonly Reach[], runs: Runs, root: string): unknown {
  const [row] = view.rows;
  return {
    ...hookJson(view),
    runs: whatRuns(view),
    timeout: row?.timeout ?? view.definition?.timeout ?? null,
    onFailure: row?.onFailure ?? view.definition?.onFailure ?? "allow",
    async: row?.async ?? false,
    once: row?.once ?? false,
    harness: row?.harness ?? [],
    reach: reaches,
    history: { ...runs, last: runs.last ?? null },
    diagnostics: view.diagnostics.map((one) => diagnosticJson(one, root)),
  };
}

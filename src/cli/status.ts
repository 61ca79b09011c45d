import { statSync } from "node:fs";
import { join } from "node:path";
import { storeRoot } from "../dispatch/layout.ts";
import type { Answer, Call } from "./_call.ts";
import { tallied } from "./_diagnostics.ts";
import { type Faults, faultsOf, healthOf, historyOf, type History, type HookHealth, type Remark } from "./_health.ts";
import { hookViews } from "./_hooks.ts";
import { oneLine } from "./_paint.ts";
import { type Fresh, freshen, rootHere } from "./_project.ts";
import { table } from "./_table.ts";
import { ago, clock, count } from "./_words.ts";
import { pausedSince } from "./pause.ts";

/** One look at everything; exit 1 when something is failing. */
export async function status(call: Call): Promise<Answer> {
  const root = rootHere(call);
  const fresh = await freshen(call, root);
  const history = historyOf(fresh.layout.ledger);
  const hooks = hookViews(fresh.compiled, root).map((view) => healthOf(view, history));
  const faults = faultsOf(storeRoot(call.env));
  const errors = fresh.diagnostics.filter(({ severity }) => severity === "error").length;
  const ok = errors === 0 && !faults.recent && !hooks.some(({ failing, view }) => failing || view.state === "bad");
  const text = [
    aboutText(call, fresh, hooks, history),
    ...(hooks.length > 0 ? [hookTable(call, hooks)] : []),
    ...remarks(call, history, faults, fresh),
    verdictText(call, ok, hooks, errors, faults),
  ].join("\n\n");
  return { exit: ok ? 0 : 1, json: statusJson(fresh, history, hooks, faults, ok), text };
}

const compiledAt = ({ layout, manifest }: Fresh): Date | undefined =>
  statSync(join(layout.slot, "gen", manifest), { throwIfNoEntry: false })?.mtime;

function aboutText({ paint }: Call, fresh: Fresh, hooks: readonly HookHealth[], history: History): string {
  const { layout, manifest } = fresh;
  const since = pausedSince(layout);
  const made = compiledAt(fresh);
  const active = hooks.filter(({ view }) => view.rows.length > 0).length;
  const rows: [string, string][] = [
    ["project", layout.root || "none here; user and managed hooks only"],
    ["store", layout.project],
    ["manifest", `${manifest}${made ? `, made ${ago(made)}` : ""}`],
    ["hooks", `${active} active, ${hooks.length - active} not running`],
    ["events", history.lastTime === "" ? "none yet" : `${history.events} so far, the last ${ago(history.lastTime)}; ${history.decided} decided within a day`],
    ["paused", since ? paint.odd(`yes, ${ago(since)}; anyhook resume`) : "no"],
  ];
  return table(rows.map(([key, value]) => [paint.quiet(key), value]));
}

function hookTable({ paint, width }: Call, hooks: readonly HookHealth[]): string {
  const head = ["hook", "state", "last run", "today", "note"].map((word) => paint.quiet(word));
  const rows = hooks.map((hook) => {
    const colour = hook.failing || hook.view.state === "bad" ? paint.bad : hook.inert === "" ? paint.good : paint.odd;
    const last = hook.last ? ago(hook.last.time) : paint.quiet("never");
    return [paint.name(hook.view.name), colour(stateWord(hook)), last, String(hook.today), noteText(hook)];
  });
  return table([head, ...rows], { width });
}

function stateWord({ view, inert, failing }: HookHealth): string {
  if (view.state !== "active") return view.state;
  if (failing) return "failing";
  return inert === "" ? "fine" : inert;
}

function noteText({ inARow, failingSince, last, view }: HookHealth): string {
  if (inARow > 0) {
    const why = last?.detail ? `: ${oneLine(last.detail)}` : "";
    return `failed ${count(inARow, "time")} in a row, since ${clock(failingSince)}${why}`;
  }
  return oneLine(view.why);
}

function remarks({ paint }: Call, history: History, faults: Faults, { diagnostics }: Fresh): string[] {
  const found = tallied(diagnostics);
  const lines = [
    ...(found === "" ? [] : [`${found} in what is written: run anyhook validate`]),
    ...remarkLines("block refused", history.refused),
    ...remarkLines("decision not enforced", history.unenforced, "decisions not enforced"),
    ...(faults.count > 0 ? [`${count(faults.count, "fault")} of the dispatcher, the last ${ago(faults.time)}: ${oneLine(faults.last)}`] : []),
    ...(history.damaged > 0 ? [`${count(history.damaged, "damaged line")} in the ledger`] : []),
  ];
  return lines.length === 0 ? [] : [lines.map((line) => paint.odd(line)).join("\n")];
}

function remarkLines(one: string, all: readonly Remark[], many = `${one.replace("block", "blocks")}`): string[] {
  const [last] = all;
  if (!last) return [];
  const who = last.hook === "" ? "" : `${last.hook}: `;
  return [`${count(all.length, one, many)} within a day, the last at ${clock(last.time)} (${who}${oneLine(last.text)})`];
}

function verdictText({ paint }: Call, ok: boolean, hooks: readonly HookHealth[], errors: number, faults: Faults): string {
  if (ok) return paint.good("All is well.");
  const names = (all: readonly HookHealth[]): string => `(${all.map(({ view }) => view.name).join(", ")})`;
  const failing = hooks.filter((hook) => hook.failing);
  const bad = hooks.filter(({ view }) => view.state === "bad");
  const parts = [
    ...(failing.length > 0 ? [`${count(failing.length, "hook fails", "hooks fail")} ${names(failing)}`] : []),
    ...(bad.length > 0 ? [`${count(bad.length, "hook has a mistake", "hooks have mistakes")} ${names(bad)}`] : []),
    ...(bad.length === 0 && errors > 0 ? [count(errors, "mistake")] : []),
    ...(faults.recent ? [`the dispatcher had ${count(faults.count, "fault")}`] : []),
  ];
  return paint.bad(`Not well: ${parts.join("; ")}.`);
}

function statusJson(fresh: Fresh, history: History, hooks: readonly HookHealth[], faults: Faults, ok: boolean): unknown {
  const { layout, manifest, diagnostics } = fresh;
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return {
    ...{ ok, project: layout.root, store: layout.project, slot: layout.slot, manifest },
    compiledAt: compiledAt(fresh)?.toISOString() ?? "",
    paused: pausedSince(layout) !== undefined,
    active: hooks.filter(({ view }) => view.rows.length > 0).length,
    events: history.events,
    lastEvent: history.lastTime,
    hooks: hooks.map(({ view, inert, failing, runs, today, failures, inARow, failingSince, last }) => ({
      ...{ name: view.name, state: view.state, why: view.why, inert, failing, runs, today, failures, inARow, failingSince },
      last: last ?? null,
    })),
    ...{ refused: history.refused, unenforced: history.unenforced, faults, damaged: history.damaged },
    diagnostics: { errors, warnings: diagnostics.length - errors },
  };
}

import type { Layout } from "../dispatch/layout.ts";
import type { Diagnostic } from "../model.ts";
import type { Call } from "./_call.ts";
import { grouped, missedText, silentText, type Findings } from "../install/findings.ts";
import { tallied } from "./_diagnostics.ts";
import type { Faults, History, HookHealth, Remark } from "./_health.ts";
import { oneLine, type Paint } from "./_paint.ts";
import type { Queue } from "./_queue.ts";
import { table } from "./_table.ts";
import { ago, clock, count } from "./_words.ts";

export interface Report extends Findings {
  readonly ok: boolean;
  readonly layout: Layout;
  readonly manifest: string;
  /** When the hooks last changed. */
  readonly made: Date | undefined;
  readonly paused: Date | undefined;
  readonly queue: Queue;
  readonly active: number;
  readonly hooks: readonly HookHealth[];
  readonly history: History;
  readonly faults: Faults;
  /** Harnesses that call us here, and by which ways. */
  readonly callers: readonly Caller[];
  readonly errors: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface Caller {
  readonly harness: string;
  readonly title: string;
  readonly ways: readonly string[];
}

export function statusText(report: Report, { paint, width }: Call): string {
  const remarks = remarksOf(report).map((line) => paint.odd(line));
  return [
    aboutText(report, paint),
    ...(report.hooks.length > 0 ? [hookTable(report.hooks, paint, width)] : []),
    ...(remarks.length > 0 ? [remarks.join("\n")] : []),
    verdictText(report, paint),
  ].join("\n\n");
}

function aboutText({ layout, history, ...report }: Report, paint: Paint): string {
  const { manifest, made, active, hooks, paused, queue, callers } = report;
  const events = `${history.events} so far, the last ${ago(history.lastTime)}`;
  const rows: [string, string][] = [
    ["project", layout.root || "none here; user and managed hooks only"],
    ["store", layout.project],
    ["manifest", `${manifest}${made ? `, made ${ago(made)}` : ""}`],
    ["hooks", `${active} active, ${hooks.length - active} not running`],
    ["called by", callersText(callers)],
    ["events", history.events === 0 ? "none yet" : `${events}; ${history.decided} decided today`],
    ...queueRow(queue),
    ["paused", paused ? paint.odd(`yes, ${ago(paused)}; anyhook resume`) : "no"],
  ];
  return table(rows.map(([key, value]) => [paint.quiet(key), value]));
}

const callersText = (callers: readonly Caller[]): string =>
  callers.map(({ title, ways }) => `${title} (${ways.join(", ")})`).join(", ") ||
  "no harness; anyhook install";

/** Only when there is something in it. */
function queueRow({ waiting, running, givenUp, messages }: Queue): [string, string][] {
  const parts = [
    ...(waiting + running > 0 ? [`${waiting} waiting, ${running} running`] : []),
    ...(givenUp > 0 ? [`${givenUp} given up`] : []),
    ...(messages > 0 ? [`${count(messages, "result")} to be told`] : []),
  ];
  return parts.length === 0 ? [] : [["async", parts.join(", ")]];
}

function hookTable(hooks: readonly HookHealth[], paint: Paint, width: number): string {
  const head = ["hook", "state", "last run", "today", "note"].map((word) => paint.quiet(word));
  const rows = hooks.map((hook) => {
    const unwell = hook.failing || hook.view.state === "bad";
    const colour = unwell ? paint.bad : hook.inert === "" ? paint.good : paint.odd;
    const last = hook.last ? ago(hook.last.time) : paint.quiet("never");
    const state = colour(stateWord(hook));
    return [paint.name(hook.view.name), state, last, String(hook.today), noteText(hook)];
  });
  return table([head, ...rows], { width });
}

function stateWord({ view, inert, failing }: HookHealth): string {
  if (view.state !== "active") return view.state;
  if (failing) return "failing";
  return inert === "" ? "fine" : inert;
}

function noteText({ inARow, failingSince, last, view }: HookHealth): string {
  if (inARow === 0) return oneLine(view.why);
  const why = last?.detail ? `: ${oneLine(last.detail)}` : "";
  const since = clock(failingSince);
  return (inARow === 1 ? `failed at ${since}` : `failed ${inARow} times, since ${since}`) + why;
}

function remarksOf({ diagnostics, history, faults, silent, missed }: Report): string[] {
  const found = tallied(diagnostics);
  const fault = `the last ${ago(faults.time)}: ${oneLine(faults.last)}`;
  return [
    ...(found === "" ? [] : [`${found} in what is written: run anyhook validate`]),
    ...remarkLine("block refused", "blocks refused", history.refused),
    ...remarkLine("decision not enforced", "decisions not enforced", history.unenforced),
    ...silent.map((one) => silentText(one, ago(one.at))),
    ...grouped(missed).map((one) => missedText(one, ago(one.at))),
    ...remarkLine("hook suspended", "hooks suspended", history.suspended),
    ...(faults.count > 0 ? [`${count(faults.count, "fault")} of the dispatcher, ${fault}`] : []),
    ...(history.damaged > 0 ? [`${count(history.damaged, "damaged line")} in the ledger`] : []),
  ];
}

function remarkLine(one: string, many: string, all: readonly Remark[]): string[] {
  const [last] = all;
  if (!last) return [];
  const who = last.hook === "" ? last.harness : last.hook;
  const what = oneLine(last.text).replace(/^block refused: /, "");
  return [`${count(all.length, one, many)} within a day, the last by ${who}: ${what}`];
}

function verdictText(report: Report, paint: Paint): string {
  const { ok, hooks, errors, faults, silent, missed, paused } = report;
  if (ok && paused) return paint.odd("Paused: no hook runs here until anyhook resume.");
  if (ok) return paint.good("All is well.");
  const failing = hooks.filter((hook) => hook.failing);
  const bad = hooks.filter(({ view }) => view.state === "bad");
  const names = (all: readonly HookHealth[]): string =>
    `(${all.map(({ view }) => view.name).join(", ")})`;
  const parts = [
    ...(failing.length > 0
      ? [`${count(failing.length, "hook fails", "hooks fail")} ${names(failing)}`]
      : []),
    ...(bad.length > 0
      ? [`${count(bad.length, "hook has a mistake", "hooks have mistakes")} ${names(bad)}`]
      : []),
    ...(bad.length === 0 && errors > 0 ? [count(errors, "mistake")] : []),
    ...(silent.length > 0 ? [`${silent.map(({ title }) => title).join(", ")} called nothing`] : []),
    ...(missed.length > 0 ? [count(missed.length, "hook was missed", "hooks were missed")] : []),
    ...(faults.recent ? [`the dispatcher had ${count(faults.count, "fault")}`] : []),
  ];
  return paint.bad(`Not well: ${parts.join("; ")}.`);
}

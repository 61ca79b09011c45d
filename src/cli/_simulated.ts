import { takesContext } from "../adapters/_contract.ts";
import type { Layout } from "../dispatch/layout.ts";
import type { Occurrence } from "../model.ts";
import type { Call } from "./_call.ts";
import type { Returned } from "./_dispatcher.ts";
import { harmless, type Paint } from "./_paint.ts";
import type { Given } from "./_payload.ts";
import type { Chance } from "./_plan.ts";
import { NO_PROJECT_TEXT } from "./_project.ts";
import type { At } from "./_surface.ts";
import { indented, table } from "./_table.ts";
import { count, listed } from "./_words.ts";

export interface Simulation {
  readonly at: At;
  readonly layout: Layout;
  readonly given: Given;
  readonly event: Occurrence;
  readonly chances: readonly Chance[];
  /** What is wrong with the hooks: who is not in the plan may be missing because of it. */
  readonly wrong: string;
}

export const wrongText = (wrong: string, { paint }: Call): string[] =>
  wrong === "" ? [] : [paint.bad(harmless(`${wrong}.`))];

const UNFED = "No payload given: hooks that look at a tool, a command or a prompt cannot match.";

const LANES: Readonly<Record<string, string>> = {
  shell: ", without starting Node",
  node: ", in one Node process",
};

export function planText(simulation: Simulation, lane: string, call: Call): string {
  const { paint, width } = call;
  const { at, layout, given, event, chances } = simulation;
  const running = chances.filter(({ runs }) => runs);
  const unfed = given.from === "nothing" && chances.some(({ hook }) => hook.matcher.length > 0);
  const rows = chances.map((chance) => chanceRow(chance, running.indexOf(chance) + 1, paint));
  return [
    ...(layout.root === "" ? [NO_PROJECT_TEXT] : []),
    `${paint.strong(`${at.adapter.title}, ${at.event}`)}${subject(event)}: ${powers(at)}.`,
    ...(unfed ? [paint.odd(UNFED)] : []),
    "",
    rows.length === 0
      ? `  No hook is registered for ${at.event}.`
      : table(rows, { indent: 2, width }),
    "",
    `${count(running.length, "hook")} would run${LANES[lane] ?? ""}.`,
    ...wrongText(simulation.wrong, call),
  ].join("\n");
}

function chanceRow({ hook, runs, why }: Chance, place: number, paint: Paint): string[] {
  if (!runs) return ["-", hook.name, harmless(why)].map((cell) => paint.quiet(cell));
  const does = hook.block ? "runs, may block" : "runs";
  return [paint.good(String(place)), paint.name(hook.name), does];
}

const subject = ({ tool, paths }: Occurrence): string => {
  const what = [tool, ...paths].filter((one) => one !== "").map(harmless);
  return what.length === 0 ? "" : ` (${what.join(" ")})`;
};

/** What hooks can do there, in words. */
function powers({ surface }: At): string {
  const able = [
    ...(surface.replies.deny ? ["block"] : []),
    ...(!surface.replies.deny && surface.replies.halt ? ["end the run"] : []),
    ...(surface.replies.ask ? ["ask the user"] : []),
    ...(surface.replies.rewrite ? ["rewrite"] : []),
    ...(takesContext(surface) ? ["add context"] : []),
  ];
  return able.length === 0 ? "hooks can only watch" : `hooks can ${listed(able)}`;
}

export function replyText({ stdout, stderr, exit, ms }: Returned, { paint }: Call): string {
  const part = (title: string, text: string): string[] =>
    text.trim() === "" ? [] : [paint.quiet(title), indented(harmless(text.trimEnd()), 2)];
  const silent = stdout + stderr === "" ? ", nothing said" : "";
  return [
    `${paint.strong("Reply")}: exit ${exit} after ${ms} ms${silent}`,
    ...part("standard output", pretty(stdout)),
    ...part("standard error", stderr),
  ].join("\n");
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

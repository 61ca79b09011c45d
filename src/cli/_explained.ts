import type { Form } from "../compile/_definition.ts";
import type { Hook } from "../model.ts";
import type { HookView } from "./_hooks.ts";
import { matcherWords } from "./_matcher.ts";
import { harmless, type Paint } from "./_paint.ts";
import { shortPath } from "./_project.ts";
import type { Effect, Reach } from "./_reach.ts";
import { table } from "./_table.ts";
import { listed, ordinal, span } from "./_words.ts";

const FORM_WORDS = {
  script: "a script with a header",
  module: "a module",
  node: "a node",
  list: "an entry of a list",
  settings: "an entry of settings.json",
  claude: "an entry in Claude's form",
} as const satisfies Record<Form, string>;

const FAILURE_WORDS = {
  allow: "goes on; the failure is in the ledger",
  warn: "goes on, and the user is told",
  block: "blocks: it fails closed",
} as const satisfies Record<Hook["onFailure"], string>;

/** Where, what, when, in which order and how. */
export function factsText(
  view: HookView,
  all: readonly Hook[],
  root: string,
  paint: Paint,
): string {
  const { definition, rows } = view;
  const [row] = rows;
  const form = definition ? ` (${FORM_WORDS[definition.form]})` : "";
  const facts: [string, string][] = [
    ["where", `${view.source}${form}`],
    ["runs", whatText(view, root)],
    ["when", whenText(view)],
    ["order", orderText(view, all)],
    ["timeout", row ? span(row.timeout) : ""],
    ["if it fails", row ? FAILURE_WORDS[row.onFailure] : ""],
    ["also", optionsText(row)],
  ];
  return table(
    facts.filter(([, value]) => value !== "").map(([key, value]) => [paint.quiet(key), value]),
  );
}

function whatText(view: HookView, root: string): string {
  const run = whatRuns(view);
  return harmless(view.kind === "exec" ? words(run) : shortPath(run, root));
}

/** The query of an address may hold a key, and this is read by agents as well. */
export function whatRuns({ definition, rows, kind }: HookView): string {
  const run = definition?.run ?? rows[0]?.script ?? "";
  return kind === "http" ? run.replace(/\?.*/s, "?…") : run;
}

function words(list: string): string {
  try {
    return (JSON.parse(list) as string[]).join(" ");
  } catch {
    return list;
  }
}

function whenText({ definition, rows, events }: HookView): string {
  const matcher = rows[0]?.matcher ?? definition?.matcher ?? [];
  const at = listed([...events]);
  return harmless(matcher.length === 0 ? `${at}, always` : `${at}, if ${matcherWords(matcher)}`);
}

function orderText({ name, rows, order }: HookView, all: readonly Hook[]): string {
  const places = rows.map((row) => {
    const own = all.filter(({ event }) => event === row.event);
    return `${ordinal(own.findIndex((one) => one.name === name) + 1)} of ${own.length} at ${row.event}`;
  });
  return [String(order), ...places].join(", ");
}

function optionsText(row: Hook | undefined): string {
  if (!row) return "";
  const parts = [
    ...(row.async ? ["runs detached and cannot decide"] : []),
    ...(row.once ? ["once per session"] : []),
    ...(row.notify ? ["what it said is told at the next event that takes context"] : []),
    ...(row.reentrant ? ["also inside other hooks"] : []),
    ...(row.chain === "first-block" ? ["later hooks are skipped when it blocks"] : []),
    ...(row.payload === "canonical" ? ["gets the canonical payload"] : []),
    ...(row.harness.length > 0 ? [`only on ${listed(row.harness)}`] : []),
  ];
  return parts.join("; ");
}

export function reachText(reaches: readonly Reach[], paint: Paint): string {
  const head = ["", "", "deny", "ask", "rewrite", "context"].map((word) => paint.quiet(word));
  const rows = reaches.map((reach) => {
    const who = [paint.name(reach.title), reach.event];
    if (!reach.fires) return [...who, paint.odd("never runs there")];
    const effects = (["deny", "ask", "rewrite"] as const).map((kind) =>
      effectText(kind, reach[kind], paint),
    );
    return [...who, ...effects, reach.context ? "yes" : paint.quiet("no")];
  });
  return table([head, ...rows], { indent: 2 });
}

function effectText(kind: string, effect: Effect, paint: Paint): string {
  if (effect === kind) return "yes";
  if (effect === "refused") return paint.quiet("no");
  if (effect === "unenforced") return paint.quiet("not enforced");
  return `as ${effect}`;
}

import type { Answer, Call } from "./_call.ts";
import { diagnosticText, tallied } from "./_diagnostics.ts";
import { hookJson, hookViews, type HookView } from "./_hooks.ts";
import { matcherShort } from "./_matcher.ts";
import { harmless, oneLine } from "./_paint.ts";
import { freshen, NO_PROJECT_TEXT, rootHere } from "./_project.ts";
import { shorten, table } from "./_table.ts";
import { ago, count } from "./_words.ts";
import { pausedSince } from "./pause.ts";

/** Grouped by event, because the order of hooks is an order at an event. */
export async function list(call: Call): Promise<Answer> {
  const root = rootHere(call);
  const { compiled, manifest, layout, diagnostics } = await freshen(call, root);
  const views = hookViews(compiled, root);
  const events = [...new Set(compiled.hooks.map(({ event }) => event))];
  const idle = views.filter(({ rows }) => rows.length === 0);
  const found = tallied(diagnostics);
  // Of a whole file: what it should have said is in none of the tables.
  const lost = diagnostics
    .filter(({ severity, hook }) => severity === "error" && hook === "")
    .map((one) => diagnosticText(one, root, call.paint));
  const text = [
    ...(root === "" ? [NO_PROJECT_TEXT] : []),
    ...pausedText(call, pausedSince(layout)),
    ...(views.length === 0 ? [lost.length > 0 ? "No hook can be read." : nothing(root)] : []),
    ...(events.length > 0 ? eventTables(call, views, events) : []),
    ...(idle.length === 0 ? [] : [idleTable(call, idle)]),
    ...(lost.length === 0 ? [] : [lost.join("\n")]),
    ...(found === "" ? [] : [call.paint.odd(`${found}: run anyhook validate`)]),
  ].join("\n\n");
  const exit = views.length === 0 && lost.length > 0 ? 1 : 0;
  return { exit, json: { project: layout.root, manifest, hooks: views.map(hookJson) }, text };
}

const pausedText = ({ paint }: Call, since: Date | undefined): string[] =>
  since ? [paint.odd(`Paused ${ago(since)}: no hook runs here until anyhook resume.`)] : [];

const nothing = (root: string): string =>
  root === ""
    ? "No hooks. Make a project with: mkdir -p .anyhook/hooks"
    : "No hooks yet. Put a script with a header into .anyhook/hooks/, or see anyhook demo.";

/** Below this many columns there is no room for the source: explain has it. */
const WIDE = 110;

/** All tables have the same columns, so that the page reads as one. */
function eventTables(call: Call, views: readonly HookView[], events: readonly string[]): string[] {
  const rows = events.map((event) =>
    views.filter((view) => view.events.includes(event) && view.rows.length > 0),
  );
  const cells = rows.map((group, at) => group.map((view) => runningRow(call, view, events[at]!)));
  const head = ["order", "hook", "kind", "layer", "block", "when", "source"].map((word) =>
    call.paint.quiet(word),
  );
  const all = [head, ...cells.flat()].map((row) => (call.width < WIDE ? row.slice(0, -1) : row));
  const lines = table(all, { width: call.width }).split("\n");
  const heading = lines.shift()!;
  const tables = events.map((event, at) => {
    const { paint } = call;
    const own = lines.splice(0, cells[at]!.length);
    return `${paint.strong(event)} ${paint.quiet(count(own.length, "hook"))}\n${own.join("\n")}`;
  });
  return [heading, ...tables];
}

function runningRow({ paint, width }: Call, view: HookView, event: string): string[] {
  const row = view.rows.find((one) => one.event === event)!;
  const mark = view.state === "active" && view.why === "" ? " " : paint.bad("!");
  const why = paint.bad(oneLine(view.why));
  const more = [
    ...(row.async ? ["async"] : []),
    ...(row.once ? ["once"] : []),
    ...row.harness.map((id) => `only ${id}`),
  ];
  return [
    `${mark}${String(row.order).padStart(4)}`,
    paint.name(view.name),
    view.kind,
    view.layer,
    row.block ? "may block" : paint.quiet("-"),
    width < WIDE && why !== "" ? why : [whenText(view), ...more].join("; "),
    why === "" ? sourceText(view) : `${sourceText(view)} ${why}`,
  ];
}

/** Where a built-in pack lies is nobody's concern. */
const sourceText = ({ layer, source }: HookView): string =>
  oneLine(layer === "pack" ? source.replace(/^.*\/packs\//, "anyhook/") : source);

const whenText = ({ definition, rows }: HookView): string =>
  shorten(harmless(matcherShort(rows[0]?.matcher ?? definition?.matcher ?? [])) || "always", 44);

function idleTable({ paint, width }: Call, idle: readonly HookView[]): string {
  const rows = idle.map((view) => [
    paint.name(oneLine(view.name)),
    view.state === "bad" ? paint.bad(view.state) : paint.odd(view.state),
    view.layer,
    ...(width < WIDE ? [] : [sourceText(view)]),
    oneLine(view.why),
  ]);
  return `${paint.strong("Not running")} ${paint.quiet(count(idle.length, "hook"))}\n${table(rows, { indent: 7, width })}`;
}

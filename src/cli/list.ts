import type { Answer, Call } from "./_call.ts";
import { tallied } from "./_diagnostics.ts";
import { hookJson, hookViews, type HookView } from "./_hooks.ts";
import { matcherShort } from "./_matcher.ts";
import { harmless, oneLine } from "./_paint.ts";
import { freshen, NO_PROJECT_TEXT, rootHere } from "./_project.ts";
import { shorten, table } from "./_table.ts";
import { count } from "./_words.ts";

/** Grouped by event, because the order of hooks is an order at an event. */
export async function list(call: Call): Promise<Answer> {
  const root = rootHere(call);
  const { compiled, manifest, layout, diagnostics } = await freshen(call, root);
  const views = hookViews(compiled, root);
  const events = [...new Set(compiled.hooks.map(({ event }) => event))];
  const idle = views.filter(({ rows }) => rows.length === 0);
  const found = tallied(diagnostics);
  const text = [
    ...(root === "" ? [NO_PROJECT_TEXT] : []),
    ...(views.length === 0 ? [nothing(root)] : []),
    ...(events.length > 0 ? eventTables(call, views, events) : []),
    ...(idle.length === 0 ? [] : [idleTable(call, idle)]),
    ...(found === "" ? [] : [call.paint.odd(`${found}: run anyhook validate`)]),
  ].join("\n\n");
  return { exit: 0, json: { project: layout.root, manifest, hooks: views.map(hookJson) }, text };
}

const nothing = (root: string): string =>
  root === ""
    ? "No hooks. Make a project with: mkdir -p .anyhook/hooks"
    : "No hooks yet. Put a script with a header into .anyhook/hooks/, or see anyhook demo.";

/** All tables have the same columns, so that the page reads as one. */
function eventTables(call: Call, views: readonly HookView[], events: readonly string[]): string[] {
  const rows = events.map((event) =>
    views.filter((view) => view.events.includes(event) && view.rows.length > 0),
  );
  const cells = rows.map((group, at) => group.map((view) => runningRow(call, view, events[at]!)));
  const head = ["order", "hook", "kind", "layer", "block", "when", "source"].map((word) =>
    call.paint.quiet(word),
  );
  const lines = table([head, ...cells.flat()], { width: call.width }).split("\n");
  const heading = lines.shift()!;
  const tables = events.map((event, at) => {
    const { paint } = call;
    const own = lines.splice(0, cells[at]!.length);
    return `${paint.strong(event)} ${paint.quiet(count(own.length, "hook"))}\n${own.join("\n")}`;
  });
  return [heading, ...tables];
}

function runningRow({ paint }: Call, view: HookView, event: string): string[] {
  const row = view.rows.find((one) => one.event === event)!;
  const mark = view.state === "active" ? " " : paint.bad("!");
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
    [whenText(view), ...more].join("; "),
    oneLine(view.source) + (view.why === "" ? "" : ` ${paint.bad(oneLine(view.why))}`),
  ];
}

const whenText = ({ definition, rows }: HookView): string =>
  shorten(harmless(matcherShort(rows[0]?.matcher ?? definition?.matcher ?? [])) || "always", 44);

function idleTable({ paint, width }: Call, idle: readonly HookView[]): string {
  const rows = idle.map((view) => [
    paint.name(oneLine(view.name)),
    view.state === "bad" ? paint.bad(view.state) : paint.odd(view.state),
    view.layer,
    oneLine(view.source),
    oneLine(view.why),
  ]);
  return `${paint.strong("Not running")} ${paint.quiet(count(idle.length, "hook"))}\n${table(rows, { indent: 7, width })}`;
}

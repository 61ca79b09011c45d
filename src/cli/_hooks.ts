import type { Compiled } from "../compile/compile.ts";
import { isFatal } from "../compile/fields.ts";
import type { Placed, State } from "../compile/layers.ts";
import type { Diagnostic, Hook } from "../model.ts";
import { matcherText } from "./_matcher.ts";
import { shortPath } from "./_project.ts";

/** One hook as a person thinks of it: one name, whatever its number of events. */
export interface HookView {
  readonly name: string;
  readonly state: State;
  /** Why it does not run, or runs in another way than it is written; empty when all is well. */
  readonly why: string;
  readonly events: readonly string[];
  /** Events at which it may block. */
  readonly blocks: readonly string[];
  readonly order: number;
  readonly kind: string;
  readonly form: string;
  readonly layer: string;
  readonly matcher: string;
  readonly description: string;
  readonly source: string;
  readonly rows: readonly Hook[];
  readonly definition: Placed | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Those that run first, in the order of the manifest; then the others. */
export function hookViews(compiled: Compiled, root: string): HookView[] {
  const running = compiled.definitions.filter(({ state }) => state !== "shadowed");
  const named = (name: string): Placed[] => running.filter((one) => one.name === name);
  const names = [
    ...new Set([...compiled.hooks.map(({ name }) => name), ...running.map(({ name }) => name)]),
  ];
  const shadowed = compiled.definitions.filter(({ state }) => state === "shadowed");
  // Another one of the same name runs and speaks for it, but this one is missing.
  const beside = running.filter((one) => one.state === "bad" && speaker(named(one.name)) !== one);
  return [
    ...names.map((name) => viewOf(name, named(name), compiled, root)),
    ...[...beside, ...shadowed].map((one) =>
      viewOf(one.name, [one], { ...compiled, hooks: [] }, root),
    ),
  ];
}

/** Same name, several registrations: the one that runs speaks for the hook. */
const speaker = (definitions: readonly Placed[]): Placed | undefined =>
  definitions.find(({ state }) => state === "active") ?? definitions[0];

function viewOf(
  name: string,
  definitions: readonly Placed[],
  compiled: Compiled,
  root: string,
): HookView {
  const rows = compiled.hooks.filter((hook) => hook.name === name);
  const definition = speaker(definitions);
  const first = rows[0];
  const diagnostics = compiled.diagnostics.filter((one) => one.hook === name);
  const { state, why } = stateOf(definition, rows, diagnostics, compiled);
  const events = rows.length > 0 ? rows.map(({ event }) => event) : (definition?.events ?? []);
  return {
    ...{ name, state, why, rows, definition, diagnostics },
    events: [...new Set(events)],
    blocks: rows.filter(({ block }) => block).map(({ event }) => event),
    order: first?.order ?? definition?.order ?? 0,
    kind: first?.kind ?? definition?.kind ?? "",
    form: definition?.form ?? "",
    layer: first?.layer ?? definition?.layer ?? "",
    matcher: matcherText(first?.matcher ?? definition?.matcher ?? []),
    description: definition?.description ?? "",
    source: definition
      ? `${shortPath(definition.file, root)}:${definition.line}`
      : (first?.source ?? ""),
  };
}

function stateOf(
  definition: Placed | undefined,
  rows: readonly Hook[],
  diagnostics: readonly Diagnostic[],
  compiled: Compiled,
): Pick<HookView, "state" | "why"> {
  const broken = rows.find((row) => row.broken !== "")?.broken ?? "";
  if (broken !== "") return { state: "bad", why: broken };
  const state = definition?.state ?? "bad";
  const kept = compiled.kept.includes(definition?.name ?? rows[0]?.name ?? "");
  const error = diagnostics.find(({ severity }) => severity === "error")?.message;
  const mistake = diagnostics.find(isFatal)?.message ?? error ?? "its file cannot be read";
  if (kept) return { state: "bad", why: `${mistake}; its last good version goes on` };
  if (state === "active") return { state, why: error ?? "" };
  return { state, why: definition ? WHY[state](definition, mistake) : mistake };
}

type Reason = (definition: Placed, mistake: string) => string;

const WHY = {
  disabled: ({ enabled }) => (enabled ? "named in a disabled: list" : "enabled: false"),
  pending: () => "status: pending",
  shadowed: () => "a stronger layer has a hook of this name",
  bad: (_, mistake) => mistake,
} as const satisfies Record<Exclude<State, "active">, Reason>;

export const hookJson = (view: HookView): Record<string, unknown> => ({
  ...{
    name: view.name,
    state: view.state,
    why: view.why,
    events: view.events,
    blocks: view.blocks,
  },
  ...{
    order: view.order,
    kind: view.kind,
    form: view.form,
    layer: view.layer,
    matcher: view.matcher,
  },
  ...{ description: view.description, source: view.source },
});

import { resolve } from "node:path";
import { saidWrong } from "../compile/said-wrong.ts";
import type { Diagnostic } from "../model.ts";
import type { Answer, Call } from "./_call.ts";
import { diagnosticJson } from "./_diagnostics.ts";
import { type Fresh, freshen, NO_PROJECT_TEXT, rootHere, shortPath } from "./_project.ts";
import { count } from "./_words.ts";

export async function materializeNow(call: Call): Promise<Answer> {
  const given = call.text("root");
  const root = given === undefined ? rootHere(call) : given === "" ? "" : resolve(given);
  const fresh = await freshen(call, root, {
    locked: call.flag("locked"),
    without: call.text("without-project"),
  });
  const errors = fresh.diagnostics.filter(({ severity }) => severity === "error");
  const json = summaryJson(fresh, errors);
  // The gate hands whatever is said to the user; the hooks that are fine run all the same.
  if (call.flag("quiet"))
    return {
      exit: 0,
      json,
      text: saidWrong(fresh.compiled.diagnostics, root) || saidWrong(errors, root),
    };
  return { exit: errors.length === 0 ? 0 : 1, json, text: summary(call, fresh, errors) };
}

function summary({ paint }: Call, fresh: Fresh, errors: readonly Diagnostic[]): string {
  const { layout, compiled, manifest, written } = fresh;
  const names = new Set(compiled.hooks.map(({ name }) => name));
  const events = new Set(compiled.hooks.map(({ event }) => event));
  const warnings = fresh.diagnostics.length - errors.length;
  const found = [
    ...(errors.length > 0 ? [paint.bad(count(errors.length, "error"))] : []),
    ...(warnings > 0 ? [paint.odd(count(warnings, "warning"))] : []),
  ];
  return [
    ...(layout.root === "" ? [NO_PROJECT_TEXT] : []),
    `${count(names.size, "hook")} at ${count(events.size, "event")}, manifest ${paint.strong(manifest)}`,
    `in ${layout.slot}`,
    ...(written.length > 0
      ? [`rendered ${written.map((file) => shortPath(file, layout.root)).join(", ")}`]
      : []),
    ...(found.length > 0 ? [`${found.join(", ")}: run anyhook validate`] : []),
  ].join("\n");
}

function summaryJson(
  { layout, compiled, manifest, written, diagnostics }: Fresh,
  errors: readonly Diagnostic[],
): unknown {
  return {
    project: layout.root,
    slot: layout.slot,
    manifest,
    hooks: new Set(compiled.hooks.map(({ name }) => name)).size,
    rows: compiled.hooks.length,
    events: [...new Set(compiled.hooks.map(({ event }) => event))],
    rendered: written,
    errors: errors.length,
    warnings: diagnostics.length - errors.length,
    diagnostics: diagnostics.map((one) => diagnosticJson(one, layout.root)),
  };
}

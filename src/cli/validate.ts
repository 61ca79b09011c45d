import { ADAPTERS } from "../adapters/_all.ts";
import type { Adapter } from "../adapters/_contract.ts";
import { compile, type Compiled } from "../compile/compile.ts";
import { layerRoots } from "../compile/materialize.ts";
import type { Diagnostic } from "../model.ts";
import type { Answer, Call } from "./_call.ts";
import { diagnosticJson, diagnosticText, tallied } from "./_diagnostics.ts";
import { type Limit, limitsOf } from "./_limits.ts";
import { NO_PROJECT_TEXT, rootHere } from "./_project.ts";
import { adapterNamed } from "./_surface.ts";
import { count } from "./_words.ts";

/** Reads and checks, and writes nothing: neither the store nor the work tree. */
export async function validate(call: Call): Promise<Answer> {
  const root = rootHere(call);
  const compiled = await compile({
    roots: layerRoots(root, call.env),
    projectRoot: root,
    libraryFile: call.installation.library,
    nodePath: process.execPath,
  });
  const limits = harnessesOf(call.text("runtime")).flatMap((adapter) =>
    limitsOf(compiled, adapter),
  );
  const { diagnostics } = compiled;
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors + limits.length;
  const ok = errors === 0 && (!call.flag("strict") || warnings === 0);
  const text = [
    ...(root === "" ? [NO_PROJECT_TEXT] : []),
    ...grouped(diagnostics, root, call),
    ...(limits.length > 0 ? [limitText(limits, call)] : []),
    verdictText(call, compiled, limits.length, ok),
  ].join("\n\n");
  const json = {
    project: root,
    ok,
    errors,
    warnings,
    diagnostics: diagnostics.map((one) => diagnosticJson(one, root)),
    limits,
  };
  return { exit: ok ? 0 : 1, json, text };
}

/** auto: every harness we know, until one is named. */
function harnessesOf(runtime: string | undefined): readonly Adapter[] {
  if (runtime === undefined || runtime === "manual") return [];
  return runtime === "auto" ? ADAPTERS : [adapterNamed(runtime)];
}

/** One paragraph per file. */
function grouped(diagnostics: readonly Diagnostic[], root: string, { paint }: Call): string[] {
  const files = [...new Set(diagnostics.map(({ file }) => file))];
  return files.map((file) =>
    diagnostics
      .filter((one) => one.file === file)
      .map((one) => diagnosticText(one, root, paint))
      .join("\n"),
  );
}

function limitText(limits: readonly Limit[], { paint }: Call): string {
  const ids = [...new Set(limits.map(({ harness }) => harness))];
  return ids
    .map((id) => {
      const own = limits.filter(({ harness }) => harness === id);
      return `${paint.strong(`On ${id}`)}\n${own.map((one) => `  ${paint.name(one.hook)}: ${paint.odd("warning")}: ${one.message}`).join("\n")}`;
    })
    .join("\n\n");
}

function verdictText({ paint }: Call, compiled: Compiled, limits: number, ok: boolean): string {
  const hooks = count(new Set(compiled.hooks.map(({ name }) => name)).size, "hook");
  const found = [
    tallied(compiled.diagnostics),
    ...(limits > 0 ? [count(limits, "limit")] : []),
  ].filter((one) => one !== "");
  if (found.length === 0) return paint.good(`All is well: ${hooks}, no mistakes.`);
  return (ok ? paint.odd : paint.bad)(`${found.join(", ")}; ${hooks} can run.`);
}

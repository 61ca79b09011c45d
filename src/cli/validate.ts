import { join } from "node:path";
import { typicalCost } from "../compile/advice.ts";
import { compile, type Compiled } from "../compile/compile.ts";
import { missing } from "../compile/missing.ts";
import { layerRoots, previousRows } from "../compile/materialize.ts";
import { unrendered } from "../compile/system-block.ts";
import { layoutOf } from "../dispatch/layout.ts";
import { costsOf } from "../ledger/costs.ts";
import { readLedger } from "../ledger/read.ts";
import type { Diagnostic } from "../model.ts";
import type { Answer, Call } from "./_call.ts";
import { diagnosticJson, diagnosticText, tallied } from "./_diagnostics.ts";
import { hooklessLimits, type Limit, limitsOf } from "./_limits.ts";
import { NO_PROJECT_TEXT, rootHere } from "./_project.ts";
import { runtimeCheck, runtimeText, wrongWith } from "./_runtime.ts";
import { count, span } from "./_words.ts";

/** Reads and checks, and writes nothing: neither the store nor the work tree. */
export async function validate(call: Call): Promise<Answer> {
  const root = rootHere(call);
  const compiled = await compile({
    roots: layerRoots(root, call.env),
    projectRoot: root,
    libraryFile: call.installation.library,
    nodePath: process.execPath,
    packsFolder: join(call.installation.shell, "../packs"),
    previous: previousRows(layoutOf(root, call.env).slot),
  });
  const runtime = runtimeCheck(call, call.text("runtime"));
  const limits = (runtime?.adapters ?? []).flatMap((adapter) =>
    runtime?.hookless.includes(adapter)
      ? hooklessLimits(compiled, adapter)
      : limitsOf(compiled, adapter),
  );
  const absent = missing(compiled, root, call.env);
  const unseen = unrendered(root, compiled.system, compiled.systemFiles);
  const diagnostics = [...measured(compiled, call, root), ...absent, ...unseen];
  const wrong = runtime ? wrongWith(runtime) : [];
  const all = [...diagnostics.map(({ severity }) => severity), ...wrong.map(({ grade }) => grade)];
  const errors = all.filter((one) => one === "error").length;
  const warnings = all.length - errors + limits.length;
  const ok = errors === 0 && (!call.flag("strict") || warnings === 0);
  const text = [
    ...(root === "" ? [NO_PROJECT_TEXT] : []),
    ...grouped(diagnostics, root, call),
    ...(runtime ? [runtimeText(runtime, call)] : []),
    ...(limits.length > 0 ? [limitText(limits, call)] : []),
    verdictText(
      call,
      { ...compiled, diagnostics },
      { limits: limits.length, wrong: wrong.length, absent: absent.map(({ hook }) => hook) },
      ok,
    ),
  ].join("\n\n");
  const json = {
    project: root,
    ok,
    errors,
    warnings,
    diagnostics: diagnostics.map((one) => diagnosticJson(one, root)),
    limits,
    runtime: runtime ? { name: runtime.name, why: runtime.why, findings: runtime.findings } : null,
  };
  return { exit: ok ? 0 : 1, json, text };
}

/** What a slow hook really cost so far says more than what such hooks typically cost. */
function measured({ diagnostics, hooks }: Compiled, call: Call, root: string): Diagnostic[] {
  const isSlow = ({ code }: Diagnostic): boolean => code === "slow-in-critical-path";
  if (!diagnostics.some(isSlow)) return [...diagnostics];
  const costs = costsOf(readLedger(layoutOf(root, call.env).ledger));
  return diagnostics.map((one) => {
    const cost = costs.get(one.hook);
    const kind = hooks.find(({ name }) => name === one.hook)?.kind ?? "";
    if (!isSlow(one) || !cost) return one;
    const told = `${span(cost.median)} in the median of its last ${count(cost.runs, "run")}`;
    return { ...one, message: one.message.replace(typicalCost(kind), told) };
  });
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

function verdictText(
  { paint }: Call,
  compiled: Compiled,
  { limits, wrong, absent }: { limits: number; wrong: number; absent: readonly string[] },
  ok: boolean,
): string {
  const able = compiled.hooks.filter(({ broken, name }) => broken === "" && !absent.includes(name));
  const hooks = count(new Set(able.map(({ name }) => name)).size, "hook");
  const found = [
    tallied(compiled.diagnostics),
    ...(limits > 0 ? [count(limits, "limit")] : []),
    ...(wrong > 0 ? [`${count(wrong, "obstacle")} on this machine (anyhook doctor)`] : []),
  ].filter((one) => one !== "");
  if (found.length === 0) return paint.good(`All is well: ${hooks}, no mistakes.`);
  return (ok ? paint.odd : paint.bad)(`${found.join(", ")}; ${hooks} can run.`);
}

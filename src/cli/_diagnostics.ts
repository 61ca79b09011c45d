import type { Diagnostic } from "../model.ts";
import { harmless, oneLine, type Paint } from "./_paint.ts";
import { placeOf, shortPath } from "./_project.ts";
import { count } from "./_words.ts";

/** `file:line: severity: message`, which editors understand, and below it what to do. */
export function diagnosticText(one: Diagnostic, root: string, paint: Paint): string {
  const severity = one.severity === "error" ? paint.bad("error") : paint.odd("warning");
  const hook = one.hook === "" ? "" : ` ${paint.quiet(`[${oneLine(one.hook)}]`)}`;
  const head = `${paint.strong(oneLine(placeOf(one, root)))}: ${severity}: ${oneLine(one.message)}${hook}`;
  return one.hint === "" ? head : `${head}\n    ${harmless(one.hint)}`;
}

export const diagnosticJson = (one: Diagnostic, root: string): Record<string, unknown> => ({
  ...{ file: shortPath(one.file, root), line: one.line, severity: one.severity, code: one.code },
  ...{ message: one.message, hint: one.hint, hook: one.hook },
});

/** "1 error, 2 warnings", or "". */
export function tallied(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  return [
    ...(errors > 0 ? [count(errors, "error")] : []),
    ...(warnings > 0 ? [count(warnings, "warning")] : []),
  ].join(", ");
}

import { missingFor } from "../handlers/command.ts";
import type { Diagnostic } from "../model.ts";
import type { Compiled } from "./compile.ts";
import { reportOn } from "./fields.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Hooks that cannot be started on this machine as it is now. Not part of the compile: what is not
 * here may be installed tomorrow, and then nothing of the hooks has changed.
 */
export function missing(
  { hooks, definitions, diagnostics }: Compiled,
  root: string,
  env: Env,
): Diagnostic[] {
  const surroundings = { root, cwd: root === "" ? "/" : root, env };
  const found = new Map<string, Diagnostic>();
  const said = diagnostics.filter(({ code }) => code === "missing-file").map(({ hook }) => hook);
  for (const row of hooks.filter(({ broken, name }) => broken === "" && !said.includes(name))) {
    const why = missingFor(row, surroundings);
    const at = definitions.find(({ name, layer }) => name === row.name && layer === row.layer);
    if (why === "" || at === undefined) continue;
    const report = reportOn(at.file, row.name);
    // Somebody else's PATH may be another.
    const isPath = why.endsWith("is not on PATH");
    const hint = isPath ? "install it, or give its whole path" : "correct the path, or install it";
    const message = `${why}: it cannot run here`;
    report.say(isPath ? "warning" : "error", at.line, "not-here", message, hint);
    found.set(row.name, report.diagnostics[0]!);
  }
  return [...found.values()];
}

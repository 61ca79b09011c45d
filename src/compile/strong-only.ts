import { join } from "node:path";
import type { Diagnostic } from "../model.ts";
import type { CompileInput } from "./compile.ts";
import { reportOn } from "./fields.ts";

/**
 * A project that breaks the compiler must not switch off what stands above it: managed and user
 * hooks are then compiled without it. `without` is why nobody tries: it has ended the process before.
 */
export async function strongOnly<
  I extends Pick<CompileInput, "roots" | "projectRoot">,
  O extends { readonly diagnostics: readonly Diagnostic[] },
>(compile: (input: I) => Promise<O>, input: I, without?: string): Promise<O> {
  try {
    if (without !== undefined) throw new Error(without);
    return await compile(input);
  } catch (cause) {
    const roots = input.roots.filter(({ layer }) => layer === "managed" || layer === "user");
    if (roots.length === input.roots.length) throw cause;
    const compiled = await compile({ ...input, roots });
    const report = reportOn(join(input.projectRoot, ".anyhook"), "");
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `the project's hooks could not be compiled and do not run: ${why}`;
    report.say("error", 0, "project-not-compiled", message, "managed and user hooks run");
    return { ...compiled, diagnostics: [...report.diagnostics, ...compiled.diagnostics] };
  }
}

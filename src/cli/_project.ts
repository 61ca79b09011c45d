import { statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { materialize, type Materialized } from "../compile/materialize.ts";
import { type SystemBlocks, writeSystemBlocks } from "../compile/system-block.ts";
import { layoutOf, projectRoot, type Layout } from "../dispatch/layout.ts";
import type { Diagnostic } from "../model.ts";
import { type Call, Misuse } from "./_call.ts";

/** Where the call takes place. */
export function layoutHere(call: Call): Layout {
  return layoutOf(rootHere(call), call.env);
}

/** The project's root, or "" when there is none above. */
export function rootHere({ from, text }: Call): string {
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Misuse(`${text("project") ?? from} is not a folder`, "-C takes a folder");
  }
  return projectRoot(from);
}

export interface Fresh extends Materialized {
  /** Instruction files whose block was rendered anew. */
  readonly written: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiled now. Whoever publishes a manifest renders the instruction files as well: the gate would
 * find nothing moved afterwards, and they would stay as they were.
 */
export async function freshen(
  call: Call,
  root: string,
  options: { locked?: boolean; without?: string | undefined } = {},
): Promise<Fresh> {
  const made = await materialize(root, call.installation, { ...options, env: call.env });
  const blocks = root === "" ? NOTHING : renderInstructions(root, made);
  return {
    ...made,
    written: blocks.written,
    diagnostics: [...made.compiled.diagnostics, ...blocks.diagnostics],
  };
}

const NOTHING: SystemBlocks = { written: [], diagnostics: [] };

/** The hooks are compiled and in force by now: a file that cannot be written does not undo that. */
function renderInstructions(root: string, { compiled }: Materialized): SystemBlocks {
  try {
    return writeSystemBlocks(root, compiled.system, compiled.systemFiles);
  } catch (error) {
    const { syscall, path, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const at = { file: path ?? root, line: 0, severity: "error", code: "unwritable" } as const;
    const hint = "check its permissions, or remove it from system_files";
    return { written: [], diagnostics: [{ ...at, message, hint, hook: "" }] };
  }
}

/** Relative to the project where that is shorter to read. */
export function shortPath(file: string, root: string): string {
  if (root === "" || !isAbsolute(file)) return file;
  const path = relative(root, file);
  return path === "" || path === ".." || path.startsWith(`..${sep}`) ? file : path;
}

export const placeOf = ({ file, line }: Diagnostic, root: string): string =>
  line > 0 ? `${shortPath(file, root)}:${line}` : shortPath(file, root);

export const NO_PROJECT_TEXT =
  "No project here: no folder above has .anyhook/. Only user and managed hooks apply.";

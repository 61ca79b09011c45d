import { sep } from "node:path";
import type { Diagnostic } from "../model.ts";
import type { LayerRoot } from "./_definition.ts";
import type { LayerSettings } from "./event-settings.ts";
import { reportOn } from "./fields.ts";
import { glob, globBase } from "./glob.ts";

export interface ExtraRoots {
  readonly roots: readonly LayerRoot[];
  /** Where a new directory could become one more root. */
  readonly bases: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Directories that `roots:` of the project names, such as the `.config` folders of a spec tree. */
export function extraRoots(
  all: readonly LayerSettings[],
  known: readonly LayerRoot[],
  projectRoot: string,
): ExtraRoots {
  const diagnostics: Diagnostic[] = [];
  const patterns = all.flatMap((one) => {
    const { good, problems } = checked(one, projectRoot);
    diagnostics.push(...problems);
    return good;
  });
  const isInside = (dir: string): boolean =>
    known.some(({ root }) => dir === root || dir.startsWith(root + sep));
  const found = new Set(patterns.flatMap((pattern) => glob(projectRoot, pattern)));
  const roots = [...found]
    .filter((dir) => !isInside(dir))
    .map((root) => ({ layer: "project", root }) as const);
  const bases = new Set(patterns.map((pattern) => globBase(projectRoot, pattern)));
  return { roots, bases: [...bases].toSorted(), diagnostics };
}

function checked({ layer, file, settings }: LayerSettings, projectRoot: string) {
  const report = reportOn(file, "");
  const good = (settings.roots ?? []).filter((pattern) => {
    const isOwn = (layer === "project" || layer === "local") && projectRoot !== "";
    const isWithin = !pattern.startsWith("/") && !pattern.split("/").includes("..");
    if (!isOwn)
      report.say(
        "warning",
        0,
        "bad-roots",
        "roots: only a project's settings can name more roots",
        "move it there",
      );
    else if (!isWithin)
      report.say(
        "error",
        0,
        "bad-roots",
        `roots: "${pattern}" leaves the project`,
        "write it relative to the project",
      );
    return isOwn && isWithin;
  });
  return { good, problems: report.diagnostics };
}

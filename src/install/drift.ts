import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { connectingPage } from "./connecting-page.ts";
import { contractPage } from "./contract-page.ts";
import { aboutPackage, pluginFiles } from "./plugin-files.ts";

/** A written form of the contract that says something else than the adapters. */
export interface Drift {
  readonly what: string;
  readonly message: string;
  readonly hint: string;
}

interface Package {
  readonly shell: string;
}

/** The adapters are the only source (S2.24); everything written from them is compared (S2.25). */
export function driftOf(adapters: readonly Adapter[], { shell }: Package): Drift[] {
  const root = dirname(shell);
  const written = {
    "docs/contract.md": () => contractPage(adapters),
    "docs/connecting.md": () => connectingPage(adapters),
    ...pluginFiles(adapters, aboutPackage(root)),
  };
  return [
    ...Object.entries(written).flatMap(([file, render]) => pageDrift(join(root, file), render())),
    ...factsDrift(root, adapters),
  ];
}

const AGAIN = "npm run gen writes it again; if the page is right, the adapter is wrong";

function pageDrift(file: string, expected: string): Drift[] {
  if (!existsSync(file)) return [{ what: file, message: "is missing", hint: AGAIN }];
  const [wanted, found] = [expected.split("\n"), readFileSync(file, "utf8").split("\n")];
  const at = wanted.findIndex((line, index) => line !== found[index]);
  if (at < 0 && wanted.length === found.length) return [];
  const line = at < 0 ? wanted.length : at;
  const message = `line ${line + 1} says ${quoted(found[line])}, the adapters say ${quoted(wanted[line])}`;
  return [{ what: file, message, hint: AGAIN }];
}

const quoted = (line: string | undefined): string =>
  line === undefined ? "nothing" : `"${line.length > 80 ? `${line.slice(0, 79)}…` : line}"`;

/** What the shell lane reads; without the file the event is refused. */
function factsDrift(root: string, adapters: readonly Adapter[]): Drift[] {
  return adapters.flatMap(({ id, surfaces, observes }) =>
    [...Object.keys(surfaces), ...observes]
      .filter((event) => !existsSync(join(root, "dist/facts", id, event)))
      .map((event) => ({
        what: join(root, "dist/facts", id, event),
        message: "is missing, so the shell refuses the event",
        hint: "install the package again, or npm run build",
      })),
  );
}

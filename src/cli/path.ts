import { join } from "node:path";
import { managedRoot, storeRoot, userRoot, type Layout } from "../dispatch/layout.ts";
import { suggest } from "../events.ts";
import { shimOf } from "../install/site.ts";
import { type Answer, type Call, Missing, Misuse } from "./_call.ts";
import { layoutHere } from "./_project.ts";

type Find = (call: Call, layout: () => Layout) => string;

/** Layouts are asked for only where needed: `path dispatch` works without a store. */
const PLACES = {
  dispatch: ({ installation }) => join(installation.shell, "dispatch.sh"),
  shell: ({ installation }) => installation.shell,
  lib: ({ installation }) => join(installation.shell, "lib.sh"),
  home: ({ env }) => storeRoot(env),
  shim: ({ env }) => shimOf({ store: storeRoot(env) }),
  store: (_, layout) => layout().project,
  slot: (_, layout) => layout().slot,
  manifest: (_, layout) => join(layout().slot, "hooks-manifest"),
  ledger: (_, layout) => layout().ledger,
  project: (_, layout) => layout().root,
  user: ({ env }) => userRoot(env),
  managed: ({ env }) => managedRoot(env),
} as const satisfies Record<string, Find>;

export async function path(call: Call): Promise<Answer> {
  const what = call.operands[0]!;
  const names = Object.keys(PLACES);
  if (!Object.hasOwn(PLACES, what)) {
    const near = suggest(what, names);
    throw new Misuse(
      `there is no path "${what}"`,
      near ? `did you mean ${near}?` : `one of ${names.join(", ")}`,
    );
  }
  const found = PLACES[what as keyof typeof PLACES](call, () => layoutHere(call));
  if (found === "") throw new Missing(MISSING[what] ?? `there is no ${what} here`);
  return { exit: 0, json: { what, path: found }, text: found };
}

const MISSING: Readonly<Record<string, string>> = {
  project: "no project here: no folder above has .anyhook/",
  user: "HOME is not set, so there is no user layer",
};

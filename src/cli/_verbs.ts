import { AUTHOR } from "./_facts-author.ts";
import { CONNECT } from "./_facts-connect.ts";
import { PROVE } from "./_facts-prove.ts";
import { HARNESSES, LIFECYCLE } from "./_facts-lifecycle.ts";
import { MEMORY } from "./_facts-memory.ts";
import { RUN } from "./_facts-run.ts";
import { START } from "./_facts-start.ts";
import { WATCH } from "./_facts-watch.ts";
import type { VerbFacts } from "./_facts.ts";

/** Every verb, in the order help shows them. */
export const VERBS: Readonly<Record<string, VerbFacts>> = {
  ...START,
  ...CONNECT,
  ...HARNESSES,
  ...AUTHOR,
  ...PROVE,
  ...WATCH,
  ...RUN,
  ...LIFECYCLE,
  ...MEMORY,
};

export const verbNamed = (name: string): VerbFacts | undefined =>
  Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;

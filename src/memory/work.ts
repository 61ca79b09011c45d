import type { Origin } from "./_memory.ts";
import type { Args } from "./args.ts";
import type { Work } from "./distill.ts";
import { branchOf } from "./git-exclude.ts";
import { folderIn, type Place } from "./place.ts";
import type { Store } from "./store.ts";

/** What the pipeline has to know about an event. */
export function workOf(args: Args, place: Place, store: Store): Work {
  return {
    place,
    store,
    origin: originOf(args, place),
    now: args.now.toISOString(),
    say: args.say,
  };
}

export const originOf = ({ harness, session }: Args, place: Place): Origin => ({
  harness,
  session: session.slice(0, 200),
  branch: branchOf(place.root),
  folder: folderIn(place, place.cwd),
});

import { existsSync } from "node:fs";
import type { Args } from "./args.ts";
import { closeLoop } from "./close-loop.ts";
import { detach } from "./detach.ts";
import { placeOf, projectRuntimeDir } from "./place.ts";
import { dropOldSessions } from "./session.ts";
import { withStore } from "./store.ts";
import { workOf } from "./work.ts";

/** Beyond this the rest of a long transcript is read by a process that nobody waits for. */
const BUDGET = 200;

/** Drain, read on in the transcript, keep, distil. */
export async function run(args: Args): Promise<void> {
  const place = placeOf(args.cwd, args.env);
  const runtime = projectRuntimeDir(place, args.env);
  const file = args.transcript !== "" && existsSync(args.transcript) ? args.transcript : "";
  const budget = args.env["ANYHOOK_DETACHED"] === "1" ? Infinity : BUDGET;
  const { isDone } = await withStore(place, args.say, (store) =>
    closeLoop(workOf(args, place, store), { runtime, file, deadline: performance.now() + budget }),
  );
  if (!isDone) detach(args, file);
  dropOldSessions(runtime, args.now);
}

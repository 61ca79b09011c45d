import { existsSync } from "node:fs";
import type { Args } from "./args.ts";
import { closeLoop } from "./close-loop.ts";
import { isBusy } from "./database.ts";
import { detach } from "./detach.ts";
import { placeOf, projectRuntimeDir, waitingDir } from "./place.ts";
import { dropOldSessions } from "./session.ts";
import { withStore } from "./store.ts";
import { workOf } from "./work.ts";

/** Beyond this the rest of a long transcript is read by a process that nobody waits for. */
const BUDGET = 120;

/** Drain, read on in the transcript, keep, distil. */
export async function run(args: Args): Promise<void> {
  const place = placeOf(args.cwd, args.env);
  const runtime = projectRuntimeDir(place, args.env);
  const { file, session } = await transcriptOf(args, place.cwd);
  const budget = args.env["ANYHOOK_DETACHED"] === "1" ? Infinity : BUDGET;
  const isDone = await withStore(place, args.say, (store) =>
    closeLoop(workOf({ ...args, session }, place, store), {
      ...{
        runtime,
        waiting: waitingDir(place, args.env),
        file,
        deadline: performance.now() + budget,
      },
    }),
  ).then((closed) => closed.isDone, isWaiting);
  if (!isDone) detach({ ...args, session }, file);
  dropOldSessions(runtime, args.now);
}

/** Others are writing: somebody who has time waits for them, and nothing is lost until then. */
function isWaiting(error: unknown): false {
  if (isBusy(error) && process.env["ANYHOOK_DETACHED"] !== "1") return false;
  throw error;
}

/** The one that was named, by flag or payload; else the newest of this folder, with its own session. */
async function transcriptOf(args: Args, cwd: string): Promise<{ file: string; session: string }> {
  const { transcript, session } = args;
  if (transcript !== "") return { file: existsSync(transcript) ? transcript : "", session };
  // Loaded late: it brings the facts of all harnesses.
  const { newestTranscript, sessionIn } = await import("./newest.ts");
  const file = newestTranscript(cwd, args.env);
  return { file, session: (file === "" ? "" : sessionIn(file)) || session };
}

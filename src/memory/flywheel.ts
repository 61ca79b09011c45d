import { existsSync, realpathSync } from "node:fs";
import { Fault } from "../fault.ts";
import type { Env, Origin } from "./_memory.ts";
import { closeLoop, type Closed } from "./close-loop.ts";
import { branchOf } from "./git-exclude.ts";
import { newestTranscript, sessionIn } from "./newest.ts";
import { folderIn, placeOf, projectRuntimeDir, waitingDir } from "./place.ts";
import { withStore, type Say } from "./store.ts";

/** What a harness without hooks, or a person, asks for at the end of a piece of work. */
export interface Flywheel {
  readonly cwd: string;
  readonly env: Env;
  readonly say: Say;
  /** Named by whoever calls; else the newest of this folder. */
  readonly transcript?: string;
  readonly session?: string;
  readonly harness?: string;
}

export interface Turned extends Closed {
  /** "" when there was none to read. */
  readonly transcript: string;
}

/** Drain, distil, report: the whole loop at once, without a deadline. */
export async function flywheel(of: Flywheel): Promise<Turned> {
  const place = placeOf(of.cwd, of.env);
  const runtime = projectRuntimeDir(place, of.env);
  const transcript = transcriptOf(of, place.cwd);
  const origin: Origin = {
    harness: of.harness ?? of.env["ANYHOOK_HARNESS"] ?? "",
    session: of.session ?? sessionIn(transcript),
    branch: branchOf(place.root),
    folder: folderIn(place, place.cwd),
  };
  const closed = await withStore(place, of.say, (store) =>
    closeLoop(
      { place, store, origin, now: new Date().toISOString(), say: of.say },
      {
        runtime,
        waiting: waitingDir(place, of.env),
        file: transcript,
        deadline: Infinity,
        how: { isFinal: true },
      },
    ),
  );
  return { ...closed, transcript };
}

function transcriptOf({ transcript, env }: Flywheel, cwd: string): string {
  if (transcript === undefined || transcript === "") return newestTranscript(cwd, env);
  if (!existsSync(transcript))
    throw new Fault("no-transcript", `${transcript}: there is no such file`, {
      hint: "name a transcript, or leave it out to take the newest of this folder",
    });
  return realpathSync(transcript);
}

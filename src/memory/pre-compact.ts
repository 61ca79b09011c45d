import type { Args } from "./args.ts";
import { run as stop } from "./stop.ts";
import { placeOf, projectRuntimeDir } from "./place.ts";
import { readSession, writeSession } from "./session.ts";

/** What was tagged is kept before the context goes; the packet will be said again. */
export async function run(args: Args): Promise<void> {
  const runtime = projectRuntimeDir(placeOf(args.cwd, args.env), args.env);
  const session = readSession(runtime, args.session);
  if (args.session !== "")
    writeSession(runtime, args.session, { ...session, isAwake: false, isLost: true });
  await stop(args);
}

import type { Args } from "./args.ts";
import { inject } from "./inject.ts";
import { placeOf, projectRuntimeDir } from "./place.ts";
import { readSession, writeSession } from "./session.ts";
import { scalarText } from "../dispatch/occurrence.ts";

/** After these the model has lost what it was told. */
const LOST: readonly string[] = ["compact", "clear"];

/** The wakeup packet, once per session, and again after the context was compacted. */
export async function run(args: Args): Promise<void> {
  const place = placeOf(args.cwd, args.env);
  const runtime = projectRuntimeDir(place, args.env);
  const session = readSession(runtime, args.session);
  const isLost = LOST.includes(scalarText(args.payload["source"]));
  const isRepeated = session.lastEvent === args.id;
  if (args.session !== "" && session.isAwake && (!isLost || isRepeated)) return;
  const text = await inject({ place, say: args.say, goal: session.goal });
  args.print(text);
  if (args.session === "") return;
  const at = args.now.toISOString();
  writeSession(runtime, args.session, {
    ...session,
    isAwake: true,
    isLost: false,
    lastEvent: args.id,
    at,
  });
}

import type { Args } from "./args.ts";
import { envelope } from "./envelope.ts";
import { placeOf, projectRuntimeDir } from "./place.ts";
import { append } from "./queue.ts";

/** One envelope in the distill queue; the database is not touched. */
export async function run(args: Args): Promise<void> {
  const place = placeOf(args.cwd, args.env);
  const event =
    args.env["ANYHOOK_EVENT"] ?? (args.payload["error"] ? "PostToolUseFailure" : "PostToolUse");
  append(projectRuntimeDir(place, args.env), await envelope({ ...args, event }));
}

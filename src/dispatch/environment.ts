import type { Hook, Occurrence } from "../model.ts";
import type { Dispatch } from "./dispatch.ts";

/** What a hook finds in its environment beside what the harness gave; shell/run.sh sets the same. */
export function environment(dispatch: Dispatch, hook: Hook, event: Occurrence): NodeJS.ProcessEnv {
  const { paths, cut } = boundedPaths(event.paths);
  return {
    ...dispatch.env,
    ANYHOOK_HARNESS: event.harness,
    ANYHOOK_EVENT: event.event,
    ANYHOOK_HOOK: hook.name,
    ANYHOOK_PROJECT_DIR: dispatch.root,
    ANYHOOK_EVENT_ID: clean(event.id),
    ANYHOOK_DEPTH: String(dispatch.switches.depth + 1),
    ANYHOOK_TOOL: clean(event.tool),
    ANYHOOK_PATHS: clean(paths),
    ANYHOOK_PATHS_CUT: cut ? "1" : "",
    ANYHOOK_LIB: dispatch.library,
    // A program with the library in it has no store: only what it says itself.
    ...(dispatch.switches.state === "" ? {} : { ANYHOOK_STATE: `${dispatch.switches.state}/own` }),
    // Hooks that were written for Claude Code find their project by this name, on every harness.
    CLAUDE_PROJECT_DIR: dispatch.env["CLAUDE_PROJECT_DIR"] || dispatch.root,
  };
}

/** No variable may hold a NUL. */
const clean = (text: string): string => text.replaceAll("\0", "");

const MOST = 60_000;

/** An environment is bounded; the payload on standard input has them all. */
function boundedPaths(all: readonly string[]): { paths: string; cut: boolean } {
  let paths = "";
  let used = 0;
  let cut = false;
  for (const path of all) {
    const size = Buffer.byteLength(path);
    if (used >= MOST || size > MOST) cut = true;
    else {
      paths += (paths === "" ? "" : "\n") + path;
      used += size + (used === 0 ? 0 : 1);
    }
  }
  return { paths, cut };
}

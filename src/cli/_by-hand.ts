import { unknownHarness } from "../adapters/_by-hand.ts";
import type { Call } from "./_call.ts";
import { dispatcher, understood, type Understood } from "./_dispatcher.ts";

/** One event that no harness sends, through the real dispatcher, read back in our own dialect. */
export async function bringAbout(
  call: Call,
  harness: string,
  event: string,
  payload: Readonly<Record<string, unknown>>,
  cwd: string = call.from,
): Promise<Understood & { readonly stderr: string }> {
  const returned = await dispatcher({
    ...{ shell: call.installation.shell, adapter: unknownHarness(harness), event, cwd },
    payload: JSON.stringify({ hook_event_name: event, ...payload }),
    env: { ...call.env, ANYHOOK_BY_HAND: "1", CLAUDE_PROJECT_DIR: "" },
  });
  return { ...understood(returned), stderr: returned.stderr };
}

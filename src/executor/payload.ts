import type { EventName } from "../events.ts";

type Json = Readonly<Record<string, unknown>>;

/** The canonical payload; who and where are filled in when the program does not say. */
export function payloadBytes(event: EventName, payload: Json, root: string, held: boolean): Buffer {
  const stops = event === "Stop" || event === "SubagentStop";
  const whole = {
    session_id: "",
    hook_event_name: event,
    cwd: root,
    ...(stops ? { stop_hook_active: held } : {}),
    ...payload,
  };
  try {
    return Buffer.from(JSON.stringify(whole));
  } catch (error) {
    throw new TypeError(`the payload cannot be written as JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

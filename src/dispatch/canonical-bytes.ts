import type { Occurrence } from "../model.ts";
import { mergeObjects } from "./raw.ts";

/** Canonical = Claude's shape with our tool name, event name and paths. */
export function canonicalBytes(event: Occurrence, payload: Buffer): Buffer {
  const facts = {
    hook_event_name: event.event,
    ...(event.tool === "" ? {} : { tool_name: event.tool, paths: event.paths }),
  };
  // What is no JSON object was decoded as an empty one, and its text must not be spliced.
  const base = Object.keys(event.payload).length === 0 ? "{}" : payload.toString("utf8");
  return Buffer.from(mergeObjects(base.slice(base.indexOf("{")), JSON.stringify(facts)));
}

import { isObject } from "../dispatch/occurrence.ts";
import type { Incoming } from "./_fetch.ts";
import { Failure } from "./_settled.ts";

type Json = Record<string, unknown>;

/** A model's answer, whole or as a stream: by what it says it is, not by what was asked for. */
export function bodyOf(answer: Incoming, host: string): Json | readonly Json[] {
  const text = answer.body.toString("utf8");
  if ((answer.headers["content-type"] ?? "").startsWith("text/event-stream")) return events(text);
  try {
    const data: unknown = JSON.parse(text);
    if (isObject(data)) return data;
  } catch {
    // Said below.
  }
  throw new Failure(`${host}: ${answer.status}, but the body is no JSON object`);
}

/** The `data:` of every event that ended; what is cut in the middle is not one. */
function events(text: string): Json[] {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n").slice(0, -1);
  return blocks.flatMap((block) => {
    const data = block
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trimStart())
      .join("\n");
    try {
      const value: unknown = JSON.parse(data);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

export const isStream = (body: Json | readonly Json[]): body is readonly Json[] =>
  Array.isArray(body);

export const objectAt = (holder: unknown, key: string): Json =>
  isObject(holder) && isObject(holder[key]) ? holder[key] : {};

export const listAt = (holder: unknown, key: string): Json[] =>
  isObject(holder) && Array.isArray(holder[key]) ? holder[key].filter(isObject) : [];

export const textAt = (holder: unknown, key: string): string =>
  isObject(holder) && typeof holder[key] === "string" ? holder[key] : "";

export const numberAt = (holder: unknown, key: string): number =>
  isObject(holder) && typeof holder[key] === "number" ? holder[key] : 0;

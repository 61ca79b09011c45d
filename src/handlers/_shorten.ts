import { Failure } from "./_settled.ts";

/** What a text of JSON may keep, tried one after the other. */
const KEPT = [8000, 2000, 500] as const;

/**
 * What is too long for a model loses the middle of its long texts, never a member: whoever pads one
 * member must not push another out of sight. What is too long all the same is a failure.
 */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  if (!isJson(text)) return withoutMiddle(text, longest - 100);
  for (const kept of KEPT) {
    const shorter = withShortTexts(text, kept);
    if (shorter.length <= longest) return shorter;
  }
  throw new Failure(`the event is too long to be judged: ${text.length} characters`);
}

function withoutMiddle(text: string, kept: number): string {
  if (text.length <= kept) return text;
  const half = Math.floor(kept / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)} [${left} characters cut by anyhook] ${text.slice(-half)}`.toWellFormed();
}

/** On the raw text: a member that is there twice is shown twice. */
function withShortTexts(json: string, kept: number): string {
  let out = "";
  let at = 0;
  for (let from = json.indexOf('"'); from >= 0; from = json.indexOf('"', at)) {
    let end = from + 1;
    while (json[end] !== '"') end += json[end] === "\\" ? 2 : 1;
    out += `${json.slice(at, from)}"${withoutMiddle(json.slice(from + 1, end), kept)}"`;
    at = end + 1;
  }
  return out + json.slice(at);
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object";
  } catch {
    return false;
  }
}

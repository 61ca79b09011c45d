import { lenient } from "./_lenient.ts";
import { Failure } from "./_settled.ts";

export interface Found {
  readonly values: readonly unknown[];
  /** The text is one JSON value and nothing else, but for a code fence around it. */
  readonly isWhole: boolean;
}

/** Nobody's one answer is longer than this, or has more braces before it. */
const LONGEST = 100_000;
const BRACES = 100;

/** What a model wrote, as JSON: the whole of it, or the outermost `{…}` in it. */
export function objectsIn(said: string): Found {
  if (said.length > LONGEST) throw new Failure(`the model gave more than ${LONGEST} characters`);
  const whole = said
    .trim()
    .replace(/^```\w*\s/, "")
    .replace(/```$/, "");
  return isJson(whole)
    ? { values: [lenient(whole)], isWhole: true }
    : { values: outermost(said), isWhole: false };
}

/**
 * Whatever stands around them; code fences need no care of their own. What is inside of one that
 * cannot be read is not looked at.
 */
function outermost(text: string): unknown[] {
  const found: unknown[] = [];
  let at = text.indexOf("{");
  for (let tried = 0; at >= 0; tried++) {
    if (tried >= BRACES) throw new Failure(`the model gave more than ${BRACES} braces`);
    const end = closing(text, at);
    const value = end < 0 ? undefined : lenient(text.slice(at, end));
    if (value !== undefined) found.push(value);
    at = text.indexOf("{", end < 0 ? at + 1 : end);
  }
  return found;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where the bracket at `from` is closed, texts left out; -1 when it is not. */
function closing(said: string, from: number): number {
  let depth = 0;
  let quote = "";
  for (let at = from; at < said.length; at++) {
    const c = said[at]!;
    if (quote !== "") {
      if (c === "\\") at++;
      else if (c === quote) quote = "";
    } else if (c === '"' || (c === "'" && !/\w/.test(said[at - 1] ?? ""))) quote = c;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return at + 1;
  }
  return -1;
}

import { isObject, scalarText } from "../dispatch/occurrence.ts";
import { redact } from "../dispatch/redact.ts";
import { lenient } from "./_lenient.ts";
import type { Completed, ToolSpec } from "./_provider.ts";
import { Failure } from "./_settled.ts";
import { cut } from "./_verdict.ts";

export interface Answer {
  readonly ok: boolean;
  readonly reason: string;
  readonly findings: readonly string[];
}

const text = { type: "string" };
const ok = { type: "boolean", description: "true = go on, false = it must not go on" };
const reason = { ...text, description: "One or two sentences for the person" };

/** How a model answers where it can be given a form. */
export const ANSWER: ToolSpec = {
  name: "answer",
  about: "Gives the answer. Call it exactly once.",
  input: {
    type: "object",
    properties: { ok, reason },
    required: ["ok", "reason"],
    additionalProperties: false,
  },
};

export const ANSWER_WITH_FINDINGS: ToolSpec = {
  ...ANSWER,
  about: "Gives the answer and ends the work. Call it exactly once.",
  input: {
    type: "object",
    properties: {
      ok,
      reason,
      findings: { type: "array", items: text, description: "What was found, with file and line" },
    },
    required: ["ok", "reason", "findings"],
    additionalProperties: false,
  },
};

/** The one answer in what a model said. Anything that is not clearly one is a failure. */
export function answerIn({ text: said, calls }: Completed): Answer {
  const given = calls.filter(({ name }) => name === ANSWER.name).map(({ input }) => input);
  const candidates = given.length > 0 ? given : candidatesIn(said);
  const answers = candidates.flatMap(asAnswer);
  const [answer] = answers;
  const takesBack = given.length > 0 && answer?.ok === true && DENIAL.test(said);
  if (takesBack) throw new Failure("the model gave 2 answers: yes in its form, no in its words");
  if (answer !== undefined && candidates.length === 1) return answer;
  const shown = cut(redact(said.replace(/\s+/g, " ").trim()), 80);
  throw new Failure(
    candidates.length > 1
      ? `the model gave ${candidates.length} answers`
      : `the model gave no {ok, reason}: ${JSON.stringify(shown)}`,
  );
}

const TRUTHS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  false: false,
  no: false,
};

/** `ok` must be there and be a boolean, or the word for one. */
function asAnswer(value: unknown): Answer[] {
  if (!isObject(value) || !hasOk(value)) return [];
  const word = value["ok"];
  const truth = typeof word === "boolean" ? word : TRUTHS[scalarText(word).trim().toLowerCase()];
  if (truth === undefined) return [];
  const findings = Array.isArray(value["findings"]) ? value["findings"].map(shown) : [];
  return [{ ok: truth, reason: redact(shown(value["reason"])), findings }];
}

const shown = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : scalarText(value);

/** Nobody's one answer is longer than this, or has more braces before it. */
const LONGEST = 100_000;
const BRACES = 100;

/** What looks like the beginning of an answer, read or not, in whatever quotes. */
const MENTION = /[{,]\s*["'`]?ok["'`]?\s*:/gi;

/** The same, with a no. */
const DENIAL = /[{,]\s*["'`]?ok["'`]?\s*:\s*["']?(?:false|no)\b/i;

/** A text that is one object is that. Elsewhere, whoever quotes an answer beside their own gave two. */
function candidatesIn(said: string): unknown[] {
  if (said.length > LONGEST) throw new Failure(`the model gave more than ${LONGEST} characters`);
  const whole = said
    .trim()
    .replace(/^```\w*\s/, "")
    .replace(/```$/, "");
  if (isJson(whole)) return [lenient(whole)];
  const mentions = said.match(MENTION) ?? [];
  return mentions.length > 1 ? mentions : objectsIn(said).filter(hasOk);
}

const hasOk = (value: unknown): boolean => isObject(value) && Object.hasOwn(value, "ok");

/**
 * The outermost `{…}` of a text, whatever stands around them; code fences need no care of their
 * own. What is inside of one that cannot be read is not looked at.
 */
function objectsIn(text: string): unknown[] {
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

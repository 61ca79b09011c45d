import { isObject, scalarText } from "../dispatch/occurrence.ts";
import { redact } from "../dispatch/redact.ts";
import { objectsIn } from "./_objects.ts";
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

/** What looks like the beginning of an answer, read or not, in whatever quotes. */
const MENTION = /[{,]\s*["'`]?ok["'`]?\s*:/gi;

/** The same, with a no. */
const DENIAL = /[{,]\s*["'`]?ok["'`]?\s*:\s*["']?(?:false|no)\b/i;

/** A text that is one object is that. Elsewhere, whoever quotes an answer beside their own gave two. */
function candidatesIn(said: string): readonly unknown[] {
  const { values, isWhole } = objectsIn(said);
  if (isWhole) return values;
  const mentions = said.match(MENTION) ?? [];
  return mentions.length > 1 ? mentions : values.filter(hasOk);
}

export const hasOk = (value: unknown): boolean => isObject(value) && Object.hasOwn(value, "ok");

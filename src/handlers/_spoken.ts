import { isObject } from "../dispatch/occurrence.ts";
import { ANSWER, hasOk } from "./_answer.ts";
import { lenient } from "./_lenient.ts";
import { objectsIn } from "./_objects.ts";
import type { Completed, Completion, Provider, ToolCall, ToolSpec, Turn } from "./_provider.ts";
import { Failure } from "./_settled.ts";

/**
 * A provider of plain text, taught to ask for our tools: each turn it is told the whole conversation
 * so far and writes one JSON object, a call or the answer.
 */
export function spoken(provider: Provider): Provider {
  return {
    ...provider,
    takesTools: true,
    complete: async (completion) => {
      const { text, usage } = await provider.complete({
        ...completion,
        system: `${completion.system}\n\n${protocolOf(completion)}`,
        turns: [{ role: "user", text: transcriptOf(completion) }],
      });
      return readTurn(text, usage);
    },
  };
}

const FORM =
  '{"ok": true or false, "reason": "one or two sentences", "findings": ["file:line: …"]}';

function protocolOf({ tools, force }: Completion): string {
  const answer = `To give the answer, which ends the work, write ${FORM}.`;
  const rest = "Write one JSON object and nothing else.";
  if (force === ANSWER.name) return `There are no tools any more. ${answer} ${rest}`;
  return [
    "You have no tools of your own here. To use one of the tools below, write " +
      '{"tool": "its name", "input": {…}}; its result is in the next message. Never write a result ' +
      "yourself, and never write a call and the answer together.",
    `${answer} ${rest}`,
    "The tools, each with the JSON Schema of its input:",
    ...tools.filter(({ name }) => name !== ANSWER.name).map(lineOf),
  ].join("\n");
}

const lineOf = ({ name, about, input }: ToolSpec): string =>
  `- ${name}: ${about} ${JSON.stringify(input)}`;

function transcriptOf({ turns, force }: Completion): string {
  const next =
    force === ANSWER.name
      ? "Now write the answer, as one JSON object."
      : "Now write one JSON object: a call of a tool, or the answer.";
  return [...turns.map(textOf), next].join("\n\n");
}

/** What the tools brought stands in its fence already. */
function textOf(turn: Turn): string {
  if (turn.role === "user") return turn.text;
  if (turn.role === "tools")
    return turn.results
      .map(({ text, failed }) => `${failed ? "Refused" : "The result"}:\n${text}`)
      .join("\n\n");
  return `You wrote:\n${turn.calls.map(written).join("\n")}`;
}

/** Nothing in a call can open or close a fence: the model may have been talked into writing one. */
const written = ({ name, input }: ToolCall): string =>
  JSON.stringify({ tool: name, input }).replaceAll("<", "\\u003c");

/** What looks like the beginning of a call, read or not. */
const MENTION = /[{,]\s*["'`]?tool["'`]?\s*:/i;

/** Calls, or else what must be the answer. A call next to an answer is a result that was made up. */
function readTurn(said: string, usage: Completed["usage"]): Completed {
  const { values: found, isWhole } = objectsIn(said);
  const values = found.flat();
  const calls = values.filter((value) => isObject(value) && Object.hasOwn(value, "tool"));
  if (calls.length > 0 && values.some(hasOk))
    throw new Failure("the model called a tool and gave an answer at once");
  if (calls.length === 0) {
    if (!isWhole && MENTION.test(said)) throw new Failure("the model's call cannot be read");
    return { text: said, calls: [], usage };
  }
  return { text: "", calls: calls.map(callOf), usage };
}

function callOf(value: unknown, at: number): ToolCall {
  const { tool, ...rest } = value as Record<string, unknown>;
  if (typeof tool !== "string") throw new Failure("the model's call cannot be read");
  return { id: String(at), name: tool, input: inputOf(rest) };
}

/** Also as a text of JSON, and also without the `input` around it. */
function inputOf(rest: Record<string, unknown>): unknown {
  const { input = rest } = rest;
  return typeof input === "string" ? lenient(input) : input;
}

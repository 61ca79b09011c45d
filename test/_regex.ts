import { compileDfa } from "../src/compile/regex-dfa.ts";
import { parseRegex } from "../src/compile/regex-parse.ts";
import { accepts, parseAutomaton } from "../src/dispatch/automaton.ts";

export const compile = (source: string, flags = "") => {
  const parsed = parseRegex(source, flags);
  return "problem" in parsed ? parsed : compileDfa(parsed.pattern);
};

export const automatonOf = (source: string, flags = ""): string => {
  const made = compile(source, flags);
  if ("problem" in made) throw new Error(`${source}: ${made.problem.message}`);
  return made.automaton;
};

export const problemOf = (source: string, flags = "") => {
  const made = compile(source, flags);
  return "problem" in made ? made.problem : undefined;
};

export const matches = (source: string, flags: string, text: string | Uint8Array): boolean =>
  accepts(parseAutomaton(automatonOf(source, flags)), Buffer.from(text as string));

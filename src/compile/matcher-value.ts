import { suggest } from "../events.ts";
import type { Severity } from "../model.ts";
import type { DraftCondition } from "./_definition.ts";
import type { Pattern } from "./regex-ast.ts";
import { compileDfa } from "./regex-dfa.ts";
import { parseGlob } from "./regex-glob.ts";
import { parseRegex } from "./regex-parse.ts";
import type { RegexProblem } from "./regex-problem.ts";

export interface MatcherProblem {
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  /** 1-based, where the matcher is one line of text. */
  readonly column?: number;
}

/** One value read: no condition means that it cannot be used, and a problem says why. */
export interface ValueReading {
  readonly condition?: DraftCondition;
  readonly problems: readonly MatcherProblem[];
}

/** A value as people write it after a path: `A|B`, `glob:…`, `/…/flags` or exact text. */
export function readValue(path: string, text: string): ValueReading {
  if (text.startsWith("glob:")) return readGlob(path, text);
  const slashed = slashForm(text);
  if (slashed === "ambiguous") return refuseAmbiguous(path, text);
  if (slashed) return readPattern(path, slashed.source, slashed.flags, text);
  return readExact(path, text);
}

export function readPattern(
  path: string,
  source: string,
  flags: string,
  text: string,
): ValueReading {
  return finish(path, text, source, parseRegex(source, flags));
}

function readGlob(path: string, text: string): ValueReading {
  const source = text.slice("glob:".length);
  return finish(path, text, source, parseGlob(source));
}

/** Exactly one of `values`, as they stand. */
export function readList(path: string, values: readonly string[]): ValueReading {
  const problems = path === "tool_name" ? values.flatMap(nearMiss) : [];
  return { condition: { path, op: "eq", values }, problems };
}

function readExact(path: string, text: string): ValueReading {
  const values = text.includes("|") ? text.split("|").map((value) => value.trim()) : [text];
  if (values.length > 1 && values.includes(""))
    return refuse(
      `${path}: an empty alternative in "${text}"`,
      "write A|B, or a list for a | itself",
    );
  const reading = readList(path, values);
  const starred = values.find((value) => value.includes("*"));
  if (starred === undefined) return reading;
  const message = `${path}: "${starred}" is compared as it stands, star included`;
  const hint = `write glob:${starred} or a regex`;
  return { ...reading, problems: [...reading.problems, { severity: "warning", message, hint }] };
}

type Parsed = { readonly pattern: Pattern } | { readonly problem: RegexProblem };

function finish(path: string, text: string, source: string, parsed: Parsed): ValueReading {
  const made = "problem" in parsed ? parsed : compileDfa(parsed.pattern);
  if ("problem" in made) {
    const { message, at, hint } = made.problem;
    return refuse(`${path}: ${message} (at character ${at + 1} of "${source}")`, hint);
  }
  const { automaton } = made;
  const condition: DraftCondition = { path, op: "re", text, automaton };
  if (!neverMatches(automaton)) return { condition, problems: [] };
  const message = `${path}: "${text}" can never match`;
  const hint = "check the ^, $ and \\b in it";
  return { condition, problems: [{ severity: "warning", message, hint }] };
}

const neverMatches = (automaton: string): boolean =>
  /^anyhook-dfa 1 1 1\n[^\n]*\n\d+\n\./.test(automaton);

export function refuse(message: string, hint: string): ValueReading {
  return { problems: [{ severity: "error", message, hint }] };
}

/**
 * `/…/flags`, told from a file path by its tail: nothing or flag letters after the last slash.
 * A path such as /home/me/s could be both, and a guess would guard the wrong thing.
 */
export function slashForm(
  text: string,
): { readonly source: string; readonly flags: string } | "ambiguous" | undefined {
  const found = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text);
  if (!found) return undefined;
  const [, source = "", flags = ""] = found;
  const bare = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, "");
  return bare.includes("/") && flags !== "" ? "ambiguous" : { source, flags };
}

export function refuseAmbiguous(path: string, text: string): ValueReading {
  return refuse(
    `${path}: "${text}" may be a file path or a regex`,
    "write \\/ for a slash inside a regex; for a path write glob: before it",
  );
}

const CANONICAL = "Bash Read Write Edit Glob Grep WebFetch WebSearch Agent".split(" ");
/** Names that harnesses really use, near to a canonical one or not. */
const NATIVE: ReadonlySet<string> = new Set(
  "run_shell_command apply_patch exec_command view_image spawn_agent Task MultiEdit NotebookEdit".split(
    " ",
  ),
);

function nearMiss(name: string): MatcherProblem[] {
  if (CANONICAL.includes(name) || NATIVE.has(name) || name.startsWith("mcp__")) return [];
  const near = suggest(name, CANONICAL);
  if (near === undefined) return [];
  const message = `tool_name: no tool is called "${name}"`;
  return [{ severity: "warning", message, hint: `did you mean "${near}"?` }];
}

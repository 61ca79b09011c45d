import { type EventName, factsOf } from "../events.ts";
import type { DraftCondition } from "./_definition.ts";
import { type Comparison, splitExpression } from "./matcher-expression.ts";
import { checkPath } from "./matcher-path.ts";
import {
  type MatcherProblem,
  readList,
  readPattern,
  readValue,
  refuse,
  refuseAmbiguous,
  slashForm,
  type ValueReading,
} from "./matcher-value.ts";

export type { MatcherProblem } from "./matcher-value.ts";

/** No `conditions` when there is an error: such a hook is rejected, it neither fires always nor never. */
export interface MatcherReading {
  readonly conditions: readonly DraftCondition[] | undefined;
  readonly problems: readonly MatcherProblem[];
}

/** The header form: `tool_name = "Bash" and tool_input.command ~ "push.*--force"`. */
export function parseExpression(text: string): MatcherReading {
  const split = splitExpression(text);
  if ("problem" in split) {
    const { message, hint, at } = split.problem;
    return collect([{ problems: [{ severity: "error", message, hint, column: at + 1 }] }]);
  }
  return collect(split.comparisons.map(readComparison));
}

function readComparison(comparison: Comparison): ValueReading {
  const inPath = checkPath(comparison.path);
  const { condition, problems } =
    comparison.op === "=" ? readValue(comparison.path, comparison.value) : readRegex(comparison);
  const place = (column: number) => (problem: MatcherProblem) => ({ ...problem, column });
  return {
    ...(condition && { condition }),
    problems: [
      ...inPath.map(place(comparison.pathAt + 1)),
      ...problems.map(place(comparison.valueAt + 1)),
    ],
  };
}

/** Quoted it stands as written; without quotes slashes around it are its quotes, as in awk. */
function readRegex({ path, value, quoted }: Comparison): ValueReading {
  if (value.startsWith("glob:")) return refuse(`${path}: a glob after ~`, "write = before glob:");
  const slashed = quoted ? undefined : slashForm(value);
  if (slashed === "ambiguous") return refuseAmbiguous(path, value);
  if (slashed) return readPattern(path, slashed.source, slashed.flags, value);
  return readPattern(path, value, "", value);
}

/** The object form: keys are paths, every one must hold. */
export function parseConditions(record: Readonly<Record<string, unknown>>): MatcherReading {
  return collect(
    Object.entries(record).map(([path, value]) => {
      const { condition, problems } = readEntry(path, value);
      return { ...(condition && { condition }), problems: [...checkPath(path), ...problems] };
    }),
  );
}

function readEntry(path: string, value: unknown): ValueReading {
  if (isScalar(value)) return readList(path, [String(value)]);
  if (Array.isArray(value)) return readArray(path, value);
  if (typeof value !== "string")
    return refuse(
      `${path}: ${value === null ? "null" : `a value of type ${typeof value}`} cannot be compared`,
      `write text, a list of texts, a number or a boolean; for a field inside write ${path}.field`,
    );
  return value.startsWith("~")
    ? readPattern(path, value.slice(1).trimStart(), "", value)
    : readValue(path, value);
}

const isScalar = (value: unknown): value is number | boolean =>
  typeof value === "number" || typeof value === "boolean";

function readArray(path: string, values: readonly unknown[]): ValueReading {
  if (values.length === 0)
    return refuse(`${path}: an empty list matches nothing`, "list values, or leave the key out");
  if (!values.every((value) => typeof value === "string" || isScalar(value)))
    return refuse(`${path}: a list may hold texts only`, "write exact texts; patterns go outside");
  return readList(path, values.map(String));
}

/** The bare matcher of Claude's map form, compared with what the harnesses compare at that event. */
export function parseSubject(event: EventName, text: string | undefined): MatcherReading {
  if (text === undefined || text === "" || text === "*") return collect([]);
  const path = factsOf(event).subject;
  if (path === "") return collect([{ problems: [ignored(event, text)] }]);
  if (!/^[\w|, -]*$/.test(text)) return collect([readPattern(path, text, "", text)]);
  const names = text.split(/[|,]/).map((name) => name.trim());
  if (names.includes(""))
    return collect([refuse(`${path}: an empty name in "${text}"`, "write A|B, or * for all")]);
  return collect([readList(path, names)]);
}

const ignored = (event: EventName, text: string): MatcherProblem => ({
  severity: "warning",
  message: `"${text}" is ignored: at ${event} every harness runs all hooks, whatever the matcher`,
  hint: "leave the matcher out",
});

function collect(readings: readonly ValueReading[]): MatcherReading {
  const problems = readings.flatMap((reading) => reading.problems);
  const failed = problems.some((problem) => problem.severity === "error");
  const conditions = readings.flatMap(({ condition }) => (condition ? [condition] : []));
  return { conditions: failed ? undefined : conditions, problems };
}

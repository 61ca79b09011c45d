import { isObject } from "../dispatch/occurrence.ts";
import { distance } from "../events.ts";

type Json = Readonly<Record<string, unknown>>;

const DECISIONS: readonly unknown[] = ["block", "deny", "ask", "allow", "approve"];

/** What would count there. */
const COUNTS = {
  word: (value) => DECISIONS.includes(value),
  false: (value) => value === false,
  object: isObject,
} as const satisfies Record<string, (value: unknown) => boolean>;

const NAMES = [
  ["decision", "word"],
  ["permissionDecision", "word"],
  ["continue", "false"],
  ["rewrite", "object"],
  ["hookSpecificOutput", "object"],
  ["hookSpecificOutput.permissionDecision", "word"],
  ["hookSpecificOutput.decision", "object"],
  ["hookSpecificOutput.updatedInput", "object"],
  ["hookSpecificOutput.decision.behavior", "word"],
  ["hookSpecificOutput.decision.updatedInput", "object"],
] as const satisfies readonly (readonly [string, keyof typeof COUNTS])[];

/** Of an object, these are no decision themselves. */
const PLACES: readonly string[] = ["hookSpecificOutput", "hookSpecificOutput.decision"];

/**
 * Nothing decides, and a member that is nearly one that does has a value that would count there.
 * near_miss in verdict.awk is the same.
 */
export function nearMiss(data: Json): string {
  if (decides(data)) return "";
  const found = NAMES.flatMap(([path, kind]) => near(data, path, COUNTS[kind]));
  const [first] = found.toSorted((a, b) => (a.written < b.written ? -1 : 1));
  return first ? `unknown member ${first.written}, which looks like ${first.path}` : "";
}

const decides = (data: Json): boolean =>
  NAMES.some(([path, kind]) => !PLACES.includes(path) && COUNTS[kind](at(data, path))) ||
  at(data, "hookSpecificOutput.updatedToolOutput") !== undefined;

interface Near {
  readonly written: string;
  readonly path: string;
}

function near(data: Json, path: string, counts: (value: unknown) => boolean): Near[] {
  const from = path.lastIndexOf(".") + 1;
  const parent = from === 0 ? data : at(data, path.slice(0, from - 1));
  if (!isObject(parent)) return [];
  return Object.keys(parent)
    .filter((key) => key !== path.slice(from) && isNear(key, path.slice(from)))
    .filter((key) => counts(parent[key]))
    .map((key) => ({ written: path.slice(0, from) + key, path }))
    .filter(({ written }) => written.length <= 60);
}

/** Two edits from a known name, one where that is short; case, _ and - are none. */
function isNear(key: string, name: string): boolean {
  if (!/^[A-Za-z_-]+$/.test(key)) return false;
  const plain = key.toLowerCase().replace(/[_-]/g, "");
  return distance(plain, name.toLowerCase()) <= (name.length > 7 ? 2 : 1);
}

export const at = (data: Json, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      data,
    );

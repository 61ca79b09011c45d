import type { Pattern } from "./regex-ast.ts";

/** What is known about the texts a pattern matches. */
interface Known {
  /** The pattern matches `prefix` and nothing else. */
  readonly exact: boolean;
  readonly prefix: string;
  readonly suffix: string;
  /** The longest piece that every match contains. */
  readonly best: string;
}

const NOTHING: Known = { exact: false, prefix: "", suffix: "", best: "" };
const EMPTY: Known = { ...NOTHING, exact: true };

/** The longest text that every match of the pattern must contain, as far as that is easy to see. */
export function requiredLiteral(pattern: Pattern): string {
  return known(pattern).best;
}

function known(pattern: Pattern): Known {
  switch (pattern.kind) {
    case "set":
      return knownSet(pattern.ranges);
    case "sequence":
      return pattern.parts.map(known).reduce(join, EMPTY);
    case "choice":
      return knownChoice(pattern.options.map(known));
    case "repeat":
      return knownRepeat(known(pattern.body), pattern.min, pattern.max);
    case "assert":
      return EMPTY;
  }
}

/** Tab, line feed, carriage return: the control characters that have an escape there. */
const WRITABLE: readonly number[] = [0x09, 0x0a, 0x0d];

/**
 * One plain character. Control characters cannot be written in the automaton's second line, and
 * U+FFFD also stands for bytes that are not its own.
 */
function knownSet(ranges: readonly (readonly [number, number])[]): Known {
  const [range] = ranges;
  if (ranges.length !== 1 || range![0] !== range![1]) return NOTHING;
  const code = range![0];
  const control = code === 0x7f || (code < 0x20 && !WRITABLE.includes(code));
  if (control || code === 0xfffd) return NOTHING;
  const text = String.fromCodePoint(code);
  return { exact: true, prefix: text, suffix: text, best: text };
}

function join(a: Known, b: Known): Known {
  return {
    exact: a.exact && b.exact,
    prefix: a.exact ? a.prefix + b.prefix : a.prefix,
    suffix: b.exact ? a.suffix + b.suffix : b.suffix,
    best: longest(a.best, a.suffix + b.prefix, b.best),
  };
}

function knownChoice(options: readonly Known[]): Known {
  const [first] = options;
  const same = options.every((o) => o.exact === first!.exact && o.best === first!.best);
  if (!same) return NOTHING;
  return first!.exact ? first! : { ...NOTHING, best: first!.best };
}

function knownRepeat(body: Known, min: number, max: number): Known {
  const least = Array.from({ length: min }, () => body).reduce(join, EMPTY);
  return min === max ? least : { ...least, exact: false };
}

const longest = (...texts: readonly string[]): string =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), "");

import { suggest } from "../events.ts";
import type { FieldName } from "./fields.ts";

/**
 * Fields that make a hook stronger: left out by a slip, a guard would hold less than it says. The
 * value is taken where it can only make it stricter, whatever was meant; a number of Claude's form
 * counts seconds, so a timeout is not.
 */
const STRONGER = {
  block: (value) => value === true,
  on_failure: (value) => value !== "allow",
  reentrant: (value) => value === true,
  timeout: () => false,
} satisfies Partial<Record<FieldName, (value: unknown) => boolean>>;

type Strength = keyof typeof STRONGER;

/** Other words for them. */
const MEANT: ReadonlyMap<string, Strength> = new Map([
  ["blocking", "block"],
  ["onfail", "on_failure"],
  ["onerror", "on_failure"],
]);

/** The field that makes a hook stronger and that this can only be a slip of. */
export function misspelt(key: string, known: readonly string[]): Strength | undefined {
  const meant = MEANT.get(plain(key));
  if (meant) return meant;
  const near = suggest(key, known);
  if (near === undefined || !Object.hasOwn(STRONGER, near)) return undefined;
  // A short word: `blocked` or `clock` may be somebody else's.
  return near !== "block" || isNear(key, near) ? (near as Strength) : undefined;
}

export const isStricter = (name: Strength, value: unknown): boolean => STRONGER[name](value);

const plain = (word: string): string => word.toLowerCase().replace(/[-_]/g, "");

/** One letter too many, too few, wrong or swapped: `Owner:` must not be taken for `Order:`. */
export function isNear(key: string, known: string): boolean {
  const written = plain(key);
  const rest = [...plain(known)];
  if (written.length < 3 || written[0] !== rest[0]) return false;
  let extra = 0;
  for (const letter of written) {
    const at = rest.indexOf(letter);
    if (at < 0) extra++;
    else rest.splice(at, 1);
  }
  return extra <= 1 && rest.length <= 1;
}

/** Whether a header's key is worth a word. */
export const isMeant = (key: string): boolean => MEANT.has(plain(key));

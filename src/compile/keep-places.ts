import type { Hook } from "../model.ts";
import type { Previous } from "./last-good.ts";

/**
 * Puts rows of an earlier compile among those of this one: where they stood, next to the neighbours
 * of their event, order and layer that are still there.
 */
export function keepPlaces(
  fresh: readonly Hook[],
  kept: readonly Hook[],
  previous: Previous,
  compare: (a: Hook, b: Hook) => number,
): Hook[] {
  const result = [...fresh];
  for (const row of kept) result.splice(placeOf(row, result, previous, compare), 0, row);
  return result;
}

function placeOf(
  row: Hook,
  rows: readonly Hook[],
  before: readonly Hook[],
  compare: (a: Hook, b: Hook) => number,
): number {
  const near = before.filter((one) => isNear(one, row));
  const at = near.findIndex((one) => one.name === row.name);
  const here = (one: Hook): number =>
    rows.findIndex((other) => isNear(other, row) && other.name === one.name);
  const above = near.slice(0, Math.max(0, at)).map(here).findLast(isThere);
  if (above !== undefined) return above + 1;
  const below = near
    .slice(at + 1)
    .map(here)
    .find(isThere);
  if (below !== undefined) return below;
  const next = rows.findIndex((other) => compare(other, row) > 0);
  return next < 0 ? rows.length : next;
}

const isThere = (at: number): boolean => at >= 0;

const isNear = (a: Hook, b: Hook): boolean =>
  a.event === b.event && a.order === b.order && a.layer === b.layer;

/** How we say numbers, times and lists. */

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n} ${n === 1 ? one : many}`;

export function listed(words: readonly string[], last = "and"): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

export function span(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const minutes = seconds / 60;
  return minutes < 60
    ? `${Number(minutes.toFixed(1))} min`
    : `${Number((minutes / 60).toFixed(1))} h`;
}

const UNITS = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
] as const;

export function ago(time: string | number | Date, now: number = Date.now()): string {
  const age = now - new Date(time).getTime();
  if (Number.isNaN(age)) return "at an unknown time";
  for (const [size, unit] of UNITS)
    if (age >= size) return `${count(Math.floor(age / size), unit)} ago`;
  return age < 10_000 ? "just now" : `${Math.floor(age / 1000)} seconds ago`;
}

const two = (n: number): string => String(n).padStart(2, "0");

export const dayOf = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;

/** Local time; the day only when it is not today. */
export function clock(time: string, now: Date = new Date()): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return "??:??:??";
  const hours = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return dayOf(at) === dayOf(now) ? hours : `${dayOf(at)} ${hours}`;
}

export function ordinal(n: number): string {
  const tail = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${tail}`;
}

import { elementsOf, membersOf, rawKey, type Member } from "./raw.ts";

type Keys = Readonly<Record<string, string>>;

interface Pair {
  readonly from: string;
  readonly to: string;
  readonly list: boolean;
}

/** tool_input with canonical keys; untouched when there is none to rename. */
export function canonicalInput(input: string, keys: Keys | undefined): string {
  if (!keys) return input;
  if (!input.startsWith("{")) {
    const whole = joined(input);
    return keys["[]"] === undefined || whole === "" ? input : `{"${keys["[]"]}":${whole}}`;
  }
  const pairs = pairsIn(membersOf(input), keys);
  if (pairs.length === 0) return input;
  const shown = membersOf(input).map((member) => {
    const pair = pairs.find(({ from }) => from === member.key);
    if (!pair) return `${rawKey(member.name)}:${member.value}`;
    return `"${pair.to}":${pair.list ? joined(member.value) : member.value}`;
  });
  return `{${shown.join(",")}}`;
}

/** A new canonical input with the harness's keys; `native` is the input that it replaces. */
export function nativeInput(next: string, native: string, keys: Keys | undefined): string {
  if (!keys || !next.startsWith("{")) return next;
  if (!native.startsWith("{")) return wholeInput(next, native, keys);
  const before = membersOf(native);
  const applied = pairsIn(before, keys);
  const members = membersOf(next);
  const shown = members.map((member) => {
    const pair = applied.find(({ to }) => to === member.key) ?? added(member.key);
    if (!pair) return `${rawKey(member.name)}:${member.value}`;
    const old = before.find(({ key }) => key === pair.from)?.value;
    return `"${pair.from}":${pair.list ? listed(member.value, old) : member.value}`;
  });
  return `{${shown.join(",")}}`;

  /** A key that the hook brought along. */
  function added(key: string): Pair | undefined {
    if (before.some((member) => member.key === key)) return undefined;
    return tableOf(keys!).find(
      ({ from, to }) =>
        to === key && ![...before, ...members].some((member) => member.key === from),
    );
  }
}

/** The input was a list or a text; it stays one as long as nothing else is in it. */
function wholeInput(next: string, native: string, keys: Keys): string {
  const [only, ...more] = membersOf(next);
  if (!only || more.length > 0 || only.key !== keys["[]"]) return next;
  return listed(only.value, native);
}

const tableOf = (keys: Keys): Pair[] =>
  Object.entries(keys)
    .filter(([from]) => from !== "[]")
    .map(([from, to]) => ({ from: from.replace("[]", ""), to, list: from.endsWith("[]") }));

/** The renames that hold for these members: each canonical key once, and only where it is free. */
function pairsIn(members: readonly Member[], keys: Keys): Pair[] {
  const pairs: Pair[] = [];
  for (const pair of tableOf(keys)) {
    const member = members.find(({ key }) => key === pair.from);
    const taken =
      pairs.some(({ to }) => to === pair.to) ||
      (pair.to !== pair.from && members.some(({ key }) => key === pair.to));
    if (!member || taken || (pair.list && joined(member.value) === "")) continue;
    pairs.push(pair);
  }
  return pairs;
}

/** One text, a line per element; a text stays as it is, and what has no texts is nothing. */
function joined(value: string): string {
  if (value.startsWith('"')) return value;
  const elements = value.startsWith("[") ? elementsOf(value) : [{ value }];
  const lines = elements.map((one) => textIn(one.value));
  return lines.length === 0 || lines.includes("") ? "" : `"${lines.join("\\n")}"`;
}

/** A text, or the texts of an object and of the lists in it, with spaces; raw, without quotes. */
function textIn(value: string): string {
  if (value.startsWith('"')) return value.slice(1, -1);
  if (!value.startsWith("{")) return "";
  return membersOf(value)
    .flatMap((member) =>
      member.value.startsWith("[")
        ? elementsOf(member.value).map((one) => one.value)
        : [member.value],
    )
    .filter((text) => text.startsWith('"'))
    .map((text) => text.slice(1, -1))
    .join(" ");
}

/**
 * A text as the list that it came from: unchanged the same list; with as many lines as there were
 * elements one element per line; otherwise one element, which for commands is a script.
 */
function listed(value: string, old: string | undefined): string {
  if (!value.startsWith('"')) return value;
  if (old === undefined) return `[${value}]`;
  if (joined(old) === value) return old;
  if (!old.startsWith("[")) return value;
  const lines = linesOf(value.slice(1, -1));
  const elements = elementsOf(old).map((one) => one.value);
  if (lines.length !== elements.length) return `[${value}]`;
  return `[${lines.map((line, at) => (textIn(elements[at]!) === line ? elements[at] : `"${line}"`)).join(",")}]`;
}

/** Cut at each escaped line break; a backslash that is itself escaped is none. */
function linesOf(raw: string): string[] {
  const lines = [""];
  for (const part of raw.match(/\\.|[^\\]+/gs) ?? [])
    if (part === "\\n") lines.push("");
    else lines[lines.length - 1] += part;
  return lines;
}

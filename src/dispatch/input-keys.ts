import { joined, listed, textIn } from "./input-lists.ts";
import { bytesOf, membersOf, rawKey, stringOf, type Member } from "./raw.ts";

type Keys = Readonly<Record<string, string>>;

interface Key {
  readonly from: string;
  readonly to: string;
  readonly list: boolean;
  /** The one member that counts in a list's objects. */
  readonly member: string;
  /** The list of further words. */
  readonly more: string;
}

interface Pair extends Key {
  /** The canonical value. */
  readonly text: string;
}

/** tool_input with canonical keys; untouched when there is none to rename. */
export function canonicalInput(input: string, keys: Keys = {}): string {
  const inner = unwrapped(input, keys);
  if (inner !== undefined) return canonicalInput(inner, keys);
  if (!input.startsWith("{")) {
    const key = wholeKey(keys);
    const whole = key ? joined(input, key.member) : "";
    return key === undefined || whole === "" ? input : `{"${key.to}":${whole}}`;
  }
  const members = membersOf(input);
  const pairs = pairsIn(members, keys);
  if (pairs.length === 0) return input;
  const shown = members.map((member) => {
    const pair = pairs.find(({ from }) => from === member.key);
    return pair ? `"${pair.to}":${pair.text}` : `${rawKey(member.name)}:${member.value}`;
  });
  return `{${shown.join(",")}}`;
}

/** A new canonical input with the harness's keys; `native` is the input that it replaces. */
export function nativeInput(next: string, native: string, keys: Keys = {}): string {
  const inner = unwrapped(native, keys);
  if (inner !== undefined) return nativeInput(next, inner, keys);
  if (!next.startsWith("{")) return next;
  if (!native.startsWith("{")) return wholeInput(next, native, keys);
  const before = membersOf(native);
  const applied = pairsIn(before, keys);
  if (applied.length === 0 && Object.keys(keys).length === 0) return next;
  const members = membersOf(next);
  const shown = members.map((member) => {
    const pair = applied.find(({ to }) => to === member.key);
    if (pair) return `"${pair.from}":${goneBack(pair, member.value, before)}`;
    const key = added(member.key, before, members, keys);
    if (key)
      return `"${key.from}":${key.list ? listed(member.value, undefined, key.member) : member.value}`;
    return `${rawKey(member.name)}:${spent(member.key) ? "[]" : member.value}`;
  });
  return `{${shown.join(",")}}`;

  /** Words that went into a text which is now another one. */
  function spent(key: string): boolean {
    const pair = applied.find(({ more }) => more !== "" && more === key);
    const now = members.find((member) => member.key === pair?.to)?.value;
    return pair !== undefined && now !== undefined && now !== pair.text;
  }
}

function goneBack(pair: Pair, value: string, before: readonly Member[]): string {
  const old = before.find(({ key }) => key === pair.from)?.value;
  if (pair.list) return listed(value, old, pair.member);
  return pair.more !== "" && value === pair.text ? old! : value;
}

/** The native key of one that the hook brought along. */
function added(
  name: string,
  before: readonly Member[],
  members: readonly Member[],
  keys: Keys,
): Key | undefined {
  if (before.some(({ key }) => key === name)) return undefined;
  return tableOf(keys).find(
    ({ from, to }) => to === name && ![...before, ...members].some(({ key }) => key === from),
  );
}

/** Some harnesses send the object as a text that holds it, and take the object itself back. */
function unwrapped(input: string, keys: Keys): string | undefined {
  if (!input.startsWith('"') || wholeKey(keys)) return undefined;
  const text = stringOf(input);
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const inner = bytesOf(text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""));
  return inner.startsWith("{") ? inner : undefined;
}

/** The input was a list or a text; it stays one as long as nothing else is in it. */
function wholeInput(next: string, native: string, keys: Keys): string {
  const [only, ...more] = membersOf(next);
  const key = wholeKey(keys);
  if (!only || more.length > 0 || only.key !== key?.to) return next;
  return listed(only.value, native, key.member);
}

const parsed = ([written, to]: [string, string]): Key => {
  const [, from = "", more = "", list, member = ""] =
    /^([^[+]*)(?:\+([^[]*))?(\[\](?:\.(.*))?)?$/.exec(written) ?? [];
  return { from, to, list: list !== undefined && more === "", member, more };
};

const allKeys = (keys: Keys): Key[] => Object.entries(keys).map(parsed);
const tableOf = (keys: Keys): Key[] => allKeys(keys).filter(({ from }) => from !== "");
const wholeKey = (keys: Keys): Key | undefined => allKeys(keys).find(({ from }) => from === "");

/**
 * The renames that hold for these members: each canonical key once, for the first native one that
 * has a text, whatever else is there under the canonical name: that is kept aside. What is no text
 * is renamed only where the canonical name is free.
 */
function pairsIn(members: readonly Member[], keys: Keys): Pair[] {
  const pairs: Pair[] = [];
  const has = (name: string): boolean => members.some(({ key }) => key === name);
  for (const texts of [true, false])
    for (const key of tableOf(keys)) {
      if (!has(key.from) || pairs.some(({ to }) => to === key.to)) continue;
      const text = textOf(key, members);
      const holds = texts
        ? text.startsWith('"') && text !== '""'
        : text !== "" && (key.to === key.from || !has(key.to));
      if (holds) pairs.push({ ...key, text });
    }
  const hiding = pairs.filter(
    ({ from, to }) => from !== to && has(to) && !pairs.some((pair) => pair.from === to),
  );
  return [...pairs, ...hiding.map(({ to }) => aside(to, members))];
}

function aside(from: string, members: readonly Member[]): Pair {
  let to = `native_${from}`;
  while (members.some(({ key }) => key === to)) to = `native_${to}`;
  const text = members.find(({ key }) => key === from)!.value;
  return { from, to, list: false, member: "", more: "", text };
}

function textOf(key: Key, members: readonly Member[]): string {
  const value = members.find((member) => member.key === key.from)!.value;
  if (key.list) return joined(value, key.member);
  if (key.more === "") return value;
  const list = members.find((member) => member.key === key.more)?.value ?? "";
  const words = list.startsWith("[") ? textIn(list, "") : "";
  return value.startsWith('"') && words !== "" ? `"${value.slice(1, -1)} ${words}"` : "";
}

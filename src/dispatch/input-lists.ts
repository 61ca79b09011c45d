import { elementsOf, membersOf, type Member } from "./raw.ts";

/** One text, a line per element; a text stays as it is, and what has no texts is nothing. */
export function joined(value: string, member: string): string {
  if (value.startsWith('"')) return value;
  const elements = value.startsWith("[") ? elementsOf(value) : [{ value }];
  const lines = elements.map((one) => textIn(one.value, member));
  return lines.every((line) => line === "") ? "" : `"${lines.join("\\n")}"`;
}

/**
 * A text; of an object the text of the one member that counts, with the words of the list after +;
 * else the texts of an object or a list, and of the lists in an object, with spaces; raw, without
 * quotes.
 */
export function textIn(value: string, member: string): string {
  if (value.startsWith('"')) return value.slice(1, -1);
  if (value.startsWith("[")) return wordsIn([value]);
  if (!value.startsWith("{")) return "";
  const members = membersOf(value);
  const [first = "", more] = member.split("+");
  const only = textMember(value, first);
  if (!only) return wordsIn(members.map((one) => one.value));
  const list = members.find(({ key }) => key === more)?.value ?? "";
  return wordsIn([only.value, ...(list.startsWith("[") ? [list] : [])]);
}

const wordsIn = (values: readonly string[]): string =>
  values
    .flatMap((value) =>
      value.startsWith("[") ? elementsOf(value).map((one) => one.value) : [value],
    )
    .filter((text) => text.startsWith('"'))
    .map((text) => text.slice(1, -1))
    .join(" ");

/** The first of the members, with / between their names, that has a text. */
function textMember(value: string, member: string): Member | undefined {
  if (member === "" || !value.startsWith("{")) return undefined;
  const texts = membersOf(value).filter((one) => /^"[^"]/.test(one.value));
  return member
    .split("/")
    .map((name) => texts.find(({ key }) => key === name))
    .find((found) => found !== undefined);
}

/**
 * A text as the list that it came from: unchanged the same list; with as many lines as there were
 * elements one element per line; otherwise a new list.
 */
export function listed(value: string, old: string | undefined, member: string): string {
  if (!value.startsWith('"')) return value;
  if (old === undefined) return fresh(value, member);
  if (joined(old, member) === value) return old;
  if (!old.startsWith("[")) return value;
  const lines = linesOf(value.slice(1, -1));
  const elements = elementsOf(old).map((one) => one.value);
  if (lines.length !== elements.length) return fresh(value, member);
  return `[${lines.map((line, at) => changed(elements[at]!, line, member)).join(",")}]`;
}

/** One element, which for commands is a script; objects that are known by one member, one per line. */
function fresh(value: string, member: string): string {
  if (member === "" || member.includes("+")) return `[${value}]`;
  return `[${linesOf(value.slice(1, -1))
    .map((line) => `{"${member.split("/")[0]}":"${line}"}`)
    .join(",")}]`;
}

function changed(element: string, line: string, member: string): string {
  if (textIn(element, member) === line) return element;
  const only = textMember(element, member);
  if (!only) return `"${line}"`;
  return `${element.slice(0, only.start)}"${line}"${element.slice(only.end)}`;
}

/** Cut at each escaped line break; a backslash that is itself escaped is none. */
function linesOf(raw: string): string[] {
  const lines = [""];
  for (const part of raw.match(/\\.|[^\\]+/gs) ?? [])
    if (part === "\\n") lines.push("");
    else lines[lines.length - 1] += part;
  return lines;
}

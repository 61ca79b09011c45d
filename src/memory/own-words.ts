/**
 * What somebody said themselves: without the elements that clients, and we, put into their mouth
 * (`<system-reminder>`, `<local-command-stdout>`, `<environment_context>`, `<anyhook-context>`).
 */
export function ownWords(text: string): string {
  if (text.startsWith("# AGENTS.md instructions")) return "";
  const rest = text.includes("</") ? withoutElements(text) : text;
  return UNCLOSED.test(rest) ? "" : rest;
}

/** Names of one word are HTML, and people write about that. */
const OPENING = /<([a-z]+(?:[_-][a-z]+)+)(?:\s[^<>]{0,300})?>/g;
const UNCLOSED = /^\s*<[a-z]+[_-][a-z_-]+[ >]/;

function withoutElements(text: string): string {
  const kept: string[] = [];
  const open = new Set<string>();
  let from = 0;
  for (const { index, 0: whole, 1: name = "" } of text.matchAll(OPENING)) {
    if (index < from || open.has(name)) continue;
    const end = text.indexOf(`</${name}>`, index + whole.length);
    if (end < 0) open.add(name);
    else {
      kept.push(text.slice(from, index));
      from = end + name.length + 3;
    }
  }
  return [...kept, text.slice(from)].join(" ");
}

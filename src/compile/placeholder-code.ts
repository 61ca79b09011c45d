import { basename } from "node:path";
import type { SyntaxNode } from "unbash";

/** Run what they are given, in every argument. */
const EVALUATES = /^(?:eval|trap|ssh|watch|parallel)$/;
/** Run what follows -c, -e or -r, and what comes in when nothing else is said. */
const INTERPRETS =
  /^(?:(?:ba|da|z|k|fi|a)?sh|python[\d.]*|node|ruby|perl|php|deno|bun|su|lua|pwsh|psql|mysql|sqlite3)$/;
/** Their first argument is a program. */
const FILTERS = /^(?:[gmn]?awk|original-awk|sed|gsed|jq)$/;
/** Options of filters that take the next word, which is no program. */
const TAKES_WORD = /^(?:-[vfF]|--arg|--argjson|--slurpfile|--rawfile)$/;

/**
 * Whether the placeholder at `offset` would be read as code by somebody: quoting for the outer shell
 * does not quote for the inner one, `sh -c "… {file} …"`.
 */
export function isCode(node: SyntaxNode, offset: number): boolean {
  if (node.type.startsWith("Arithmetic")) return true;
  if (node.type === "Pipeline") return feedsShell(node.commands, offset);
  if (node.type !== "Command") return false;
  const program = node.name?.value ?? "";
  const at = node.suffix.findIndex((word) => word.pos <= offset && offset < word.end);
  const words = node.suffix.map((word) => (word.type === "Word" ? word.value : ""));
  return at >= 0 && readsAsCode([program, ...words], at + 1);
}

/** A here-document or here-string is code when the command reads its program from there. */
export const readsInputAsCode = (node: SyntaxNode): boolean =>
  node.type === "Command" && isInterpreter(node);

function feedsShell(commands: readonly SyntaxNode[], offset: number): boolean {
  const from = commands.findIndex((one) => one.pos <= offset && offset < one.end);
  return from >= 0 && commands.slice(from + 1).some(isInterpreter);
}

function isInterpreter(node: SyntaxNode): boolean {
  if (node.type !== "Command") return false;
  const words = node.suffix.flatMap((word) => (word.type === "Word" ? [word.value] : []));
  const name = basename(node.name?.value ?? "");
  return name === "ssh" || (INTERPRETS.test(name) && words.every((word) => word.startsWith("-")));
}

/** `words` with the program first; programs before it (env, sudo, timeout 5 …) change nothing. */
export function readsAsCode(words: readonly string[], at: number): boolean {
  const before = words.slice(0, at).map((word) => basename(word));
  const flagged = /^-[A-Za-z]*[cer]$|^--(?:eval|command|expression)$/.test(words[at - 1] ?? "");
  if (EVALUATES.test(before[0] ?? "")) return true;
  const wrapped = WRAPPERS.test(before[0] ?? "") && before.some((word) => EVALUATES.test(word));
  if (wrapped || (flagged && before.some((word) => INTERPRETS.test(word) || FILTERS.test(word))))
    return true;
  const filter = before.findIndex((word) => FILTERS.test(word));
  return filter >= 0 && isProgramOf(words.slice(filter + 1, at), words[at] ?? "");
}

const WRAPPERS =
  /^(?:env|sudo|doas|timeout|xargs|nohup|exec|command|builtin|nice|ionice|find|setsid|time|stdbuf|flock)$/;

/** The first word that is no option: only options, and what belongs to them, come before it. */
const isProgramOf = (before: readonly string[], word: string): boolean =>
  !word.startsWith("-") &&
  !TAKES_WORD.test(before.at(-1) ?? "") &&
  before.every(
    (one, i) => one === "" || one.startsWith("-") || TAKES_WORD.test(before[i - 1] ?? ""),
  );

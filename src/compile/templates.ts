import { basename } from "node:path";
import { type SyntaxNode, forEachChild, parse } from "unbash";

/** A command line whose placeholders are data, and what they stand for. */
export interface Templated {
  readonly script: string;
  /** Names in the order of ANYHOOK_ARG_1, _2 … */
  readonly args: readonly string[];
  readonly problem: string;
}

/** `{file}`, `{tool_name}`, `{args}`, `{result}` and paths such as `{tool_input.command}`; not `${file}`. */
const PLACEHOLDER =
  /(?<!\$)\{(file|tool_name|args|result|[a-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)+)\}/g;

/** S1.16: a placeholder becomes a quoted variable, so that no shell ever parses what it stands for. */
export function templates(command: string): Templated {
  const found = [...command.matchAll(PLACEHOLDER)];
  if (found.length === 0) return { script: command, args: [], problem: "" };
  const tree = parse(command);
  const problem = tree.errors?.[0]?.message ?? "";
  const contexts = found.map(({ index }) => contextAt(tree, index));
  const refused = problem || (contexts.includes("code") ? CODE : "");
  if (refused !== "") return { script: command, args: [], problem: refused };
  const args = [
    ...new Set(found.flatMap(({ 1: name }, i) => (contexts[i] === "none" ? [] : [name!]))),
  ];
  let i = 0;
  const script = command.replace(PLACEHOLDER, (whole, name: string) => {
    const context = contexts[i++]!;
    return context === "none" || context === "code"
      ? whole
      : QUOTED[context](`\${ANYHOOK_ARG_${args.indexOf(name) + 1}}`);
  });
  return { script, args, problem: "" };
}

const CODE =
  "a placeholder stands inside code that another interpreter reads, where it would be run";

/** How the variable is written where the placeholder stood. */
const QUOTED = {
  word: (variable) => `"${variable}"`,
  double: (variable) => variable,
  single: (variable) => `'"${variable}"'`,
  ansi: (variable) => `'"${variable}"$'`,
} as const satisfies Record<string, (variable: string) => string>;

type Context = keyof typeof QUOTED | "code" | "none";

/** The innermost node around an offset decides; a comment is in none. */
function contextAt(tree: SyntaxNode, offset: number): Context {
  let context: Context = "none";
  const visit = (node: SyntaxNode, quoted: boolean): void => {
    const inside = node.pos <= offset && offset < node.end;
    if (inside && context !== "code")
      context = isCode(node, offset) ? "code" : (contextOf(node, quoted) ?? context);
    // The body of a here-document lies outside the range of its command.
    const literal = node.type === "HereDoc" && (node.delimiter?.quoted ?? false);
    forEachChild(node, (child) => visit(child, literal));
  };
  visit(tree, false);
  return context;
}

function contextOf(node: SyntaxNode, quoted: boolean): Context | undefined {
  if (node.type === "HereDocBody") return quoted ? "none" : "double";
  return CONTEXTS[node.type];
}

const CONTEXTS: Readonly<Record<string, Context>> = {
  Word: "word",
  DoubleQuoted: "double",
  LocaleString: "double",
  SingleQuoted: "single",
  AnsiCQuoted: "ansi",
};

const EVALUATES = /^(?:eval|ssh|watch|parallel)$/;
const TAKES_CODE =
  /^(?:(?:ba|da|z|k|fi)?sh|python[\d.]*|node|ruby|perl|php|deno|bun|awk|gawk|mawk|su)$/;

/** `sh -c "… {file} …"`: quoting for the outer shell does not quote for the inner one. */
function isCode(node: SyntaxNode, offset: number): boolean {
  if (node.type !== "Command") return false;
  const { name, suffix } = node;
  const at = suffix.findIndex((word) => word.pos <= offset && offset < word.end);
  const words = suffix.map((word) => (word.type === "Word" ? word.value : ""));
  return at >= 0 && readsAsCode(name?.value ?? "", words, at);
}

function readsAsCode(program: string, words: readonly string[], at: number): boolean {
  const name = basename(program);
  if (EVALUATES.test(name)) return true;
  const isFilter = at === 0 && name.endsWith("awk");
  return (
    TAKES_CODE.test(name) && (isFilter || /^-[A-Za-z]*[cer]$|^--eval$/.test(words[at - 1] ?? ""))
  );
}

/** The same danger in an argument list, which no shell reads. */
export function codeInArguments([program = "", ...words]: readonly string[]): string {
  const holds = (word: string): boolean => word.search(PLACEHOLDER) >= 0;
  return words.some((word, at) => holds(word) && readsAsCode(program, words, at)) ? CODE : "";
}

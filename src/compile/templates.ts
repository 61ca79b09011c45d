import { type SyntaxNode, forEachChild, parse } from "unbash";
import { BRACED, isPlaceholder } from "../dispatch/placeholders.ts";
import { isCode, readsAsCode, readsInputAsCode } from "./placeholder-code.ts";

/** A command line whose placeholders are data, and what they stand for. */
export interface Templated {
  readonly script: string;
  /** Names in the order of ANYHOOK_ARG_1, _2 … */
  readonly args: readonly string[];
  readonly problem: string;
}

/** S1.16: a placeholder becomes a quoted variable, so that no shell ever parses what it stands for. */
export function templates(command: string): Templated {
  const found = [...command.matchAll(BRACED)].filter(([, name]) => isPlaceholder(name!));
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
  const script = command.replace(BRACED, (whole, name: string) => {
    if (!isPlaceholder(name)) return whole;
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
  const visit = (node: SyntaxNode, quoted: boolean, fed: boolean): void => {
    const inside = node.pos <= offset && offset < node.end;
    const code = isCode(node, offset) || (fed && /^Here(?:DocBody|String)$/.test(node.type));
    if (inside && context !== "code")
      context = code ? "code" : (contextOf(node, quoted) ?? context);
    // The body of a here-document lies outside the range of its command.
    const literal = node.type === "HereDoc" && (node.delimiter?.quoted ?? false);
    const feeds = readsInputAsCode(node) || (fed && node.type === "HereDoc");
    forEachChild(node, (child) => visit(child, literal, feeds));
  };
  visit(tree, false, false);
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

/** The same danger in an argument list, which no shell reads. */
export function codeInArguments(words: readonly string[]): string {
  const holds = (word: string): boolean =>
    [...word.matchAll(BRACED)].some(([, name]) => isPlaceholder(name!));
  return words.some((word, at) => at > 0 && holds(word) && readsAsCode(words, at)) ? CODE : "";
}

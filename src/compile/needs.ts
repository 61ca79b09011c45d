import { execFile } from "node:child_process";
import { basename } from "node:path";
import { type Command, type Statement, type Word, type WordPart, parse } from "unbash";
import type { HandlerKind } from "../model.ts";
import { headOf } from "./header.ts";

/**
 * What must exist before a hook may start (R4): `python gone.py` exits 2, which must not be
 * taken for a block. With "/" or "{" it is a file, otherwise a program on PATH.
 */
export function needs(kind: HandlerKind, run: string): string[] {
  if (kind === "script") return needsOfScript(run);
  if (kind === "exec") return needsOfList(JSON.parse(run) as string[]);
  return kind === "shell" ? needsOfWords(firstCommand(run)) : [];
}

export interface Shebang {
  /** Absolute path, or a program name after `env`; empty when there is no shebang. */
  readonly interpreter: string;
  readonly carriageReturn: boolean;
}

export function shebang(head: string): Shebang {
  const line = /^#!([^\n]*)/.exec(head)?.[1] ?? "";
  const words = line.trim().split(/\s+/);
  const program = /(?:^|\/)env$/.test(words[0] ?? "") ? words.slice(1).find(isProgram) : words[0];
  return { interpreter: program ?? "", carriageReturn: line.endsWith("\r") };
}

/** After `env`: neither an option nor an assignment. */
const isProgram = (word: string): boolean => !word.startsWith("-") && !word.includes("=");

function needsOfScript(file: string): string[] {
  const { interpreter } = shebang(headOf(file));
  return interpreter === "" ? [] : [interpreter];
}

const INTERPRETER = /^(?:python[\d.]*|node|ruby|perl|php|bash|sh|dash|zsh|ksh|deno|bun|tsx)$/;

/** Options known to take no value of their own; after any other one the next word may be its value. */
const LONE_OPTION =
  /^-(?:[uEsSBIxOlwT]+|-no-[\w-]+|-[\w-]+=.*|-posix|-norc|-noprofile|-allow-[\w-]+)$/;

/** S1.16: what a template stands for is only known when the event comes. */
const TEMPLATE = /\{(?:file|tool_name|args|result)\}/;

type MaybeWord = string | undefined;

/** `undefined` stands for a word that is only known at run time. */
function needsOfWords([program, ...rest]: readonly MaybeWord[]): string[] {
  if (program === undefined || program === "") return [];
  const own = program.includes("/") || program.startsWith("{") ? program : basename(program);
  if (!INTERPRETER.test(basename(program))) return program.includes("/") ? [own] : [];
  const args =
    ["deno", "bun"].includes(basename(program)) && rest[0] === "run" ? rest.slice(1) : rest;
  const file = fileArgument(args);
  return file === undefined ? [own] : [own, file.includes("/") ? file : `./${file}`];
}

/** No shell stands between: its first word is a program, unless the payload says which. */
function needsOfList(words: readonly string[]): string[] {
  const found = needsOfWords(words);
  const [program = ""] = words;
  return found.length > 0 || program === "" || program.includes("{") ? found : [program];
}

/** The first argument that is no option, when that can be told. */
function fileArgument(args: readonly MaybeWord[]): MaybeWord {
  const word = args.find((arg) => arg === undefined || !LONE_OPTION.test(arg));
  return word === undefined || /^(?:-|$)/.test(word) || TEMPLATE.test(word) ? undefined : word;
}

/** The words of the first simple command of a command line. */
function firstCommand(line: string): MaybeWord[] {
  const script = parse(line);
  if ((script.errors ?? []).length > 0) return [];
  const command = simple(script.commands[0]?.command);
  if (!command?.name) return [];
  const words = [
    command.name,
    ...command.suffix.filter((part): part is Word => part.type === "Word"),
  ];
  return words.map(wordText);
}

function simple(node: Statement["command"] | undefined): Command | undefined {
  if (node?.type === "Command") return node;
  if (node?.type === "Pipeline" || node?.type === "AndOr") return simple(node.commands[0]);
  return undefined;
}

const VARIABLES: Readonly<Record<string, string>> = {
  CLAUDE_PROJECT_DIR: "{project}",
  ANYHOOK_PROJECT_DIR: "{project}",
  HOME: "{home}",
};

function wordText(word: Word): MaybeWord {
  if (!word.parts) return word.value.startsWith("~/") ? `{home}${word.value.slice(1)}` : word.value;
  const parts = word.parts.map(partText);
  if (parts.includes(undefined)) return undefined;
  return parts.join("").replace(/^~\//, "{home}/");
}

function partText(part: WordPart): MaybeWord {
  if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted")
    return part.value;
  if (part.type === "DoubleQuoted") {
    const inner = part.parts.map(partText);
    return inner.includes(undefined) ? undefined : inner.join("");
  }
  if (part.type === "SimpleExpansion") return VARIABLES[part.text.slice(1)];
  const plain =
    part.type === "ParameterExpansion" && !part.operation && !part.prefix && !part.index;
  return plain ? VARIABLES[part.parameter] : undefined;
}

const SHELLS = /^(?:sh|bash|dash)$/;

/** What the script's own shell says about its syntax: "line N: message", or "". */
export async function syntaxError(file: string, { interpreter }: Shebang): Promise<string> {
  if (!SHELLS.test(basename(interpreter))) return "";
  const stderr = await new Promise<string>((done) => {
    const options = { timeout: 2000, killSignal: "SIGKILL" } as const;
    execFile(interpreter, ["-n", file], options, (failure, _, text) =>
      done(failure && typeof failure.code === "number" ? text : ""),
    );
  });
  const match = /(?:line )?(\d+):\s*(.*)/.exec(stderr.split("\n", 1)[0]!.replace(file, ""));
  return match ? `line ${match[1]}: ${match[2]}` : "";
}

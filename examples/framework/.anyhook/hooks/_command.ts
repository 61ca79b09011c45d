import { basename, isAbsolute, join, normalize } from "node:path";
import { lex, type Word } from "./_lex.ts";

/** One program and its arguments, after quotes and the variables that can be known. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** Where it would run: `cd` earlier in the line is taken into account. */
  readonly cwd: string;
}

interface Surroundings {
  readonly cwd: string;
  readonly home: string;
}

/** Every program that a command line would start, also inside `sh -c`, `$(…)` and behind `sudo`. */
export function commandsIn(line: string, { cwd, home }: Surroundings, depth = 0): SimpleCommand[] {
  if (depth > 8) return [];
  const variables: Record<string, string> = { HOME: home, PWD: cwd };
  const found: SimpleCommand[] = [];
  let at = cwd;
  for (const { words, nested, stdin } of lex(line)) {
    const inside = { cwd: at, home };
    for (const inner of nested) found.push(...commandsIn(inner, inside, depth + 1));
    const plain = assign(words, variables).map((word) => expand(word, variables));
    const run = unwrapped(plain);
    const [program = "", ...args] = run;
    if (basename(program) === "cd") {
      const to = args.find((arg) => !/^-[LPe@]*$/.test(arg)) ?? home;
      at = isAbsolute(to) ? normalize(to) : join(at, to);
    }
    const code = codeOf(basename(program), args, stdin);
    for (const inner of code) found.push(...commandsIn(inner, { cwd: at, home }, depth + 1));
    if (run.length > 0) found.push({ words: run, cwd: at });
  }
  return found;
}

/** `X=1 Y=2 program`: the assignments are remembered, the rest is the command. */
function assign(words: readonly Word[], variables: Record<string, string>): readonly Word[] {
  const isAssignment = ([first]: Word): boolean =>
    first !== undefined && !first.quote && /^[A-Za-z_]\w*=/.test(first.text);
  const count = words.findIndex((word) => !isAssignment(word));
  const assignments = count < 0 ? words : words.slice(0, count);
  for (const word of assignments) {
    const [name = "", ...value] = expand(word, variables).split("=");
    variables[name] = value.join("=");
  }
  return words.slice(assignments.length);
}

/** A variable that is not known stays a mark that no path can contain. */
const UNKNOWN = "\0";

function expand(word: Word, variables: Readonly<Record<string, string>>): string {
  const pieces = word.map(({ text, quote }, i) => {
    if (quote === "'") return text;
    const home =
      i === 0 && quote === "" && /^~(?=\/|$)/.test(text) ? text.replace("~", "${HOME}") : text;
    return home.replace(/\$(?:(\w+)|\{(\w+)[^}]*\})/g, (_, plain?: string, braced?: string) =>
      Object.hasOwn(variables, plain ?? braced ?? "") ? variables[(plain ?? braced)!]! : UNKNOWN,
    );
  });
  return pieces.join("");
}

/** Programs that run another program, and which of their options take a value. */
const WRAPPERS: Readonly<Record<string, RegExp>> = {
  sudo: /^-[ugpChDRrtT]$/,
  doas: /^-[uC]$/,
  env: /^-[uCS]$/,
  command: /^$/,
  builtin: /^$/,
  exec: /^-a$/,
  nohup: /^$/,
  nice: /^-n$/,
  ionice: /^-[cnp]$/,
  time: /^-[fo]$/,
  timeout: /^-[sk]$/,
  xargs: /^-[IiLnPsdEa]$/,
  busybox: /^$/,
  setsid: /^$/,
  stdbuf: /^-[ioe]$/,
};

function unwrapped(words: readonly string[]): readonly string[] {
  const [program = "", ...rest] = words;
  const name = basename(program);
  const valued = WRAPPERS[name];
  if (!valued) return words;
  let i = 0;
  while (i < rest.length && /^-|^\w+=/.test(rest[i]!)) {
    if (rest[i] === "--") {
      i++;
      break;
    }
    i += valued.test(rest[i]!) ? 2 : 1;
  }
  if (name === "timeout") i++;
  return unwrapped(rest.slice(i));
}

const SHELL = /^(?:ba|da|z|k|a)?sh$/;

/** Text that is run as commands. */
function codeOf(program: string, args: readonly string[], stdin: string): string[] {
  if (program === "eval") return [args.join(" ")];
  if (!SHELL.test(program)) return [];
  const at = args.findIndex((arg) => /^-[a-z]*c[a-z]*$/.test(arg));
  return at >= 0 ? args.slice(at + 1, at + 2) : [stdin];
}

import { basename } from "node:path";

/** Programs that run the file named after them, so that the file gives the name. */
const INTERPRETER =
  /^(?:python[\d.]*|node|ruby|perl|php|bash|sh|dash|zsh|ksh|deno|bun|tsx|npx|env|exec)$/;

/** A name for a hook that has none: the file it runs, else the program. */
export function nameOfCommand(command: string | readonly string[]): string {
  const words = typeof command === "string" ? command.split(/\s+/) : command;
  const plain = words.map((word) => word.replace(/["']/g, "")).filter((word) => word !== "");
  const first = plain.find((word) => !isSkipped(word)) ?? "";
  return cleanName(stem(first)) || "hook";
}

const isSkipped = (word: string): boolean =>
  word.startsWith("-") || word === "run" || /^\w+=/.test(word) || INTERPRETER.test(basename(word));

/** `hooks/no-push.sh` → `no-push`. */
export const stem = (file: string): string => basename(file).replace(/(?<=.)\.[^.]*$/, "");

const NAME = /^[A-Za-z0-9._:/#-]+$/;

/** It becomes part of file names and variables. */
const MOST = 150;

export const isName = (name: string): boolean => name.length <= MOST && NAME.test(name);

/** The nearest name that is allowed. */
export const cleanName = (name: string): string =>
  name
    .trim()
    .replace(/[^A-Za-z0-9._:/#-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MOST);

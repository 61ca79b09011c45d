import { basename, dirname } from "node:path";
import type { SimpleCommand } from "./_command.ts";

interface Precious {
  readonly home: string;
  readonly project: string;
}

const SYSTEM =
  /^\/(?:bin|boot|dev|etc|home|lib\w*|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications)?$/;

/** What must not be deleted and would be: none, or one text per target. */
export function deletes({ words, cwd }: SimpleCommand, precious: Precious): string[] {
  const [program = "", ...args] = words;
  return (TARGETS[basename(program)]?.(args) ?? [])
    .map((target) => absolute(target, cwd))
    .flatMap((path) => describe(path, precious));
}

/** Which words a program would delete recursively. */
const TARGETS: Readonly<Record<string, (args: readonly string[]) => string[]>> = {
  rm: (args) => {
    const end = args.indexOf("--");
    const options = (end < 0 ? args : args.slice(0, end)).filter((arg) => /^-./.test(arg));
    const recursive = options.some((arg) => /^-[^-]*[rR]/.test(arg) || arg === "--recursive");
    const plain = args.filter((arg, i) => (end >= 0 && i > end) || !arg.startsWith("-"));
    return recursive ? plain : [];
  },
  find: (args) => {
    const first = args.findIndex((arg) => /^[-(!]/.test(arg));
    const places = first < 0 ? args : args.slice(0, first);
    const tests = first < 0 ? [] : args.slice(first);
    const narrowed = tests.some((arg) => /^-(?:i?name|i?path|i?regex|newer|mtime|size)/.test(arg));
    const removes = tests.includes("-delete") || tests.includes("rm");
    return removes && !narrowed ? [...(places.length > 0 ? places : ["."])] : [];
  },
};

/** `/*` is the same as `/` here: a last part of nothing but wildcards names everything in it. */
function absolute(target: string, cwd: string): string {
  const path = target.startsWith("/") ? target : `${cwd}/${target}`;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  while (/^[.[\]!?*{},]*[?*][.[\]!?*{},]*$/.test(parts.at(-1) ?? "")) parts.pop();
  return `/${parts.join("/")}`;
}

function describe(path: string, { home, project }: Precious): string[] {
  if (path === "/") return ["/, the whole file system"];
  if (path === home) return [`${path}, the home folder`];
  if (path === project) return [`${path}, the project itself`];
  if (SYSTEM.test(path)) return [`${path}, a folder of the system`];
  const holds = [home, project].some((inner) => ancestors(inner).includes(path));
  return holds ? [`${path}, and everything that lies in it`] : [];
}

const ancestors = (path: string): string[] =>
  path === "/" || path === "." ? [] : [dirname(path), ...ancestors(dirname(path))];

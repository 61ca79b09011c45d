import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { LayerRoot } from "../../src/compile/_definition.ts";
import { type Compiled, type CompileInput, compile } from "../../src/compile/compile.ts";
import type { Diagnostic, Hook } from "../../src/model.ts";

/** What `import … from "anyhook"` means in these tests: the smallest library that defines hooks. */
const LIBRARY = `
import { marked } from "./part.ts";
export const defineHook = <T extends object>(hook: T): T => marked(hook);
export const deny = (reason: string) => ({ kind: "deny", reason });
`;

export type Files = Readonly<Record<string, string>>;

export interface Project {
  readonly root: string;
  readonly path: (name: string) => string;
  readonly write: (files: Files) => void;
  readonly remove: (name: string) => void;
  readonly read: (name: string) => string;
  readonly compile: (more?: Partial<CompileInput>) => Promise<Compiled>;
  readonly layers: LayerRoot[];
}

/** A throw-away project; files that start with a shebang are executable. */
export function project(files: Files): Project {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-compile-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "work");
  const path = (name: string): string => join(root, name);
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, text.startsWith("#!") ? 0o755 : 0o644);
  };
  const write = (more: Files): void => {
    for (const [name, text] of Object.entries(more)) put(path(name), text);
  };
  mkdirSync(join(root, ".anyhook"), { recursive: true });
  write(files);
  put(join(base, "lib/index.ts"), LIBRARY);
  put(join(base, "lib/part.ts"), "export const marked = <T extends object>(hook: T): T => hook;\n");
  const layers: LayerRoot[] = [
    { layer: "managed", root: join(root, "managed") },
    { layer: "local", root: join(root, ".anyhook/local") },
    { layer: "project", root: join(root, ".anyhook") },
    { layer: "user", root: join(root, "user") },
  ];
  const input = {
    roots: layers,
    projectRoot: root,
    libraryFile: join(base, "lib/index.ts"),
    nodePath: process.execPath,
  };
  return {
    root,
    path,
    write,
    layers,
    remove: (name) => rmSync(path(name)),
    read: (name) => readFileSync(path(name), "utf8"),
    compile: (more = {}) => compile({ ...input, ...more }),
  };
}

/** `file:line severity code hook`, with the file relative to the project. */
export const brief = (diagnostics: readonly Diagnostic[], { root }: Project): string[] =>
  diagnostics.map(({ file, line, severity, code, hook }) =>
    [`${file.replace(`${root}/`, "")}:${line}`, severity, code, hook].filter(Boolean).join(" "),
  );

export const byName = (hooks: readonly Hook[]): Map<string, Hook[]> => {
  const rows = new Map<string, Hook[]>();
  for (const hook of hooks) rows.set(hook.name, [...(rows.get(hook.name) ?? []), hook]);
  return rows;
};

export const script = (...header: string[]): string =>
  ["#!/bin/sh", ...header.map((line) => `# ${line}`), "exit 0", ""].join("\n");

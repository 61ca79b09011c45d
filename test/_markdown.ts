import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The documentation, as the tests read it. */
export interface Page {
  /** Relative to the repository. */
  readonly file: string;
  readonly text: string;
}

export interface Block {
  readonly language: string;
  readonly code: string;
}

const SKIPPED = ["node_modules", "dist", ".git", "fixtures"];

export function pagesBelow(root: string, folder = root): Page[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.includes(entry.name) ? [] : pagesBelow(root, path);
    if (!entry.name.endsWith(".md")) return [];
    return [{ file: relative(root, path), text: readFileSync(path, "utf8") }];
  });
}

const FENCE = /^(`{3,})([^\n]*)\n([\s\S]*?)^\1[ \t]*$/gm;

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(FENCE)].map(([, , language, code]) => ({ language: language!, code: code! }));

const withoutCode = (text: string): string => text.replace(FENCE, "").replace(/`[^`\n]*`/g, "code");

/** Links to files of ours that lead nowhere, or out of the folder. */
export function deadLinks(root: string, { file, text }: Page): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => isDead(root, join(root, file), target))
    .map((target) => `${file}: ${target}`);
}

function isDead(root: string, from: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? from : join(dirname(from), path);
  if (!existsSync(file) || relative(root, file).startsWith("..")) return true;
  if (anchor === undefined) return false;
  return statSync(file).isDirectory() || !anchorsOf(readFileSync(file, "utf8")).includes(anchor);
}

/** As the usual renderers make them from headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replace(FENCE, "").matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!);
  return headings.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Every `anyhook <word>` in code, in text or block. */
export function verbsIn(text: string): string[] {
  const code = [...blocksOf(text).map((block) => block.code), ...inlineCode(text)].join("\n");
  return [...code.matchAll(/(?:^|[\s(`"])anyhook ([a-z]+)/gm)].map(([, verb]) => verb!);
}

const inlineCode = (text: string): string[] =>
  [...text.replace(FENCE, "").matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);

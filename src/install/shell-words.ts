/** The words of a command line as sh splits them; operators are words as well, nothing is expanded. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  const parts = /(\s+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/g;
  let open = false;
  for (const [, blank, single, double, escaped, plain] of line.matchAll(parts)) {
    if (blank !== undefined) {
      open = false;
      continue;
    }
    const text = single ?? double?.replaceAll(/\\([$`"\\\n])/g, "$1") ?? escaped ?? plain ?? "";
    if (open) words[words.length - 1] += text;
    else words.push(text);
    open = true;
  }
  return words;
}

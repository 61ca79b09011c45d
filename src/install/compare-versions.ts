/** Negative when `a` is older; what follows a hyphen makes a version older than the bare one. */
export function compareVersions(a: string, b: string): number {
  const parse = (text: string): [number[], string] => {
    const [core = "", ...pre] = text.split("-");
    return [core.split(".").map(Number), pre.join("-")];
  };
  const [[left, leftPre], [right, rightPre]] = [parse(a), parse(b)];
  for (let i = 0; i < 3; i++) {
    const d = (left[i] ?? 0) - (right[i] ?? 0);
    if (d !== 0) return d;
  }
  if (leftPre === rightPre) return 0;
  return leftPre === "" ? 1 : rightPre === "" ? -1 : leftPre < rightPre ? -1 : 1;
}

/** The first that stands in a text; empty when there is none. */
export const versionIn = (text: string): string =>
  /\d+\.\d+(?:\.\d+)?(?:-[0-9A-Za-z.-]+)?/.exec(text)?.[0] ?? "";

/**
 * The same code for `require`, which loads it in a fraction of the time that Node's loader for
 * modules takes; undefined where only a module can say it.
 */
export async function commonJs(code: string): Promise<string | undefined> {
  if (code.includes("import.meta")) return undefined;
  const { transform } = await import("esbuild");
  try {
    const options = { format: "cjs", platform: "node", target: "node20", charset: "utf8" } as const;
    const made = await transform(code, { ...options, logLevel: "silent" });
    return `"use strict";\n${made.code}`;
  } catch {
    // It awaits something while it is loaded.
    return undefined;
  }
}

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Tests run what is in dist/. It is built once before them, and only when its sources changed. */
export default function setup(): void {
  if (process.env["ANYHOOK_BUILT"] === "1") return;
  const stamp = "node_modules/.cache/anyhook/built";
  const wanted = sourceHash();
  const isThere = existsSync("dist/cli.js");
  if (isThere && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // --quick replaces files in place, so that a second test run beside this one goes on.
  const options = isThere ? ["--quick"] : [];
  execFileSync(process.execPath, ["scripts/run.mjs", "build.ts", ...options], { stdio: "inherit" });
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

function sourceHash(): string {
  const hash = createHash("sha256");
  for (const folder of ["src", "scripts"]) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    const paths = files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
    for (const path of paths.toSorted()) hash.update(path).update(readFileSync(path));
  }
  return hash.update(readFileSync("package.json")).digest("hex");
}

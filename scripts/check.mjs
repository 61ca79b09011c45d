// npm run check: everything that can be said about the code without running it. All checks run,
// also after one failed.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, ensureNode, must, root, run, say } from "./setup.mjs";

ensureNode();
ensureInstalled();
const bin = (name) => join(root, "node_modules", ".bin", name);

must(process.execPath, [join(root, "scripts", "run.mjs"), "build.ts"]);
const tarball = pack();

const CHECKS = [
  ["format", bin("oxfmt"), ["--check"]],
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]],
  ["types", bin("tsc"), ["-p", "tsconfig.json"]],
  ["generated files", process.execPath, [join(root, "scripts", "run.mjs"), "gen.ts", "--check"]],
  ["unused code", bin("knip"), ["--no-progress"]],
  ["package", bin("publint"), ["--strict", tarball]],
  ["package types", bin("attw"), ["--profile", "esm-only", tarball]],
];

const failed = CHECKS.filter(([name, command, args]) => {
  say(`check: ${name}`);
  return run(command, args) !== 0;
}).map(([name]) => name);
rmSync(tarball, { force: true });
say(failed.length === 0 ? `all ${CHECKS.length} checks passed` : `failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** What would be published; without scripts, since the build has just been done. */
function pack() {
  const folder = join(root, "node_modules", ".cache", "anyhook", "pack");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  must("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder]);
  return join(folder, readdirSync(folder)[0]);
}

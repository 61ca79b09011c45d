// Runs a TypeScript script of this folder on any supported Node: node scripts/run.mjs build.ts …
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
process.chdir(root);
const name = process.argv[2];
const outfile = join(root, "node_modules/.cache/anyhook", name.replace(/\W/g, "-") + ".mjs");
await build({
  entryPoints: [join(root, "scripts", name)],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  logLevel: "warning",
});
process.argv.splice(1, 2, outfile);
await import(pathToFileURL(outfile).href);

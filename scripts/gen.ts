/** Files that are written by a program: node scripts/run.mjs gen.ts [--check]. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { jsonSchema } from "../src/compile/fields.ts";
import { adapterRegistry } from "./adapter-registry.ts";
import { connectingPage } from "../src/install/connecting-page.ts";
import { contractPage } from "../src/install/contract-page.ts";
import { eventsPage } from "./events-page.ts";
import { fieldsPage } from "./fields-page.ts";
import { nativesFile } from "./natives-file.ts";
import { aboutPackage, pluginFiles } from "../src/install/plugin-files.ts";

const REGISTRY = "src/adapters/_all.ts";

const FILES: Readonly<Record<string, () => string>> = {
  [REGISTRY]: () => adapterRegistry(readdirSync("src/adapters")),
  "schemas/hooks.schema.json": () => `${JSON.stringify(jsonSchema(), null, 2)}\n`,
  "docs/events.md": eventsPage,
  "docs/fields.md": fieldsPage,
  "docs/contract.md": () => contractPage(ADAPTERS),
  "docs/connecting.md": () => connectingPage(ADAPTERS),
  "shell/natives.txt": () => nativesFile(ADAPTERS),
  ...pluginFiles(ADAPTERS, aboutPackage(".")),
};

const stale = Object.entries(FILES)
  .map(([file, render]) => ({ file, text: render() }))
  .filter(({ file, text }) => contentOf(file) !== text);

if (process.argv.includes("--check")) {
  for (const { file } of stale) process.stderr.write(`${file} is stale: npm run gen\n`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const { file, text } of stale) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`wrote ${file}\n`);
  }
  // The others are made from the adapters that were in the registry when this began.
  if (stale.some(({ file }) => file === REGISTRY)) {
    const again = spawnSync(process.execPath, ["scripts/run.mjs", "gen.ts"], { stdio: "inherit" });
    process.exitCode = again.status ?? 1;
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

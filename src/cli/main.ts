import { fileURLToPath } from "node:url";
import { run } from "./run.ts";

/** The one place that knows where our own files are: this bundle lies in dist/. */
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

process.exitCode = await run(process.argv.slice(2), {
  shell: here("../shell"),
  library: here("./authoring.js"),
});

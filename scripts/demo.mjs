// npm run demo: the demonstration, from a fresh clone, without any agent.
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, ensureNode, root, run } from "./setup.mjs";

ensureNode();
ensureInstalled();
ensureBuilt();
process.exitCode = run(process.execPath, [
  join(root, "dist", "cli.js"),
  "demo",
  ...process.argv.slice(2),
]);

// The SDKs that examples/ are tried with: test/clients/sdks.json, installed once, outside the tree.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, say } from "./setup.mjs";

const sdks = JSON.parse(readFileSync(join(root, "test", "clients", "sdks.json"), "utf8"));

/** Name → folder with its node_modules; "" for one that could not be installed. */
export function ensureSdks(cache) {
  return Object.fromEntries(sdks.map((sdk) => [sdk.name, ensureSdk(sdk, cache)]));
}

function ensureSdk({ name, packages }, cache) {
  const home = join(cache, `${name}-${packages[0].split("@").at(-1)}`);
  if (!existsSync(join(home, "node_modules"))) install(home, packages);
  return existsSync(join(home, "node_modules")) ? home : "";
}

/** Beside its place first, so that an install that was interrupted is never taken for a whole one. */
function install(home, packages) {
  const fresh = `${home}.${process.pid}`;
  say(`installing ${packages.join(", ")} in ${home}`);
  try {
    mkdirSync(fresh, { recursive: true });
    // The Claude Agent SDK's own copy of Claude Code is optional: the pinned client is used.
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional"];
    const quiet = ["--loglevel=error", "--prefix", fresh];
    if (run("npm", ["install", ...options, ...quiet, ...packages], { cwd: fresh }) === 0)
      renameSync(fresh, home);
  } catch (error) {
    say(`${packages[0]}: ${error.message}`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

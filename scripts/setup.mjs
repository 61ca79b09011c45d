// What a fresh clone needs before anything else can run. Plain JavaScript without dependencies,
// because it runs before they are installed.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a program with our terminal; ends the script with its exit code when it fails. */
export function must(command, args, options = {}) {
  const code = run(command, args, options);
  if (code !== 0) process.exit(code);
}

export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    ...options,
  });
  if (error) say(`${command}: ${error.message}`);
  return status ?? (signal === "SIGINT" ? 130 : 1);
}

export const say = (text) => process.stderr.write(`anyhook: ${text}\n`);

export function ensureNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`Node >= 20.19 is needed, this is ${process.versions.node}`);
  process.exit(1);
}

export function ensureInstalled() {
  if (existsSync(join(root, "node_modules", ".package-lock.json"))) return;
  say("installing dependencies (npm ci)");
  must("npm", ["ci", "--no-audit", "--no-fund"]);
}

export function ensureBuilt() {
  if (existsSync(join(root, "dist", "cli.js"))) return;
  say("building");
  must(process.execPath, [join(root, "scripts", "run.mjs"), "build.ts"]);
}

export function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

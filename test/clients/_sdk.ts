import { spawnSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { REPO } from "../_dispatch.ts";
import { makeFolder } from "../executor/_folder.ts";

const HOMES = JSON.parse(process.env["ANYHOOK_CLIENT_SDKS"] ?? "{}") as Readonly<
  Record<string, string>
>;

/** Where the SDK is installed, or "" when it is not; scripts/clients.mjs installs it and tells us. */
export const sdkHome = (name: string): string => HOMES[name] ?? "";

/** A module of the SDK, as a program beside it would import it. */
export async function importFrom<T>(home: string, name: string): Promise<T> {
  const file = resolveFrom(home, name);
  return (await import(pathToFileURL(file).href)) as T;
}

function resolveFrom(home: string, name: string): string {
  try {
    return createRequire(join(home, "main.js")).resolve(name);
  } catch {
    // A package that can only be imported.
    return join(home, "node_modules", name, "sdk.mjs");
  }
}

const OPTIONS = {
  module: "nodenext",
  target: "es2023",
  lib: ["es2024"],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ["node"],
  typeRoots: [join(REPO, "node_modules/@types")],
  paths: { anyhook: [join(REPO, "src/index.ts")] },
};

/** What the compiler says about a program beside the example and the real SDK. */
export function complaints(name: string, program: string): string {
  const folder = makeFolder({
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({ compilerOptions: OPTIONS, files: ["main.ts"] }),
    "main.ts": program,
  });
  symlinkSync(join(sdkHome(name), "node_modules"), join(folder.root, "node_modules"));
  cpSync(join(REPO, "examples", name), folder.root, { recursive: true });
  const tsc = join(REPO, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [tsc, "-p", folder.root], { encoding: "utf8" }).stdout;
}

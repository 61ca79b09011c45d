import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Args } from "./args.ts";

/**
 * The same verb once more, without anybody waiting. The dispatcher's mark is taken off, so that its
 * watchdog does not take this for a hook that hangs.
 */
export function detach({ cwd, session, env, say }: Args, file: string): void {
  const program = process.argv[1];
  if (program === undefined || env["ANYHOOK_DETACHED"] === "1") return;
  const { ANYHOOK_RUN: _, ...rest } = env;
  const words = [
    "finish",
    `--cwd=${resolve(cwd)}`,
    `--session=${session}`,
    `--transcript=${resolve(file)}`,
  ];
  // The command line may have been started under any name.
  const isCli = !program.endsWith("memory.cjs");
  const child = spawn(process.execPath, [program, ...(isCli ? ["hook"] : []), ...words], {
    detached: true,
    stdio: "ignore",
    // Not the session's folder, which may be gone by now.
    cwd: "/",
    env: { ...rest, ANYHOOK_DETACHED: "1" },
  });
  child.on("error", ({ message }) => say(`memory: the rest is read at the next stop: ${message}`));
  child.unref();
}

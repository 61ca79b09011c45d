import { spawn } from "node:child_process";
import type { Args } from "./args.ts";

/**
 * The same verb once more, without anybody waiting. The dispatcher's mark is taken off, so that its
 * watchdog does not take this for a hook that hangs.
 */
export function detach({ cwd, session, env }: Args, file: string): void {
  const program = process.argv[1];
  if (program === undefined || env["ANYHOOK_DETACHED"] === "1") return;
  const { ANYHOOK_RUN: _, ...rest } = env;
  const words = ["finish", "--cwd", cwd, "--session", session, "--transcript", file];
  // The command line may have been started under any name.
  const isCli = !program.endsWith("memory.cjs");
  spawn(process.execPath, [program, ...(isCli ? ["hook"] : []), ...words], {
    detached: true,
    stdio: "ignore",
    cwd,
    env: { ...rest, ANYHOOK_DETACHED: "1" },
  }).unref();
}

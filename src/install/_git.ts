import { execFileSync } from "node:child_process";
import { Fault } from "../fault.ts";

const MOST_BYTES = 64 * 1_048_576;

/** What git prints; its first line of complaint is ours. */
export function git(dir: string, ...args: readonly string[]): Buffer {
  try {
    return execFileSync("git", ["-C", dir, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: MOST_BYTES,
    });
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? "").trim();
    const [line] = (said || (error as Error).message).split("\n");
    throw new Fault("git", `git: ${line}`, { hint: "run it inside a git repository" });
  }
}

export const gitText = (dir: string, ...args: readonly string[]): string =>
  git(dir, ...args)
    .toString("utf8")
    .replace(/\n$/, "");

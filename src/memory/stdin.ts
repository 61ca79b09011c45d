import { readFileSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * All of standard input; a terminal has no payload. process.stdin is not touched unless needed: it
 * makes the pipe non-blocking, and then a read that comes early finds nothing.
 */
export async function readStdin(): Promise<string> {
  if (isatty(0)) return "";
  try {
    return readFileSync(0, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return "";
  }
  const { text } = await import("node:stream/consumers");
  return text(process.stdin);
}

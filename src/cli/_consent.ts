import { createInterface } from "node:readline/promises";

/** A person sits there who can answer. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Anything but a yes is a no. Asked on stderr, so that the output stays what it is. */
export async function agrees(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } catch {
    return false;
  } finally {
    lines.close();
  }
}

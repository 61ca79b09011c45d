import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { takeLock } from "../compile/lock.ts";
import { Fault } from "../fault.ts";
import type { Site } from "./site.ts";

/** Long enough for a queue of installers; one takes a fraction of a second. */
const PATIENCE = 120_000;

/** One installer at a time, of all on this machine that share the store. */
export async function locked<T>(site: Site, does: () => T): Promise<T> {
  const folder = join(site.store, "locks");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await takeLock(folder, PATIENCE);
  if (!lock)
    throw new Fault("locked", "another installer has been at work for two minutes", {
      hint: "if it hangs, end it and try again",
    });
  try {
    return does();
  } finally {
    lock.release();
  }
}

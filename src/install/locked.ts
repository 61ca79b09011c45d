import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { takeLock } from "../compile/lock.ts";
import { Fault } from "../fault.ts";
import type { Site } from "./site.ts";

/** Long enough for a queue of installers; one takes a fraction of a second. */
const PATIENCE = 120_000;

/** One installer at a time, of all on this machine that share the store. */
export async function locked<T>(site: Site, does: () => T): Promise<T> {
  refuseBorrowed(site);
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

/** As root in somebody's home: he could neither read our store nor write his own settings any more. */
function refuseBorrowed({ home, env }: Site): void {
  const owner = statSync(home, { throwIfNoEntry: false })?.uid;
  if (process.getuid?.() !== 0 || !owner || env["SUDO_UID"] !== String(owner)) return;
  throw new Fault(
    "borrowed-home",
    `you are root, and ${home} belongs to ${env["SUDO_USER"] ?? owner}`,
    {
      hint: "nothing was written; run it without sudo",
    },
  );
}

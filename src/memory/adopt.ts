import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { layoutOf } from "../dispatch/layout.ts";
import { Fault } from "../fault.ts";
import type { Env, Item } from "./_memory.ts";
import { distill, type Distilled } from "./distill.ts";
import { COLUMNS, memoryOf } from "./memories.ts";
import type { Place } from "./place.ts";
import { openSafely, type Say, type Store } from "./store.ts";

/** A project is its folder: one that was moved takes over what was remembered under its old name. */
export async function adopt(
  { place, store, env, say }: { place: Place; store: Store; env: Env; say: Say },
  folder: string,
): Promise<Distilled> {
  const file = join(layoutOf(resolve(folder), env).project, "memory", "memory.db");
  if (!existsSync(file) || file === place.projectFile)
    throw new Fault("no-memory", `there is no other memory of ${resolve(folder)}`, {
      hint: "write the whole path that the project had",
    });
  const old = await openSafely(file, say);
  try {
    const now = new Date().toISOString();
    const origin = { harness: "", session: "", branch: "", folder: "" };
    const rows = old.all(
      `SELECT ${COLUMNS} FROM memories m WHERE status <> 'rejected' AND kind <> 'page' ORDER BY id`,
    );
    const items = rows.map((row): Item => {
      const { ref: _, id, seen: __, ...item } = memoryOf(row, "");
      return { ...item, evidence: `adopted:${id}` };
    });
    return await distill({ place, store, origin, now, say }, { items, signals: [] });
  } finally {
    old.close();
  }
}

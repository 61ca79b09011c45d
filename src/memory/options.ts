import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { isObject } from "../dispatch/occurrence.ts";
import { managedRoot, userRoot } from "../dispatch/layout.ts";
import type { Env } from "./_memory.ts";

/** What `memory:` in a settings.json says; the strongest layer that has a key counts. */
export interface Options {
  readonly runtime: "store" | "tree";
  readonly packetBytes: number;
}

const DEFAULTS: Options = { runtime: "store", packetBytes: 2048 };

export function optionsOf(root: string, env: Env): Options {
  const folders = [
    managedRoot(env),
    join(root, ".anyhook", "local"),
    join(root, ".anyhook"),
    userRoot(env),
  ];
  const said = folders.filter((folder) => folder !== "").map(memoryKey);
  const first = <T>(read: (one: Record<string, unknown>) => T | undefined): T | undefined =>
    said.map(read).find((value) => value !== undefined);
  return {
    runtime:
      first(({ runtime }) => (runtime === "tree" || runtime === "store" ? runtime : undefined)) ??
      DEFAULTS.runtime,
    packetBytes:
      first(({ packet_bytes: bytes }) =>
        typeof bytes === "number" && bytes >= 256 && bytes <= 9000 ? bytes : undefined,
      ) ?? DEFAULTS.packetBytes,
  };
}

/** `anyhook validate` complains about what is wrong here; a hook takes what it can read. */
function memoryKey(folder: string): Record<string, unknown> {
  try {
    const settings: unknown = parse(readFileSync(join(folder, "settings.json"), "utf8"));
    const memory = isObject(settings) ? settings["memory"] : undefined;
    return isObject(memory) ? memory : {};
  } catch {
    return {};
  }
}

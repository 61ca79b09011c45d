import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What is remembered about sessions between two events, by name. */
export interface Memory {
  read(name: string): string | undefined;
  write(name: string, text: string): void;
}

/** One file per name; without a folder nothing is remembered. */
export const fileMemory = (folder: string): Memory => ({
  read(name) {
    if (folder === "") return undefined;
    try {
      return readFileSync(join(folder, name), "utf8");
    } catch {
      return undefined;
    }
  },
  // What cannot be remembered takes no answer with it.
  write(name, text) {
    if (folder === "") return;
    try {
      writeFileSync(join(folder, name), text);
    } catch {}
  },
});

/** For a process that lives on: forgotten when it ends. */
export function processMemory(): Memory {
  const known = new Map<string, string>();
  return { read: (name) => known.get(name), write: (name, text) => void known.set(name, text) };
}

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where our own files are, for hooks that need them; "" where they are not (a bundled program). */
export interface Places {
  /** What `import … from "anyhook"` means in a module. */
  readonly authoring: string;
  /** The shell library for authors. */
  readonly library: string;
}

export function placesOf(url: string = import.meta.url): Places {
  for (let dir = dirname(fileURLToPath(url)); ; dir = dirname(dir)) {
    const library = join(dir, "shell", "lib.sh");
    const source = join(dir, url.endsWith(".ts") ? "src/authoring.ts" : "dist/authoring.js");
    if (existsSync(library) && existsSync(source)) return { library, authoring: source };
    if (dirname(dir) === dir) return { library: "", authoring: "" };
  }
}

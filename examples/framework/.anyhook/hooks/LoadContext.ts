// Hook: LoadContext
// Event: SessionStart
// Description: Gives the model what it must know about this project, from CONTEXT.md
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(process.env["ANYHOOK_PROJECT_DIR"] ?? ".", "CONTEXT.md");

// Plain text on stdout becomes context; no file, no context.
if (existsSync(file)) process.stdout.write(readFileSync(file, "utf8"));

import { createHash } from "node:crypto";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nested, type Surroundings } from "../../src/prove/clients/_driver.ts";
import { commandOf, EVENTS, stanza } from "./_clients.ts";

/** Codex as it is after somebody has pasted the entries, and has or has not trusted them. */
export function trustFor({ stage }: Surroundings, isTrusted: boolean): void {
  const folder = join(stage.home, ".codex");
  const file = join(folder, "hooks.json");
  writeFileSync(file, JSON.stringify({ hooks: nested(stanza("codex")) }));
  const trust = isTrusted ? EVENTS.map((event) => trustOf(file, event)).join("") : "";
  appendFileSync(join(folder, "config.toml"), trust);
}

/**
 * Codex trusts the hash of an entry: compact JSON, keys sorted, defaults filled in. It covers the
 * command line and not what the command does, so editing a hook never asks again.
 */
function trustOf(file: string, event: (typeof EVENTS)[number]): string {
  const name = event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  const handler = {
    async: false,
    command: commandOf("codex", event),
    timeout: event === "SessionEnd" ? 1 : 600,
    type: "command",
  };
  const hash = createHash("sha256").update(JSON.stringify({ event_name: name, hooks: [handler] }));
  const key = `${file}:${name}:0:0`;
  return `\n[hooks.state."${key}"]\ntrusted_hash = "sha256:${hash.digest("hex")}"\n`;
}

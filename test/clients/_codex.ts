import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Project } from "../_dispatch.ts";
import { commandOf, EVENTS, stanza, type Driver, type Taken } from "./_client.ts";

const BYPASS = "--dangerously-bypass-hook-trust";

/** The line that says that a hook starts has no outcome; Stopped is a halt that was honoured. */
const OUTCOMES: Readonly<Record<string, "completed" | "blocked">> = {
  Completed: "completed",
  Stopped: "completed",
  Blocked: "blocked",
};

const codex = {
  prepare(project, url) {
    project.write({
      "home/.codex/config.toml": configOf(url),
      "home/.codex/hooks.json": JSON.stringify(stanza("codex")),
    });
  },
  // Without --json: only the output for people says what became of each hook.
  argv: (prompt) => ["exec", "--skip-git-repo-check", BYPASS, prompt],
  env: () => ({}),
  taken: (_, stderr) =>
    [...stderr.matchAll(/^hook: (\w+) (\w+)/gm)].map(
      ([, event, outcome]): Taken => `${event} ${OUTCOMES[outcome!] ?? "failed"}`,
    ),
} satisfies Driver;

export default codex;

/** The same client as it is after somebody has not, or has, trusted the entries with /hooks. */
export const codexWithoutBypass = (isTrusted: boolean): Driver => ({
  ...codex,
  argv: (prompt) => codex.argv(prompt).filter((word) => word !== BYPASS),
  prepare(project, url) {
    codex.prepare(project, url);
    const trust = isTrusted ? EVENTS.map((event) => trustOf(project, event)).join("") : "";
    project.write({ "home/.codex/config.toml": configOf(url) + trust });
  },
});

/**
 * Codex trusts the hash of an entry: compact JSON, keys sorted, defaults filled in. It covers the
 * command line and not what the command does, so editing a hook never asks again.
 */
function trustOf(project: Project, event: (typeof EVENTS)[number]): string {
  const name = event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  const handler = {
    async: false,
    command: commandOf("codex", event),
    timeout: event === "SessionEnd" ? 1 : 600,
    type: "command",
  };
  const hash = createHash("sha256").update(JSON.stringify({ event_name: name, hooks: [handler] }));
  const key = `${join(project.home, ".codex/hooks.json")}:${name}:0:0`;
  return `\n[hooks.state."${key}"]\ntrusted_hash = "sha256:${hash.digest("hex")}"\n`;
}

const configOf = (url: string): string => `model = "fake-model"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
`;

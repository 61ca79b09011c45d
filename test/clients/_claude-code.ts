import { stanza, type Driver, type Taken } from "./_client.ts";

export default {
  prepare(project) {
    const settings = { ...stanza("claude-code"), permissions: { allow: ["Bash"] } };
    const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
    const state = {
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: ["dummy"], rejected: [] },
      projects: { [project.root]: trusted },
    };
    project.write({
      "home/.claude/settings.json": JSON.stringify(settings),
      "home/.claude.json": JSON.stringify(state),
    });
  },
  argv: (prompt) => [
    "-p",
    prompt,
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-hook-events",
  ],
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "dummy",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
  taken: (stdout) =>
    stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as HookResponse)
      .filter(({ subtype }) => subtype === "hook_response")
      .map(verdictOn),
} satisfies Driver;

interface HookResponse {
  readonly subtype?: string;
  readonly hook_event?: string;
  readonly outcome?: string;
  readonly exit_code?: number;
}

/** Every exit 2 has the outcome "error", also one that is a plain block. */
function verdictOn({ hook_event, outcome, exit_code }: HookResponse): Taken {
  if (outcome === "success") return `${hook_event} completed`;
  return `${hook_event} ${exit_code === 2 ? "blocked" : "failed"}`;
}

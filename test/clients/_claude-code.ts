import { stanza, type Driver } from "./_client.ts";

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
  complaints: (stdout, stderr) => [stdout, stderr],
} satisfies Driver;

import { stanza, type Driver } from "./_client.ts";

export default {
  prepare(project, url) {
    project.write({
      "home/.codex/config.toml": configOf(url),
      "home/.codex/hooks.json": JSON.stringify(stanza("codex")),
    });
  },
  argv: (prompt) => [
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--dangerously-bypass-hook-trust",
    prompt,
  ],
  env: () => ({}),
  complaints: (stdout, stderr) => [stdout, stderr],
} satisfies Driver;

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

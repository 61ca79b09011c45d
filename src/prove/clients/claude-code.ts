import { promptFor } from "../model/script.ts";
import { AGENT_WORDS, DUMMY, json, withHooks, type Driver, type Taken } from "./_driver.ts";

export const claudeCode = {
  harness: "claude-code",
  program: "claude",
  fullAt: 990_000,
  settings({ stage, hooks, strict }) {
    const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
    return {
      "home/.claude/settings.json": json({
        // As root its own switch that allows everything is refused.
        ...(strict ? {} : { permissions: { allow: ["Bash", "Read", "Write", "Edit", "Agent"] } }),
        ...withHooks(hooks),
      }),
      "home/.claude.json": json({
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: [DUMMY], rejected: [] },
        projects: { [stage.project]: trusted },
      }),
    };
  },
  argv: (prompt) => [
    "-p",
    prompt,
    ...["--output-format", "stream-json", "--verbose", "--include-hook-events"],
  ],
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: DUMMY,
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
  unreachable: {
    Notification: "only a session at a terminal has notifications",
    TaskCompleted: "only a session at a terminal has tasks",
  },
  tools: {
    shell: ({ shell }) => ({ name: "Bash", input: { command: shell, description: "a step" } }),
    read: ({ read }) => ({ name: "Read", input: { file_path: read } }),
    write: ({ write, text }) => ({ name: "Write", input: { file_path: write, content: text } }),
    edit: ({ edit, from, to }) => ({
      name: "Edit",
      input: { file_path: edit, old_string: from, new_string: to },
    }),
    agent: ({ agent }) => ({
      name: "Agent",
      input: {
        description: "a part of the work",
        subagent_type: "general-purpose",
        prompt: promptFor(agent, AGENT_WORDS),
      },
    }),
    mcp: ({ mcp, tool, input }) => ({ name: `mcp__${mcp}__${tool}`, input }),
  },
  taken: (stdout) =>
    stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .flatMap(responseIn)
      .filter(({ subtype }) => subtype === "hook_response")
      .map(verdictOn),
} satisfies Driver;

interface HookResponse {
  readonly subtype?: string;
  readonly hook_event?: string;
  readonly outcome?: string;
  readonly exit_code?: number;
}

/** A line may be cut off, or not be its own. */
function responseIn(line: string): HookResponse[] {
  try {
    return [JSON.parse(line) as HookResponse];
  } catch {
    return [];
  }
}

/** Every exit 2 has the outcome "error", also one that is a plain block. */
function verdictOn({ hook_event, outcome, exit_code }: HookResponse): Taken {
  if (outcome === "success") return `${hook_event} completed`;
  return `${hook_event} ${exit_code === 2 ? "blocked" : "failed"}`;
}

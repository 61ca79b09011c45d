import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dispatch, makeProject, payloadOf, REPO, type Lane, type Project } from "../_dispatch.ts";
import { bytesBelow, list } from "./_memory.ts";

/** Two sessions, from the front door on: every event is what the client sends, every answer what it gets. */
const LANE: Lane = { name: "dash", shell: ["dash"], real: true };

/** Put together here, so that no scanner takes this file for a leak. */
const SECRET = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

let project: Project;
beforeEach(() => {
  project = makeProject({ ".anyhook/settings.json": '{ "packs": ["anyhook/memory"] }' });
});
afterEach(() => project.remove());

/** The client's own transcript of a session in which these were said. */
function transcript(harness: string, prompt: string, answer: string): string {
  const recorded = readFileSync(
    join(REPO, "test/fixtures", harness, "transcripts/session.jsonl"),
    "utf8",
  );
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  const file = join(project.base, `${harness}.jsonl`);
  const old =
    "Please run the tests.\\n#decision: the API talks JSON over HTTP, never XML\\nNo, do not use npm, use pnpm instead.";
  writeFileSync(
    file,
    recorded
      .replaceAll(old, escaped(prompt))
      .replaceAll("Done.\\n#remember the test database listens on port 5433", escaped(answer)),
  );
  return file;
}

describe.each([
  ["claude-code", "PreCompact--manual"],
  ["codex", "PreCompact--auto"],
])("two sessions under %s", (harness, compacting) => {
  const context = (event: string, fixture: string, change: object): string => {
    const { stdout, stderr, status } = dispatch(
      project,
      LANE,
      harness,
      event,
      payloadOf(harness, fixture, project, { ...change }),
    );
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    if (stdout === "") return "";
    const reply = JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext?: string } };
    return reply.hookSpecificOutput?.additionalContext ?? "";
  };

  test("a tagged decision survives compaction, wakes up the next session and is recalled at a switch", async () => {
    const one = { session_id: "11111111-aaaa" };
    const two = { session_id: "22222222-bbbb" };
    const store = join(project.home, ".local/state/anyhook");

    expect(context("SessionStart", "SessionStart--startup", one)).toContain(
      "Memory: nothing recorded",
    );
    const prompt = "Add the webhook endpoint.\nWe never retry by hand.";
    expect(context("UserPromptSubmit", "UserPromptSubmit", { ...one, prompt })).toBe("");
    const said = transcript(
      harness,
      prompt,
      "Done.\n#decision webhooks are retried with backoff for a day",
    );
    context("PostToolUse", "PostToolUse--Bash", {
      ...one,
      tool_input: { command: `curl -H 'X-Key: ${SECRET}' localhost` },
      tool_response:
        harness === "codex" ? `token ${SECRET}\n` : { stdout: `token ${SECRET}`, stderr: "" },
    });
    // Nobody waits for the tool call's hook.
    const isThrough = (): boolean => existsSync(join(project.layout.slot, "memory/queue.jsonl"));
    for (let tries = 0; tries < 100 && !isThrough(); tries++) await sleep(50);
    expect(isThrough()).toBe(true);

    expect(context("PreCompact", compacting, { ...one, transcript_path: said })).toBe("");
    expect(list(project).map(({ kind, text, status }) => [kind, text, status])).toEqual(
      expect.arrayContaining([
        ["decision", "webhooks are retried with backoff for a day", "accepted"],
        ["preference", "We never retry by hand.", "candidate"],
      ]),
    );
    const after = context("SessionStart", "SessionStart--compact", one);
    expect(after).toContain("webhooks are retried with backoff for a day");
    expect(after).toContain("Goal of this session: Add the webhook endpoint.");
    expect(context("Stop", "Stop", { ...one, transcript_path: said })).toBe("");

    const woken = context("SessionStart", "SessionStart--startup", two);
    expect(woken).toContain('<anyhook-context hook="memory-session-start">');
    expect(woken).toMatch(
      /- \[decision\] webhooks are retried with backoff for a day \(#\d+, \d{4}-\d\d-\d\d, by the agent, \S+ 11111111\)/,
    );
    expect(woken).not.toContain("We never retry by hand");
    const start = { ...two, prompt: "Style the settings page with the new colours" };
    expect(context("UserPromptSubmit", "UserPromptSubmit", start)).toBe("");
    const turn = {
      ...two,
      prompt: "Now the callbacks: what if a subscriber's endpoint fails, is it attempted again?",
    };
    expect(context("UserPromptSubmit", "UserPromptSubmit", turn)).toContain("webhooks are retried");

    const bytes = bytesBelow(store);
    expect(bytes).toContain("webhooks are retried");
    expect(bytes).toContain("[redacted]");
    expect(bytes).not.toContain(SECRET.slice(4, 20));
  });

  test("off until asked for", () => {
    project.write({ ".anyhook/settings.json": "{}" });
    expect(context("SessionStart", "SessionStart--startup", {})).toBe("");
    project.write({
      ".anyhook/settings.json": "{}",
      "home/.config/anyhook/settings.json": '{ "packs": ["anyhook/memory"] }',
    });
    expect(context("SessionStart", "SessionStart--startup", {})).toContain("Memory:");
  });

  test("works from a folder below, and each project has its own", () => {
    const inside = join(project.root, "packages/web");
    mkdirSync(inside, { recursive: true });
    context("UserPromptSubmit", "UserPromptSubmit", {
      cwd: inside,
      prompt: "#decision[packages/web] no inline styles",
    });
    expect(context("SessionStart", "SessionStart--startup", { session_id: "x" })).toContain(
      "no inline styles",
    );
    const other = makeProject(
      { ".anyhook/settings.json": '{ "packs": ["anyhook/memory"] }' },
      "other",
    );
    const payload = payloadOf(harness, "SessionStart--startup", other);
    const { stdout } = dispatch(
      { ...other, env: project.env },
      LANE,
      harness,
      "SessionStart",
      payload,
    );
    expect(stdout).toContain("nothing recorded");
    other.remove();
  });
});

import { ADAPTERS } from "../../src/adapters/_all.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { list } from "../memory/_memory.ts";
import { makeProject, type Project } from "../_dispatch.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import claudeCode from "./_claude-code.ts";
import { PINNED, programOf, type Driver, type Pinned } from "./_client.ts";
import codex from "./_codex.ts";
import { runSession } from "./_session.ts";

const DRIVERS: Readonly<Record<string, Driver>> = { "claude-code": claudeCode, codex };

const titleOf = ({ harness, version }: Pinned): string =>
  `${ADAPTERS.find(({ id }) => id === harness)!.title} ${version}`;

let project: Project;
beforeEach(() => {
  project = makeProject({ ".anyhook/settings.json": '{ "packs": ["anyhook/memory"] }' });
  mkdirSync(join(project.base, "tmp"));
});
afterEach(() => project.remove());

describe.each(
  PINNED.filter(({ harness }) => harness in DRIVERS).map(
    (client) => [titleOf(client), client] as const,
  ),
)("%s", (_, client) => {
  test.skipIf(programOf(client) === "")(
    "the next session wakes up with what the agent tagged in this one",
    async () => {
      const driver = DRIVERS[client.harness]!;
      const first = await runSession(client, driver, project, {
        prompt: "Run the tests.",
        turns: [
          { shell: "echo one; exit 3" },
          { shell: "echo one; exit 3" },
          { text: "Done.\n#decision webhooks are retried for a day" },
        ],
      });
      expect(first.status).toBe(0);
      expect(first.requests[0]!.all).toContain("nothing recorded for this project yet");
      expect(list(project).map(({ kind, text, status }) => `${kind} ${status}: ${text}`)).toEqual(
        expect.arrayContaining([
          "decision accepted: webhooks are retried for a day",
          expect.stringMatching(/^incident candidate: `echo one; exit 3` failed 2 times/),
        ]),
      );
      const second = await runSession(client, driver, project, {
        prompt: "Say hello.",
        turns: [{ text: "Hello." }],
      });
      expect(second.requests[0]!.all).toContain("webhooks are retried for a day");
      expect(second.taken.filter((one) => one.endsWith("failed"))).toEqual([]);
    },
  );
});

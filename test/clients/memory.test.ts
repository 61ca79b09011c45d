import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { session, type Play, type Session } from "../../src/prove/session.ts";
import { makeStage, type Stage } from "../../src/prove/stage.ts";
import { list } from "../memory/_memory.ts";
import { clientOf, PINNED, projectOn, stanza, type Pinned } from "./_clients.ts";

const titleOf = ({ harness, version }: Pinned): string =>
  `${ADAPTERS.find(({ id }) => id === harness)!.title} ${version}`;

let stage: Stage;
beforeEach(() => {
  stage = makeStage();
  stage.write({ "project/.anyhook/settings.json": '{ "packs": ["anyhook/memory"] }' });
});
afterEach(() => stage.clear());

describe.each(
  PINNED.filter(({ harness }) => ["claude-code", "codex"].includes(harness)).map(
    (pinned) => [`${titleOf(pinned)}, with a memory`, pinned] as const,
  ),
)("%s", (_, pinned) => {
  const client = clientOf(pinned);
  const play = (more: Play): Promise<Session> =>
    session(client, stage, {
      hooks: stanza(pinned.harness),
      env: { ANYHOOK_MANAGED_ROOT: projectOn(stage).env["ANYHOOK_MANAGED_ROOT"]! },
      ...more,
    });

  test.skipIf(client.command.length === 0)(
    "the next session wakes up with what the agent tagged in this one",
    async () => {
      const first = await play({
        words: "Run the tests.",
        turns: [
          { shell: "echo one; exit 3" },
          { shell: "echo one; exit 3" },
          { text: "Done.\n#decision webhooks are retried for a day" },
        ],
      });
      expect(first.status).toBe(0);
      expect(first.requests[0]!.all).toContain("nothing recorded for this project yet");
      const recorded = list(projectOn(stage)).map(
        ({ kind, text, status }) => `${kind} ${status}: ${text}`,
      );
      expect(recorded).toEqual(
        expect.arrayContaining([
          "decision accepted: webhooks are retried for a day",
          expect.stringMatching(/^incident candidate: `echo one; exit 3` failed 2 times/),
        ]),
      );
      const second = await play({ words: "Say hello.", turns: [{ text: "Hello." }] });
      expect(second.requests[0]!.all).toContain("webhooks are retried for a day");
      expect(second.taken.filter((one) => one.endsWith("failed"))).toEqual([]);
    },
  );
});

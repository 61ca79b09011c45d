import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { type Client, session, type Session } from "../../src/prove/session.ts";
import type { Turn } from "../../src/prove/model/script.ts";
import { makeStage, type Stage } from "../../src/prove/stage.ts";
import { list } from "../memory/_memory.ts";
import { clientOf, PINNED, projectOn, stanza, type Pinned } from "./_clients.ts";

const titleOf = ({ harness, version }: Pinned): string =>
  `${ADAPTERS.find(({ id }) => id === harness)!.title} ${version}`;

/** Those whose transcripts are read from real files. */
const READ = PINNED.filter(({ harness }) => ["claude-code", "codex"].includes(harness));

let stage: Stage;
beforeEach(() => {
  stage = makeStage();
  stage.write({ "project/.anyhook/settings.json": '{ "packs": ["anyhook/memory"] }' });
});
afterEach(() => stage.clear());

const play = (client: Client, words: string, turns: readonly Turn[]): Promise<Session> =>
  session(client, stage, { words, turns, hooks: stanza(client.driver.harness) });

describe.each(READ.map((pinned) => [titleOf(pinned), pinned] as const))("%s", (_, pinned) => {
  const client = clientOf(pinned);
  test.skipIf(client.command.length === 0)(
    "the next session wakes up with what the agent tagged in this one",
    async () => {
      const first = await play(client, "Run the tests.", [
        { shell: "echo one; exit 3" },
        { shell: "echo one; exit 3" },
        { text: "Done.\n#decision webhooks are retried for a day" },
      ]);
      expect(first.status).toBe(0);
      expect(JSON.stringify(first.requests[0])).toContain("nothing recorded for this project yet");
      const kept = list(projectOn(stage));
      expect(kept.map(({ kind, text, status }) => `${kind} ${status}: ${text}`)).toEqual(
        expect.arrayContaining([
          "decision accepted: webhooks are retried for a day",
          expect.stringMatching(/^incident candidate: `echo one; exit 3` failed 2 times/),
        ]),
      );
      const second = await play(client, "Say hello.", [{ text: "Hello." }]);
      expect(JSON.stringify(second.requests[0])).toContain("webhooks are retried for a day");
    },
  );
});

import { join } from "node:path";
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { liveness } from "../../src/install/liveness.ts";
import { readRecord } from "../../src/install/record.ts";
import { siteOf, type Site } from "../../src/install/site.ts";
import { connected } from "../../src/prove/connected.ts";
import { session } from "../../src/prove/session.ts";
import { makeStage } from "../../src/prove/stage.ts";
import { REPO } from "../_dispatch.ts";
import { clientOf, PINNED, type Pinned } from "./_clients.ts";

const installation = { shell: join(REPO, "shell"), library: join(REPO, "dist/index.js") };
const adapterOf = ({ harness }: Pinned): (typeof ADAPTERS)[number] =>
  ADAPTERS.find(({ id }) => id === harness)!;
const LATER = 60_000;
const LONGEST = 200_000;

/** One session on a machine that is connected, or was until somebody took our entries away. */
async function silentAfter(pinned: Pinned, isBroken: boolean): Promise<string[]> {
  const [client, adapter, stage] = [clientOf(pinned), adapterOf(pinned), makeStage()];
  try {
    stage.write({
      "project/.anyhook/hooks.json": JSON.stringify({
        hooks: [{ name: "watch", events: ["PreToolUse"], command: "true" }],
      }),
    });
    const site: Site = siteOf({ HOME: stage.home }, stage.project, installation.shell);
    const { requests } = await session(client, stage, {
      turns: [{ shell: "echo one" }, { text: "Done." }],
      async ready(around) {
        await connected(adapter, stage, installation);
        if (!isBroken) return;
        for (const { file } of readRecord(site, adapter.id, "user")!.files) rmSync(file);
        stage.write(client.driver.settings(around));
      },
    });
    expect(requests.length).toBeGreaterThan(1);
    return (await liveness(ADAPTERS, site, Date.now() + LATER)).map(({ harness }) => harness);
  } finally {
    stage.clear();
  }
}

const titled = PINNED.filter((one) => clientOf(one).command.length > 0).map(
  (one) => [`${adapterOf(one).title} ${one.version}, once connected`, one] as const,
);

describe.each(titled)("%s", (_, pinned) => {
  test(
    "a session that calls nothing is noticed, and one that calls is not",
    async () => {
      expect(await silentAfter(pinned, true)).toEqual([pinned.harness]);
      expect(await silentAfter(pinned, false)).toEqual([]);
    },
    LONGEST,
  );
});

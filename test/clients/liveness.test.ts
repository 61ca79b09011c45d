import { join } from "node:path";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { layoutOf } from "../../src/dispatch/layout.ts";
import { EVENT_NAMES } from "../../src/events.ts";
import { liveness } from "../../src/install/liveness.ts";
import { missed } from "../../src/install/missed.ts";
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

const hooks = EVENT_NAMES.map((event) => ({
  ...{ name: `watch-${event}`, events: [event], command: "true" },
}));

interface Seen {
  readonly silent: readonly string[];
  readonly missed: readonly string[];
}

/** One session on a machine that is connected, and what somebody did to our entries before it. */
async function after(
  pinned: Pinned,
  breaks: (site: Site, again: () => void) => void = () => undefined,
): Promise<Seen> {
  const [client, adapter, stage] = [clientOf(pinned), adapterOf(pinned), makeStage()];
  try {
    stage.write({ "project/.anyhook/hooks.json": JSON.stringify({ hooks }) });
    const site = siteOf({ HOME: stage.home }, stage.project, installation.shell);
    const { requests } = await session(client, stage, {
      turns: [{ shell: "echo one" }, { agent: "part" }, { shell: "sleep 2" }, { text: "Done." }],
      parts: { part: [{ shell: "echo part" }, { text: "Part done." }] },
      async ready(around) {
        await connected(adapter, stage, installation);
        breaks(site, () => stage.write(client.driver.settings(around)));
      },
    });
    expect(requests.length).toBeGreaterThan(1);
    const { project } = layoutOf(stage.project, { HOME: stage.home });
    return {
      silent: (await liveness(ADAPTERS, site, Date.now() + LATER)).map(({ harness }) => harness),
      missed: (await missed(ADAPTERS, site, project)).map(({ hook, why }) => `${hook}: ${why}`),
    };
  } finally {
    stage.clear();
  }
}

const here = PINNED.filter((one) => clientOf(one).command.length > 0);
const titled = here.map(
  (one) => [`${adapterOf(one).title} ${one.version}, once connected`, one] as const,
);

describe.each(titled)("%s", (_, pinned) => {
  test("a session that calls nothing is noticed", { timeout: LONGEST }, async () => {
    const seen = await after(pinned, (site, again) => {
      for (const { file } of readRecord(site, pinned.harness, "user")!.files) rmSync(file);
      again();
    });
    expect(seen).toEqual({ silent: [pinned.harness], missed: [] });
  });

  test("a session that calls is not, and misses no hook", { timeout: LONGEST }, async () => {
    expect(await after(pinned)).toEqual({ silent: [], missed: [] });
  });
});

describe.each(here.filter(({ harness }) => harness === "claude-code"))(
  "$harness $version, with a matcher that is dead",
  (pinned) => {
    test("the hooks that it misses are noticed", { timeout: LONGEST }, async () => {
      const seen = await after(pinned, ({ home }) => {
        const file = join(home, ".claude/settings.json");
        const dead = '$1 "matcher": "bash",';
        const text = readFileSync(file, "utf8").replace(/("PreToolUse": \[\s*\{)/, dead);
        writeFileSync(file, text);
      });
      expect(seen).toEqual({
        silent: [],
        missed: ["watch-PreToolUse: only PostToolUse came"],
      });
    });
  },
);

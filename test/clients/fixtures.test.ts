import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import type { Turn } from "../../src/prove/model/script.ts";
import { session } from "../../src/prove/session.ts";
import { makeStage } from "../../src/prove/stage.ts";
import { REPO } from "../_dispatch.ts";
import { clientOf, PINNED } from "./_clients.ts";

type Payload = Readonly<Record<string, unknown>>;

interface Seen {
  readonly event: string;
  readonly payload: Payload;
}

const adapterOf = (harness: string): (typeof ADAPTERS)[number] =>
  ADAPTERS.find(({ id }) => id === harness)!;

/** In-process plugins make their payloads themselves; all others send them to commands. */
const clients = PINNED.filter(
  (one) => clientOf(one).command.length > 0 && adapterOf(one.harness).settings.format !== "module",
);

const parts = { part: [{ shell: "echo part" }, { text: "Part done." }] };

const turnsIn = (project: string): readonly Turn[] => [
  { read: join(project, "a.txt") },
  { read: join(project, "missing.txt") },
  { write: join(project, "new.txt"), text: "one\ntwo\n" },
  { edit: join(project, "new.txt"), from: "two", to: "three" },
  { shell: "exit 3" },
  { agent: "part" },
  { shell: "sleep 2", full: true },
  { text: "Done." },
];

/** Every payload that a session of many kinds of calls sends, as the client sends it. */
async function captured(pinned: (typeof PINNED)[number]): Promise<Seen[]> {
  const { surfaces, observes } = adapterOf(pinned.harness);
  const natives = new Set([...Object.values(surfaces).map(({ native }) => native), ...observes]);
  const stage = makeStage();
  try {
    const folder = join(stage.base, "seen");
    mkdirSync(folder);
    stage.write({
      "project/a.txt": "alpha\n",
      "bin/see": `#!/bin/sh\ncat >"${folder}/$1.$$"\n`,
    });
    const hooks = [...natives].map((event) => ({
      event,
      command: `${join(stage.base, "bin/see")} ${event}`,
    }));
    const turns = turnsIn(stage.project);
    await session(clientOf(pinned), stage, { turns, parts, hooks, limit: 100_000 });
    return readdirSync(folder).map((name) => ({
      event: name.split(".")[0]!,
      payload: JSON.parse(readFileSync(join(folder, name), "utf8")) as Payload,
    }));
  } finally {
    stage.clear();
  }
}

/** `PreToolUse--Bash.json`: by the event that it begins with. */
function fixturesOf(harness: string): Seen[] {
  const folder = join(REPO, "test/fixtures", harness, "payloads");
  return readdirSync(folder).map((name) => ({
    event: name.split(/--|\./)[0]!,
    payload: JSON.parse(readFileSync(join(folder, name), "utf8")) as Payload,
  }));
}

const keysAt = (all: readonly Seen[], event: string): string[] => [
  ...new Set(
    all.filter((one) => one.event === event).flatMap(({ payload }) => Object.keys(payload)),
  ),
];

describe.each(clients)("the captured payloads of $harness $version", (pinned) => {
  test("are what it sends: the same members, at every event that a session reaches", async () => {
    const [seen, fixtures] = [await captured(pinned), fixturesOf(pinned.harness)];
    const events = [...new Set(seen.map(({ event }) => event))].filter(
      (event) => keysAt(fixtures, event).length > 0,
    );
    expect(events.length).toBeGreaterThan(3);
    const unknown = events.flatMap((event) =>
      keysAt(seen, event)
        .filter((key) => !keysAt(fixtures, event).includes(key))
        .map((key) => `${event}.${key}`),
    );
    expect(unknown, "a member that no fixture has").toEqual([]);
  });
});

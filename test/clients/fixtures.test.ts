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

/** `tool_input.command string`: members with their types, those of objects as well. */
const shapeOf = (payload: object, above = ""): string[] =>
  Object.entries(payload).flatMap(([key, value]) => [
    `${above}${key} ${typeOf(value)}`,
    ...(above === "" && typeOf(value) === "object" ? shapeOf(value as object, `${key}.`) : []),
  ]);

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "list" : typeof value;

const shapesAt = (all: readonly Seen[], event: string): string[][] =>
  all.filter((one) => one.event === event).map(({ payload }) => shapeOf(payload));

/** What all of them have. */
const shared = (shapes: readonly string[][]): string[] =>
  (shapes[0] ?? []).filter((one) => shapes.every((shape) => shape.includes(one)));

describe.each(clients)("the captured payloads of $harness $version", (pinned) => {
  test("are what it sends: the same members, at every event that a session reaches", async () => {
    const [seen, fixtures] = [await captured(pinned), fixturesOf(pinned.harness)];
    const events = [...new Set(seen.map(({ event }) => event))].filter(
      (event) => shapesAt(fixtures, event).length > 0,
    );
    expect(events.length).toBeGreaterThan(3);
    const unknown = events.flatMap((event) => {
      const known = new Set(shapesAt(fixtures, event).flat());
      const all = new Set(shapesAt(seen, event).flat());
      // What is in an input or a result depends on the call.
      const fixed = [...all].filter((one) => !/^tool_(input|response)\./.test(one));
      return fixed.filter((one) => !known.has(one)).map((one) => `${event}: ${one}`);
    });
    expect(unknown, "a member, or a type of it, that no fixture has").toEqual([]);
    const gone = events.flatMap((event) => {
      const all = new Set(shapesAt(seen, event).flat());
      return shared(shapesAt(fixtures, event))
        .filter((one) => !all.has(one))
        .map((one) => `${event}: ${one}`);
    });
    expect(gone, "a member that every fixture has, and that is not sent").toEqual([]);
  });
});

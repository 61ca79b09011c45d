import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import type { Adapter } from "../src/adapters/_contract.ts";
import { encodePath } from "../src/dispatch/layout.ts";
import { decodeOccurrence } from "../src/dispatch/occurrence.ts";
import { contractOf } from "../src/install/contract.ts";
import { EVENT_NAMES, type EventName } from "../src/events.ts";
import { CAPTURED, type Captured } from "./_contract.ts";
import { dispatch, makeProject, NODE_LANE, shellLanes, type Project } from "./_dispatch.ts";

/** What takes more than one delivery to see: echoes of our own words, and events delivered twice. */

const LANES = [...shellLanes(), NODE_LANE];
const projects: Project[] = [];
afterAll(() => projects.forEach((project) => project.remove()));

function compiled(): Project {
  const project = makeProject({
    ".anyhook/hooks/all.sh":
      '#!/bin/sh\n# Hook: all\n# Events: Stop, UserPromptSubmit, PreToolUse\n# Block: true\necho "$ANYHOOK_HARNESS $ANYHOOK_EVENT" >>seen\n[ "$ANYHOOK_EVENT" = UserPromptSubmit ] || printf \'{"decision":"block","reason":"tests \\"first\\"\\\\nplease"}\'\n',
  });
  projects.push(project);
  expect(project.cli("materialize", "--quiet").status).toBe(0);
  return project;
}

const seen = (project: Project): string[] => {
  try {
    return readFileSync(join(project.root, "seen"), "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  } finally {
    rmSync(join(project.root, "seen"), { force: true });
  }
};

const captured = (adapter: Adapter, event: string): Captured =>
  CAPTURED.find(
    (one) =>
      one.adapter === adapter &&
      one.event === event &&
      one.native === adapter.surfaces[event as "Stop"]!.native &&
      !one.file.includes("subagent"),
  )!;

/** The captured payload in the project's folder, with other members. */
const sent = (one: Captured, project: Project, change: object = {}): string => {
  const text = one.payload.toString().replaceAll("/home/dev/shop", project.root);
  return JSON.stringify({ ...(JSON.parse(text) as object), ...change });
};

const echoing = ADAPTERS.filter(({ surfaces }) => surfaces.UserPromptSubmit?.echoesStop);

describe.each(echoing)("$id sends the reason of a Stop block as the next prompt", (adapter) => {
  test.each(LANES)("which is nobody's prompt, once: $name", (lane) => {
    const project = compiled();
    const stop = captured(adapter, "Stop");
    const prompt = captured(adapter, "UserPromptSubmit");
    const session = (one: Captured): object => {
      const { session_id: a, sessionId: b } = JSON.parse(one.payload.toString()) as Record<
        string,
        string
      >;
      return a === undefined ? { sessionId: b } : { session_id: a };
    };
    const ask = (text: string): string[] => {
      const change = { ...session(stop), prompt: text };
      const reply = dispatch(
        project,
        lane,
        adapter.id,
        "UserPromptSubmit",
        sent(prompt, project, change),
      );
      expect(reply).toEqual({ stdout: "", stderr: "", status: 0 });
      return seen(project);
    };
    const ran = [`${adapter.id} UserPromptSubmit`];
    expect(ask('tests "first"\nplease')).toEqual(ran);
    dispatch(project, lane, adapter.id, "Stop", sent(stop, project, { stop_hook_active: false }));
    expect(seen(project)).toEqual([`${adapter.id} Stop`]);
    expect(ask("something else")).toEqual(ran);
    expect(ask('tests "first"\nplease')).toEqual([]);
    expect(project.ledger().at(-1)).toMatchObject({
      hooks: [],
      notes: ["not the user's words: the reason of a Stop block, sent as a prompt"],
    });
    expect(ask('tests "first"\nplease')).toEqual(ran);
  });
});

/** Who reads whose settings, and can be told by what it sends. */
const pairs = ADAPTERS.flatMap((host) =>
  ADAPTERS.filter(
    ({ settings, presence }) =>
      settings.alsoReads?.some((file) => Object.values(host.settings.files).includes(file)) &&
      presence.payload,
  ).map((guest) => ({ name: `${guest.id} reads the settings of ${host.id}`, host, guest })),
);

test("there is such a pair", () => {
  expect(pairs.length).toBeGreaterThan(0);
});

describe.each(pairs)("$name", ({ host, guest }) => {
  const env = Object.fromEntries(guest.presence.inside.slice(0, 1).map((name) => [name, "1"]));
  const theirs = CAPTURED.find(
    (one) => one.adapter === guest && one.event === "PreToolUse" && !one.file.includes("subagent"),
  )!;

  test.each(LANES)("and is answered in its own words, or only once: $name", (lane) => {
    const project = compiled();
    const payload = sent(theirs, project);
    const installed = join(dirname(dirname(project.layout.project)), "installed");
    const mark = (file: string): string => {
      mkdirSync(dirname(join(installed, file)), { recursive: true });
      writeFileSync(join(installed, file), "{}\n");
      return join(installed, file);
    };
    const call = (id: string, given: string, variables: Record<string, string>) =>
      dispatch(project, lane, id, "PreToolUse", given, variables);

    // The only entry is the host's: it is the guest's event all the same.
    const own = call(guest.id, payload, {});
    expect(seen(project)).toEqual([`${guest.id} PreToolUse`]);
    expect(call(host.id, payload, env)).toEqual(own);
    expect(seen(project)).toEqual([`${guest.id} PreToolUse`]);

    // Installed in another project only: still the only entry here.
    mark(`projects/+somewhere+else/${guest.id}.project`);
    expect(call(host.id, payload, env)).toEqual(own);
    expect(seen(project)).toEqual([`${guest.id} PreToolUse`]);

    // Both entries: the guest's own counts.
    const here = `projects/${encodePath(project.root)}/${guest.id}`;
    for (const file of [guest.id, `${here}.project`, `${here}.local`]) {
      const marker = mark(file);
      expect(call(host.id, payload, env)).toEqual({ stdout: "", stderr: "", status: 0 });
      expect(seen(project)).toEqual([]);
      expect(project.ledger().at(-1)).toMatchObject({
        harness: guest.id,
        hooks: [],
        notes: [
          `delivered twice: ${guest.id} reads the settings of ${host.id} and has an entry of its own`,
        ],
      });
      expect(call(guest.id, payload, env)).toEqual(own);
      expect(seen(project)).toEqual([`${guest.id} PreToolUse`]);
      rmSync(marker);
    }
    mark(guest.id);

    // The host itself, started from inside the guest, inherits the variable: nothing is dropped.
    const mine = captured(host, "PreToolUse");
    const bare = call(host.id, sent(mine, project), {});
    expect(seen(project)).toEqual([`${host.id} PreToolUse`]);
    expect(call(host.id, sent(mine, project), env)).toEqual(bare);
    expect(seen(project)).toEqual([`${host.id} PreToolUse`]);
  });

  test("no payload of the host has what tells the guest's", () => {
    const told = (one: Captured): boolean =>
      guest.presence.payload!.every((key) =>
        Object.hasOwn(JSON.parse(one.payload.toString()) as object, key),
      );
    expect(CAPTURED.filter((one) => one.adapter === host && told(one))).toEqual([]);
    expect(CAPTURED.filter((one) => one.adapter === guest && !told(one))).toEqual([]);
  });
});

describe("an event's id", () => {
  const without = CAPTURED.filter(({ adapter, event, payload }) => {
    const { id, tool } = decodeOccurrence(adapter, event, payload, "");
    return adapter.wire && tool !== "" && /:h[0-9a-f]{16}-h[0-9a-f]{16}$/.test(id);
  });
  const changed = ({ adapter, event, payload }: Captured, change: object): string => {
    const data = { ...(JSON.parse(payload.toString()) as object), ...change };
    return decodeOccurrence(adapter, event, Buffer.from(JSON.stringify(data)), "").id;
  };

  test("has the call in it where there is no id of one: the same before and after", () => {
    expect(without.length).toBeGreaterThan(10);
    for (const one of without) {
      const [first, again, later] = [
        changed(one, {}),
        changed(one, {}),
        changed(one, { timestamp: "2030-01-01T00:00:00.000Z" }),
      ];
      expect(again, one.file).toBe(first);
      expect(later, one.file).not.toBe(first);
      expect(later.split("-h").slice(0, -1), one.file).toEqual(first.split("-h").slice(0, -1));
    }
  });
});

describe.each(ADAPTERS)("an event that $id has not", (adapter) => {
  const lacking = EVENT_NAMES.filter((event) => !adapter.surfaces[event]);

  test.skipIf(lacking.length === 0)(
    "is unsupported, and both the contract and the dispatcher say so",
    () => {
      const project = compiled();
      const rows = contractOf(adapter);
      const support = (event: EventName): string | undefined =>
        rows.find((row) => row.event === event)?.support;
      for (const event of lacking) expect(support(event)).toBe("unsupported");
      for (const event of lacking.slice(0, 2)) {
        expect(dispatch(project, LANES[0]!, adapter.id, event, "{}")).toEqual({
          stdout: "",
          stderr: `anyhook: ${adapter.id} has no event '${event}'\n`,
          status: 0,
        });
      }
      const has = Object.entries(adapter.surfaces)[0]!;
      expect(support(has[0] as EventName)).toBe("native");
      expect(dispatch(project, LANES[0]!, adapter.id, has[0], "{}").stderr).toBe("");
    },
  );
});

const WIRED = ADAPTERS.filter(({ wire, surfaces }) => wire && surfaces.PreToolUse);

describe.each(WIRED)("detached hooks get what $id sent, in the canonical form", (adapter) => {
  const look =
    '. "$ANYHOOK_LIB"\n[ "$(hook_field tool_name)" = Bash ] && hook_field tool_input.command >';
  const command = CAPTURED.find(
    (one) =>
      one.adapter === adapter &&
      one.event === "PreToolUse" &&
      decodeOccurrence(adapter, one.event, one.payload, "").tool === "Bash",
  );

  test.skipIf(!command).each([LANES[0]!, NODE_LANE])("from $name", async (lane) => {
    const head = "# Event: PreToolUse\n# Async: true\n";
    const project = makeProject({
      ".anyhook/hooks/a.sh": `#!/bin/sh\n# Hook: a\n${head}${look}a\n`,
      ".anyhook/hooks/b.sh": `#!/bin/sh\n# Hook: b\n${head}# Payload: canonical\n${look}b\n`,
      ".anyhook/hooks/c.mjs":
        'import { writeFileSync } from "node:fs";\nexport default { name: "c", event: "PreToolUse", async: true, run(e) { if (e.tool_name === "Bash") writeFileSync("c", e.tool_input.command); } };\n',
    });
    projects.push(project);
    expect(project.cli("materialize", "--quiet").status).toBe(0);
    const payload = sent(command!, project);
    dispatch(project, { ...lane, real: true }, adapter.id, "PreToolUse", payload);
    const { payload: seenBy } = decodeOccurrence(adapter, "PreToolUse", Buffer.from(payload), "");
    const { command: text } = seenBy["tool_input"] as { command: string };
    const read = (name: string): string => {
      const file = join(project.root, name);
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    };
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline && !["a", "b", "c"].every((name) => read(name) !== ""))
      await new Promise((done) => setTimeout(done, 50));
    expect(["a", "b", "c"].map(read)).toEqual([text, text, text]);
  });
});

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { BYPASS } from "../../src/prove/clients/codex.ts";
import { session } from "../../src/prove/session.ts";
import { REPO, type Project } from "../_dispatch.ts";
import { clientOf, makeProjectStage, PINNED, projectOn, type Pinned } from "./_clients.ts";

/** Connected by `anyhook install` or as a plugin, as a person does it, and then really run. */
const projects: Project[] = [];
afterEach(() => projects.splice(0).forEach((one) => one.remove()));

interface Line {
  readonly harness: string;
  readonly event: string;
  readonly decision: { readonly verdict: string };
}

const RELEASE = { turns: [{ shell: "echo release >out.txt" }, { text: "Understood." }] };
const DENIED = [
  "SessionStart pass",
  "UserPromptSubmit pass",
  "PreToolUse deny",
  "Stop pass",
  "SessionEnd pass",
];

interface Played {
  readonly events: string[];
  readonly ran: boolean;
  readonly failed: string[];
  readonly stderr: string;
  readonly asked: string;
}

/** A session in a copy of the project after `connect`; the ledger, line by line, and what was run. */
async function play(
  pinned: Pinned,
  connect: (project: Project) => void,
  words: readonly string[] = [],
): Promise<Played> {
  const client = clientOf(pinned);
  const { driver } = client;
  const stage = makeProjectStage();
  const project = projectOn(stage);
  projects.push(project);
  const argv: typeof driver.argv = (prompt, around) => {
    const [first, ...rest] = driver.argv(prompt, around);
    return [first!, ...words, ...rest];
  };
  const played = await session({ ...client, driver: { ...driver, argv } }, stage, {
    ...RELEASE,
    ready: () => connect(project),
    env: { ANYHOOK_MANAGED_ROOT: join(stage.base, "etc") },
  });
  expect({ status: played.status, left: played.leftovers }).toEqual({ status: 0, left: [] });
  const lines = project.ledger() as unknown as Line[];
  expect(lines.filter(({ harness }) => harness !== pinned.harness)).toEqual([]);
  return {
    events: lines.map(({ event, decision }) => `${event} ${decision.verdict}`),
    ran: existsSync(join(project.root, "out.txt")),
    failed: played.taken.filter((one) => one.endsWith(" failed")),
    stderr: played.stderr,
    asked: played.requests[0]?.all ?? "",
  };
}

function anyhook(project: Project, ...args: string[]): void {
  const { status, stdout, stderr } = project.cli(...args);
  expect(status, stdout + stderr).toBe(0);
}

const titled = (client: Pinned): [string, Pinned] => [
  `${ADAPTERS.find(({ id }) => id === client.harness)!.title} ${client.version}`,
  client,
];

/** The packed package where `npm install -g` puts it. */
let prefix = "";
const packaged = (): string => join(prefix, "lib/node_modules/anyhook");

beforeAll(() => {
  prefix = mkdtempSync(join(tmpdir(), "anyhook-global-"));
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", prefix], {
    cwd: REPO,
  });
  const tarball = join(
    prefix,
    readdirSync(prefix).find((name) => name.endsWith(".tgz"))!,
  );
  execFileSync("npm", ["install", "-g", "--prefix", prefix, ...quiet, tarball], { stdio: "pipe" });
}, 180_000);
afterAll(() => rmSync(prefix, { recursive: true, force: true }));

type Words = (folder: string) => string[];

const PLUGIN: Readonly<Record<string, readonly Words[]>> = {
  "claude-code": [
    (folder) => ["plugin", "marketplace", "add", folder],
    () => ["plugin", "install", "anyhook@anyhook"],
  ],
  codex: [
    (folder) => ["plugin", "marketplace", "add", folder],
    () => ["plugin", "add", "anyhook@anyhook"],
  ],
};

const clients = PINNED.filter((one) => one.harness in PLUGIN && clientOf(one).command.length > 0);

describe.each(clients.map(titled))("%s", (_, client) => {
  const { harness } = client;
  const install = (project: Project, ...more: string[]): void =>
    anyhook(project, "install", "--harness", harness, "--yes", "--trust", ...more);

  test("nothing is connected at first", async () => {
    expect(await play(client, () => {})).toMatchObject({ events: [], ran: true });
  });

  test("what install writes is taken by the client, and trusted", async () => {
    const { events, ran, failed } = await play(client, (project) => install(project));
    expect({ events, ran, failed }).toEqual({ events: DENIED, ran: false, failed: [] });
  });

  test("so is what it writes into the project", async () => {
    const { events, ran, failed } = await play(client, (project) => {
      trustFolder(project);
      install(project, "--scope", "project");
    });
    expect({ events, ran, failed }).toEqual({ events: DENIED, ran: false, failed: [] });
  });

  test("user and project together fire once, by the record alone", async () => {
    const both = (project: Project): void => {
      trustFolder(project);
      install(project, "--scope", "project");
      install(project);
    };
    expect((await play(client, both)).events).toEqual(DENIED);
    const forgotten = await play(client, (project) => {
      both(project);
      rmSync(join(project.home, ".local/state/anyhook/installed", harness));
    });
    expect(forgotten.events.filter((one) => one === "PreToolUse deny")).toHaveLength(2);
  });

  test("after uninstall nothing is left", async () => {
    const { events, ran } = await play(client, (project) => {
      install(project);
      anyhook(project, "uninstall", "--harness", harness, "--yes");
    });
    expect({ events, ran }).toEqual({ events: [], ran: true });
  });

  test("the package itself is a plugin, with hooks and a skill", async () => {
    const ways: unknown[] = [];
    const connect = (project: Project): void => {
      ways.push(waysIn(project));
      asPlugin(project);
      ways.push(waysIn(project));
    };
    const { events, ran, failed, stderr, asked } = await play(client, connect, flags());
    // What is not trusted calls nothing, but for a flag that nobody should use.
    expect(ways).toEqual([[], harness === "codex" ? [] : ["plugin"]]);
    expect({ events, ran, failed }, stderr).toEqual({ events: DENIED, ran: false, failed: [] });
    expect(asked).toContain("hooks that every coding agent on this machine obeys (anyhook)");
  });

  test("plugin and user settings together fire once", async () => {
    const both = (project: Project): void => {
      asPlugin(project);
      install(project);
    };
    expect((await play(client, both, flags())).events).toEqual(DENIED);
  });

  const waysIn = (project: Project): unknown => {
    const { harnesses } = JSON.parse(project.cli("detect", "--json").stdout) as {
      harnesses: { harness: string; connected: string[] }[];
    };
    return harnesses.find((one) => one.harness === harness)!.connected;
  };

  function trustFolder(project: Project): void {
    if (harness !== "codex") return;
    const file = join(project.home, ".codex/config.toml");
    const folder = `\n[projects.${JSON.stringify(project.root)}]\ntrust_level = "trusted"\n`;
    project.write({ "home/.codex/config.toml": readFileSync(file, "utf8") + folder });
  }

  /** A plugin's hooks are trusted through the client's own screens, which nobody sits at here. */
  const flags = (): string[] => (harness === "codex" ? [BYPASS] : []);

  function asPlugin(project: Project): void {
    const env = { ...project.env, TMPDIR: join(project.base, "tmp") };
    mkdirSync(env.TMPDIR, { recursive: true });
    for (const words of PLUGIN[harness]!) {
      const { status, stdout, stderr } = spawnSync(
        clientOf(client).command[0]!,
        words(packaged()),
        {
          ...{ cwd: project.root, env, encoding: "utf8" },
        },
      );
      expect(status, stdout + stderr).toBe(0);
    }
  }
});

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { place, type Place } from "../cli/_cli.ts";
import { put } from "./_site.ts";

const CAPTURED = join(import.meta.dirname, "../fixtures/codex/plugin");
const captured = (name: string): string => readFileSync(join(CAPTURED, name), "utf8");

interface Plugin {
  /** Where the harness runs the package from. */
  readonly folder: string;
  readonly on: readonly [file: string, text: string];
  readonly off: string;
  /** Other files that its own installer leaves. */
  readonly more?: (home: string) => readonly [file: string, text: string];
}

/** As `claude plugin install` and `codex plugin add` left them, and for Codex `/hooks`. */
const PLUGINS = {
  "claude-code": {
    folder: "lib/node_modules/anyhook",
    on: [".claude/settings.json", '{ "enabledPlugins": { "anyhook@anyhook": true } }\n'],
    off: '{ "enabledPlugins": { "anyhook@anyhook": false } }\n',
    more: (home) => [
      ".claude/plugins/known_marketplaces.json",
      JSON.stringify({ anyhook: { installLocation: join(home, "lib/node_modules/anyhook") } }),
    ],
  },
  codex: {
    folder: ".codex/plugins/cache/anyhook/anyhook/0.1.0",
    on: [".codex/config.toml", captured("config.toml")],
    off: captured("config.toml").replace("enabled = true", "enabled = false"),
  },
} satisfies Record<string, Plugin>;

interface Plugged extends Place {
  readonly home: string;
  readonly file: string;
  /** `grade check`, of one harness, with what is said about it. */
  readonly found: () => string[];
  readonly connected: () => unknown;
}

function withPlugin(id: keyof typeof PLUGINS): Plugged {
  const here = place();
  // Harnesses that this machine has by chance are not found.
  here.project.env["PATH"] = "/usr/bin:/bin";
  const home = here.project.home;
  const { folder, on, more }: Plugin = PLUGINS[id];
  for (const [path, text] of [on, ...(more ? [more(home)] : [])]) put(join(home, path), text);
  put(join(home, folder, "dist/harnesses.sh"), "");
  put(join(home, folder, "hooks/hooks.json"), captured("hooks.json"));
  const found = (): string[] => {
    const { findings } = here.json("doctor", "--harness", id);
    return (findings as Record<string, string>[])
      .filter(({ harness, check }) => harness === id && check !== "version")
      .map(({ grade, check, message }) => `${grade} ${check}: ${message}`);
  };
  const connected = (): unknown =>
    (here.json("detect")["harnesses"] as { harness: string; connected: string[] }[]).find(
      ({ harness }) => harness === id,
    )!.connected;
  return { ...here, home, file: join(home, on[0]), found, connected };
}

const IDS = Object.keys(PLUGINS) as (keyof typeof PLUGINS)[];
const OK = /^ok connected: .* calls anyhook as a plugin \(/;

test.each(IDS)("%s with the plugin is connected: doctor, detect and status say so", (id) => {
  const here = withPlugin(id);
  expect(here.found()[0]).toMatch(OK);
  expect(here.found()[0]).toContain(here.file);
  expect(here.connected()).toEqual(["plugin"]);
  expect(here.json("status")["callers"]).toEqual([{ harness: id, ways: ["plugin"] }]);
  put(here.file, PLUGINS[id].off);
  expect(here.found().filter((line) => OK.test(line))).toEqual([]);
  expect(here.connected()).toEqual([]);
  expect(here.json("status")["callers"]).toEqual([]);
});

test.each(IDS)("%s: a plugin that is switched on and has no files calls nothing", (id) => {
  const here = withPlugin(id);
  rmSync(join(here.home, PLUGINS[id].folder, "dist"), { recursive: true });
  expect(here.found()).toEqual([
    expect.stringMatching(/^error connected: the plugin is switched on .* has no dist\/$/),
  ]);
  rmSync(join(here.home, PLUGINS[id].folder), { recursive: true });
  expect(here.found()).toEqual([expect.stringMatching(/calls nothing: its files are not on this/)]);
  expect(here.connected()).toEqual([]);
});

test("the nearest settings decide whether the plugin is on", () => {
  const here = withPlugin("claude-code");
  const { on, off } = PLUGINS["claude-code"];
  put(join(here.project.root, ".claude/settings.json"), off);
  expect(here.connected()).toEqual([]);
  put(join(here.project.root, ".claude/settings.local.json"), on[1]);
  expect(here.connected()).toEqual(["plugin"]);
  expect(here.found()[0]).toContain(join(here.project.root, ".claude/settings.local.json"));
});

test("entries that the harness does not trust are skipped, and that is said", () => {
  const here = withPlugin("codex");
  expect(here.found()[1]).toMatch(/^info trusted: .* after an update trust it again/);
  put(here.file, captured("config.toml").replace(/(stop:0:0"]\ntrusted_hash = "sha256:)./, "$1x"));
  expect(here.found()).toEqual([
    expect.stringMatching(/^error connected: .* calls nothing: Codex CLI does not trust/),
  ]);
});

test.each(IDS)("%s: entries of a project beside the plugin fire twice", (id) => {
  const here = withPlugin(id);
  const twice = (): string[] => here.found().filter((line) => line.startsWith("warning delivery"));
  expect(twice()).toEqual([]);
  const { out } = here.run("install", "--harness", id, "--scope", "project", "--yes");
  expect(out).toMatch(/note: it calls anyhook as a plugin as well .* will fire twice\n/);
  expect(twice()).toEqual([expect.stringMatching(/scope project and as a plugin .* twice$/)]);
  here.run("install", "--harness", id, "--yes");
  expect(twice()).toEqual([]);
  expect(here.found().join("\n")).toMatch(/info delivery: also a plugin .* steps aside/);
});

test("hooks of the user move in only where the plugin is on everywhere", () => {
  const mine = { hooks: { Stop: [{ hooks: [{ type: "command", command: "echo mine" }] }] } };
  const here = withPlugin("claude-code");
  const { on } = PLUGINS["claude-code"];
  const withHook = (text: string): string =>
    JSON.stringify({ ...(JSON.parse(text) as object), ...mine });
  put(here.file, withHook("{}"));
  put(join(here.project.root, ".claude/settings.json"), on[1]);
  expect(here.connected()).toEqual(["plugin"]);
  expect(here.run("import", "--yes").out).toContain("is not connected");
  put(here.file, withHook(on[1]));
  expect(here.run("import", "--yes").out).toContain("1 hook into");
});

test("the skill of a harness that calls by the plugin does nothing twice", () => {
  const here = withPlugin("claude-code");
  const start = (): string => here.run("lifecycle", "claude", "start", "--thread", "t").out;
  expect(start()).toContain("not performed: the harness calls hooks itself here");
  put(here.file, PLUGINS["claude-code"].off);
  expect(start()).toContain("performed: first start of this thread");
});

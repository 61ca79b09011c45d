import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { afterEach, beforeEach, expect, test } from "vitest";
import { notesOn } from "../../src/install/notes.ts";
import {
  adapterWith,
  installOne,
  type Machine,
  makeMachine,
  put,
  settingsFile,
  traits,
  uninstallOne,
} from "./_site.ts";

const codex = adapterWith("codex");

let machine: Machine;
let config: string;
beforeEach(() => {
  machine = makeMachine();
  config = join(machine.home, ".codex/config.toml");
});
afterEach(() => machine.remove());

type State = Record<string, { trusted_hash?: string; enabled?: boolean }>;

const states = (): State =>
  (parse(readFileSync(config, "utf8")) as { hooks?: { state?: State } }).hooks?.state ?? {};

const CONFIG =
  '# mine\nmodel = "opus"   # best\n\n[features]\nhooks = true\n\n[hooks.state."x:stop:0:0"]\ntrusted_hash = "sha256:00"\n';

test("without consent nothing is trusted, and it is said what to run", async () => {
  put(config, CONFIG);
  const outcome = await installOne(codex, machine.site);
  expect(readFileSync(config, "utf8")).toBe(CONFIG);
  expect(notesOn(outcome, machine.site)[0]).toContain("anyhook install --harness codex --trust");
  const [note = ""] = notesOn(outcome, machine.site);
  expect(note).toMatch(/codex --trust, or trust them with \/hooks inside Codex$/);
});

test("with consent every entry is, beside what was there; and nothing is left", async () => {
  put(config, CONFIG);
  const outcome = await installOne(codex, machine.site, "user", { trust: true });
  const file = settingsFile(codex, machine.site);
  expect(readFileSync(config, "utf8").startsWith(CONFIG)).toBe(true);
  expect(Object.keys(states()).toSorted()).toEqual(
    [
      "x:stop:0:0",
      ...Object.values(codex.surfaces).map(({ native }) => `${file}:${snake(native)}:0:0`),
    ].toSorted(),
  );
  expect(notesOn(outcome, machine.site).join()).not.toContain("--trust");
  const before = traits(config);
  await installOne(codex, machine.site, "user", { trust: true });
  expect(traits(config)).toEqual(before);
  await uninstallOne(codex, machine.site);
  expect(readFileSync(config, "utf8")).toBe(CONFIG);
});

test("behind an entry of somebody else's ours has another place, and theirs keeps its own", async () => {
  const theirs = { hooks: [{ type: "command", command: "theirs" }] };
  put(settingsFile(codex, machine.site), JSON.stringify({ hooks: { Stop: [theirs] } }));
  await installOne(codex, machine.site, "user", { trust: true });
  const keys = Object.keys(states()).filter((key) => key.includes(":stop:"));
  expect(keys).toEqual([`${settingsFile(codex, machine.site)}:stop:1:0`]);
});

test("what else the harness notes there stays when the file was changed since", async () => {
  put(config, CONFIG);
  await installOne(codex, machine.site, "user", { trust: true });
  const key = `${settingsFile(codex, machine.site)}:stop:0:0`;
  const head = `[hooks.state.${JSON.stringify(key)}]\n`;
  const text = readFileSync(config, "utf8").replace(head, `${head}enabled = false\n`);
  writeFileSync(config, text.replace("opus", "sonnet"));
  await uninstallOne(codex, machine.site);
  expect(states()).toEqual({
    "x:stop:0:0": { trusted_hash: "sha256:00" },
    [key]: { enabled: false },
  });
  expect(readFileSync(config, "utf8")).toContain('model = "sonnet"   # best');
});

test("entries that come later are trusted as well, and nothing is left either", async () => {
  put(config, CONFIG);
  await installOne(codex, machine.site, "user", { trust: true });
  await installOne(codex, machine.site, "user", { trust: true, observed: ["Interrupt"] });
  expect(Object.keys(states()).filter((key) => key.includes(":interrupt:"))).toHaveLength(1);
  await uninstallOne(codex, machine.site);
  expect(readFileSync(config, "utf8")).toBe(CONFIG);
});

test("a config that was not there goes again", async () => {
  await installOne(codex, machine.site, "user", { trust: true });
  expect(Object.keys(states())).not.toEqual([]);
  await installOne(codex, machine.site, "user", { trust: true, observed: ["Interrupt"] });
  await uninstallOne(codex, machine.site);
  expect(existsSync(join(machine.home, ".codex"))).toBe(false);
});

test("CODEX_HOME moves both files", async () => {
  const home = join(machine.base, "elsewhere");
  const site = { ...machine.site, env: { ...machine.site.env, CODEX_HOME: home } };
  await installOne(codex, site, "user", { trust: true });
  config = join(home, "config.toml");
  expect(Object.keys(states())[0]).toBe(`${home}/hooks.json:session_start:0:0`);
});

const snake = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();

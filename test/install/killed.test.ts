import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { giveBack } from "../../src/install/give-back.ts";
import { applyImport, layerFile, planImport } from "../../src/install/import.ts";
import { recordOf } from "../../src/install/site.ts";
import { CLI } from "../_dispatch.ts";
import { adapterWith, installOne, makeMachine, put, settingsFile, uninstallOne } from "./_site.ts";

const KILLER = join(import.meta.dirname, "_kill-at.mjs");

/** Comments and an odd layout, so that only the kept copy can bring back every byte. */
const BEFORE = `{ // mine\r\n  "hooks": {"BeforeTool": [ {"hooks":[{"type":"command","command":"/opt/guard"}]} ], },\r\n}\r\n`;

const gemini = adapterWith("gemini");

function victim(before = BEFORE) {
  const machine = makeMachine();
  const { site, env, root } = machine;
  onTestFinished(() => machine.remove());
  const settings = settingsFile(gemini, site);
  if (before !== "") put(settings, before);
  return {
    ...{ site, settings, marker: recordOf(site, "gemini", "user") },
    imported: layerFile(site, "user"),
    install: () => installOne(gemini, site),
    uninstall: () => uninstallOne(gemini, site),
    /** Our command line, killed at its n-th write; false when it had fewer. */
    killedAt: (n: number, ...args: string[]): boolean => {
      const { signal } = spawnSync(process.execPath, ["--import", KILLER, CLI, ...args, "--yes"], {
        cwd: root,
        env: { ...env, KILL_AT: String(n) },
      });
      return signal === "SIGKILL";
    },
  };
}

const text = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** Runs `each` for the first, second, … write until a run ends by itself; says how many there were. */
async function everyInstant(each: (n: number) => Promise<boolean>): Promise<number> {
  let n = 1;
  while (await each(n)) n++;
  return n - 1;
}

describe("killed at every single write", () => {
  test.each([
    ["a file", BEFORE],
    ["no file", ""],
  ])(
    "install: %s or the new one, and uninstall gives back every byte",
    async (_, before) => {
      const here = victim(before);
      const seen = new Set<boolean>();
      const kills = await everyInstant(async (n) => {
        const isKilled = here.killedAt(n, "install", "--harness", "gemini");
        const isNew = text(here.settings) !== before;
        seen.add(isNew);
        if (!isNew) expect([n, existsSync(here.marker)]).toEqual([n, false]);
        // Every other time it is done again first.
        if (n % 2 === 0) await here.install();
        await here.uninstall();
        expect([n, text(here.settings), existsSync(here.marker)]).toEqual([n, before, false]);
        expect([n, existsSync(here.settings)]).toEqual([n, before !== ""]);
        return isKilled;
      });
      expect(kills).toBeGreaterThan(5);
      expect(seen).toEqual(new Set([false, true]));
      await here.install();
      expect(readdirSync(dirname(here.settings))).toEqual(["settings.json"]);
    },
    180_000,
  );

  test("uninstall: nobody counts on entries that are gone, and a second one finishes", async () => {
    const here = victim();
    const kills = await everyInstant(async (n) => {
      await here.install();
      const isKilled = here.killedAt(n, "uninstall", "--harness", "gemini");
      // An entry of a project steps aside for this marker.
      if (text(here.settings) === BEFORE) expect([n, existsSync(here.marker)]).toEqual([n, false]);
      await here.uninstall();
      expect([n, text(here.settings), existsSync(here.marker)]).toEqual([n, BEFORE, false]);
      return isKilled;
    });
    expect(kills).toBeGreaterThan(3);
  }, 180_000);

  test("import: every hook is somewhere, once when it is done again, and goes back whole", async () => {
    const here = victim();
    await here.install();
    const connected = text(here.settings);
    const again = () =>
      applyImport(here.site, () => planImport(here.site, [gemini], "user", ADAPTERS));
    const there = (): number =>
      [here.settings, here.imported].filter((file) => text(file).includes("/opt/guard")).length;
    const kills = await everyInstant(async (n) => {
      const isKilled = here.killedAt(n, "import");
      expect([n, there() > 0]).toEqual([n, true]);
      await again();
      expect([n, there(), text(here.imported).split('"command": [').length]).toEqual([n, 1, 2]);
      const isUndone = here.killedAt(n, "import", "--undo");
      expect([n, there() > 0]).toEqual([n, true]);
      await giveBack(here.site, "user", ADAPTERS);
      expect([n, text(here.settings), existsSync(here.imported)]).toEqual([n, connected, false]);
      return isKilled || isUndone;
    });
    expect(kills).toBeGreaterThan(3);
  }, 180_000);
});

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { parse } from "jsonc-parser";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Adapter } from "../../src/adapters/_contract.ts";
import { recordOf } from "../../src/install/site.ts";
import { CORPUS, LOOK_ALIKES, type Sample } from "./_corpus.ts";
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

const claude = adapterWith("claude-code");
const lenient: Adapter = { ...claude, settings: { ...claude.settings, format: "jsonc" } };
const adapterFor = ({ jsonc }: Sample): Adapter => (jsonc ? lenient : claude);

let machine: Machine;
beforeEach(() => {
  machine = makeMachine();
});
afterEach(() => machine.remove());

const valueOf = (text: string): Record<string, unknown> =>
  (parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }) ?? {}) as Record<
    string,
    unknown
  >;

test("the corpus is large enough", () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
});

describe.each(CORPUS)("$name", (sample) => {
  const adapter = adapterFor(sample);
  const start = async (): Promise<string> => {
    const file = put(settingsFile(adapter, machine.site), sample.text);
    const { refusal } = await installOne(adapter, machine.site);
    expect(refusal).toBeUndefined();
    return file;
  };

  test("every event is wired once, and what others wrote stays", async () => {
    const file = await start();
    const text = readFileSync(file, "utf8");
    if (!sample.jsonc) expect(() => JSON.parse(text.replace(/^\uFEFF/, ""))).not.toThrow();
    const { hooks, ...rest } = valueOf(text) as { hooks: Record<string, unknown[]> };
    const { hooks: before = {}, ...restBefore } = valueOf(sample.text) as {
      hooks?: Record<string, unknown[]>;
    };
    expect(rest).toEqual(restBefore);
    for (const { native } of Object.values(claude.surfaces)) {
      const own = before[native] ?? [];
      expect(hooks[native]!.slice(0, own.length)).toEqual(own);
      expect(hooks[native]).toHaveLength(own.length + 1);
    }
  });

  test("a second install writes nothing", async () => {
    const file = await start();
    const before = traits(file);
    const again = await installOne(adapter, machine.site);
    expect(again.plan?.files.map(({ change }) => change.before === change.after)).toEqual([true]);
    expect(traits(file)).toEqual(before);
  });

  test("uninstall gives back every byte", async () => {
    const file = await start();
    expect(readFileSync(file, "utf8")).not.toBe(sample.text);
    await uninstallOne(adapter, machine.site);
    expect(readFileSync(file, "utf8")).toBe(sample.text);
  });

  test.runIf(sample.text.includes("opus"))("an edit of somebody else's survives", async () => {
    const file = await start();
    const edited = readFileSync(file, "utf8").replace("opus", "sonnet-5");
    writeFileSync(file, edited);
    await uninstallOne(adapter, machine.site);
    expect(readFileSync(file, "utf8")).toBe(sample.text.replace("opus", "sonnet-5"));
  });

  test("our entries are found without the record", async () => {
    const file = await start();
    rmSync(recordOf(machine.site, adapter.id, "user"));
    await uninstallOne(adapter, machine.site);
    const filled = (hooks: object = {}): object =>
      Object.fromEntries(
        Object.entries(hooks).filter(([, list]) => (list as unknown[]).length > 0),
      );
    const [now, then] = [valueOf(readFileSync(file, "utf8")), valueOf(sample.text)];
    expect({ ...now, hooks: filled(now["hooks"] as object) }).toEqual({
      ...then,
      hooks: filled(then["hooks"] as object),
    });
  });
});

test("look-alikes are really beside ours", async () => {
  const sample = CORPUS.find(({ name }) => name === "look-alikes")!;
  const file = put(settingsFile(claude, machine.site), sample.text);
  await installOne(claude, machine.site);
  const { hooks } = valueOf(readFileSync(file, "utf8")) as { hooks: Record<string, unknown[]> };
  expect(hooks["PreToolUse"]).toHaveLength(LOOK_ALIKES.length + 1);
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { type Adapter, nativeEvents } from "../../src/adapters/_contract.ts";
import { SCOPES } from "../../src/adapters/_settings.ts";
import { editorOf } from "../../src/install/editors.ts";
import { recordOf } from "../../src/install/site.ts";
import {
  installOne,
  type Machine,
  makeMachine,
  put,
  settingsFile,
  traits,
  uninstallOne,
} from "./_site.ts";

let machine: Machine;
beforeEach(() => {
  machine = makeMachine();
});
afterEach(() => machine.remove());

const places = ADAPTERS.flatMap((adapter) =>
  SCOPES.filter((scope) => adapter.settings.files[scope] !== undefined).map(
    (scope) => [adapter.id, scope, adapter] as const,
  ),
);

const THEIRS: Readonly<Record<Adapter["settings"]["format"], string>> = {
  json: '{\n   "theirs": { "a": [1, 2] }\n}\n',
  jsonc: '{\n  // theirs\n  "a": [1, 2], // more\n}\n',
  toml: '# theirs\na = [1, 2]\n\n[table]\nb = "x"\n',
  module: "",
  scripts: "",
};

const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.startsWith(".local"),
  );

describe.each(places)("%s, %s", (_, scope, adapter) => {
  const file = (): string => settingsFile(adapter, machine.site, scope);

  test("from nothing and back to nothing", async () => {
    const before = [below(machine.home), below(machine.root)];
    const { refusal, plan } = await installOne(adapter, machine.site, scope);
    expect(refusal).toBeUndefined();
    expect(plan?.calls).toHaveLength(nativeEvents(adapter).size);
    expect(existsSync(file())).toBe(true);
    expect(existsSync(recordOf(machine.site, adapter.id, scope))).toBe(true);
    await uninstallOne(adapter, machine.site, scope);
    expect([below(machine.home), below(machine.root)]).toEqual(before);
  });

  test.skipIf(adapter.settings.render)("beside what is there, once, and back", async () => {
    const text = THEIRS[adapter.settings.format];
    put(file(), text);
    await installOne(adapter, machine.site, scope);
    const after = readFileSync(file(), "utf8");
    const editor = editorOf(adapter, file());
    const lists = [...nativeEvents(adapter).keys()].map((native) =>
      editor.entries(after, adapter.settings.at!(native)),
    );
    expect(lists.filter((list) => list.length === 0)).toEqual([]);
    const first = traits(file());
    await installOne(adapter, machine.site, scope);
    expect(traits(file())).toEqual(first);
    put(file(), after.replace("[1, 2]", "[1, 2, 3]"));
    await uninstallOne(adapter, machine.site, scope);
    expect(readFileSync(file(), "utf8")).toBe(text.replace("[1, 2]", "[1, 2, 3]"));
  });
});

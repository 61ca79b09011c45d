import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Adapter } from "../../src/adapters/_contract.ts";
import type { Json } from "../../src/adapters/_settings.ts";
import { recordOf, shimOf } from "../../src/install/site.ts";
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
const codex = adapterWith("codex");

let machine: Machine;
let file: string;
beforeEach(() => {
  machine = makeMachine();
  file = settingsFile(claude, machine.site);
});
afterEach(() => machine.remove());

const TEXT = '{\n  "model": "opus"\n}\n';

describe("the file itself", () => {
  test("a link stays a link, its target is edited, and the mode is kept", async () => {
    const target = put(join(machine.home, "dotfiles/claude.json"), TEXT);
    chmodSync(target, 0o640);
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync("../dotfiles/claude.json", file);
    await installOne(claude, machine.site);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toContain("bin/dispatch");
    expect(statSync(target).mode & 0o777).toBe(0o640);
    await uninstallOne(claude, machine.site);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toBe(TEXT);
    expect(readdirSync(dirname(target))).toEqual(["claude.json"]);
  });

  test("a second name of the file stays one", async () => {
    put(file, TEXT);
    const other = join(machine.home, "same.json");
    linkSync(file, other);
    await installOne(claude, machine.site);
    expect(readFileSync(other, "utf8")).toContain("bin/dispatch");
    await uninstallOne(claude, machine.site);
    expect(readFileSync(other, "utf8")).toBe(TEXT);
  });

  test("it is replaced in one step: the inode changes, and no sibling is left", async () => {
    put(file, TEXT);
    const before = traits(file);
    await installOne(claude, machine.site);
    expect(traits(file)["ino"]).not.toBe(before["ino"]);
    expect(readdirSync(dirname(file))).toEqual(["settings.json"]);
  });

  test("files and folders that were made go again, those that were not stay", async () => {
    expect(existsSync(dirname(file))).toBe(false);
    await installOne(claude, machine.site);
    expect(existsSync(file)).toBe(true);
    await uninstallOne(claude, machine.site);
    expect(existsSync(dirname(file))).toBe(false);

    mkdirSync(dirname(file));
    await installOne(claude, machine.site);
    await uninstallOne(claude, machine.site);
    expect(readdirSync(dirname(file))).toEqual([]);

    rmSync(dirname(file), { recursive: true });
    await installOne(claude, machine.site);
    put(join(dirname(file), "theirs.txt"), "");
    await uninstallOne(claude, machine.site);
    expect(readdirSync(dirname(file))).toEqual(["theirs.txt"]);
  });

  test("a file that we made and others wrote to keeps their part", async () => {
    await installOne(claude, machine.site);
    const value = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    put(file, JSON.stringify({ ...value, theirs: 1 }));
    await uninstallOne(claude, machine.site);
    expect(readFileSync(file, "utf8")).toBe('{"theirs":1}');
  });

  test("a harness that writes its file anew does not keep us from leaving", async () => {
    put(file, TEXT);
    await installOne(claude, machine.site);
    const value = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    put(file, JSON.stringify({ ...value, model: "sonnet" }, null, 4));
    const before = traits(file);
    await installOne(claude, machine.site);
    expect(traits(file)).toEqual(before);
    await uninstallOne(claude, machine.site);
    expect(readFileSync(file, "utf8")).toBe('{\n    "model": "sonnet"\n}');
  });

  test("an entry that somebody put beside ours in one group stays", async () => {
    put(file, TEXT);
    await installOne(claude, machine.site);
    interface Settings {
      hooks: Record<string, { hooks: unknown[] }[]>;
    }
    const value = JSON.parse(readFileSync(file, "utf8")) as Settings;
    const theirs = { type: "command", command: "theirs" };
    value.hooks["Stop"]![0]!.hooks.push(theirs);
    put(file, JSON.stringify(value));
    await uninstallOne(claude, machine.site);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      model: "opus",
      hooks: { Stop: [{ hooks: [theirs] }] },
    });
  });
});

describe("backup and record", () => {
  test("what was there is kept in the store, to the byte, and not for ever", async () => {
    put(file, TEXT);
    await installOne(claude, machine.site);
    const folder = join(machine.site.store, "backups");
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))).toEqual([
      TEXT,
    ]);
    for (let n = 0; n < 15; n++) {
      await uninstallOne(claude, machine.site);
      await installOne(claude, machine.site);
    }
    expect(readdirSync(folder).length).toBeLessThanOrEqual(21);
    await uninstallOne(claude, machine.site);
    expect(readFileSync(file, "utf8")).toBe(TEXT);
  });

  test("the record names package, node and version, and is gone afterwards with the shim", async () => {
    await installOne(claude, machine.site);
    const path = recordOf(machine.site, claude.id, "user");
    expect(path).toBe(join(machine.site.store, "installed", claude.id));
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      ...{ harness: claude.id, scope: "user", version: machine.site.version },
      ...{ package: machine.site.package, node: process.execPath },
    });
    await installOne(codex, machine.site);
    await uninstallOne(claude, machine.site);
    expect(existsSync(shimOf(machine.site))).toBe(true);
    await uninstallOne(codex, machine.site);
    expect(existsSync(shimOf(machine.site))).toBe(false);
    expect(existsSync(join(machine.site.store, "installed"))).toBe(false);
  });

  test("a lost record is made again, and knows what it does not know", async () => {
    put(file, TEXT);
    await installOne(claude, machine.site);
    rmSync(recordOf(machine.site, claude.id, "user"));
    const before = traits(file);
    await installOne(claude, machine.site);
    expect(traits(file)).toEqual(before);
    expect(existsSync(recordOf(machine.site, claude.id, "user"))).toBe(true);
    await uninstallOne(claude, machine.site);
    expect(readFileSync(file, "utf8")).toBe(TEXT);
  });

  test("commands of an earlier version are replaced, and the first bytes still come back", async () => {
    put(file, TEXT);
    await installOne(claude, { ...machine.site, store: join(machine.home, "old-store") });
    expect(readFileSync(file, "utf8")).toContain("old-store/bin/dispatch");
    const path = recordOf(machine.site, claude.id, "user");
    const old = readFileSync(
      recordOf({ ...machine.site, store: join(machine.home, "old-store") }, claude.id, "user"),
    );
    put(path, old);
    await installOne(claude, machine.site);
    expect(readFileSync(file, "utf8")).not.toContain("old-store");
    const { hooks } = JSON.parse(readFileSync(file, "utf8")) as {
      hooks: Record<string, unknown[]>;
    };
    expect(Object.values(hooks).map((list) => list.length)).toEqual(
      Object.keys(hooks).map(() => 1),
    );
    await uninstallOne(claude, machine.site);
    expect(readFileSync(file, "utf8")).toBe(TEXT);
  });

  test("native events are wired when a hook names them, and stay wired", async () => {
    const wired = (): string[] =>
      Object.keys((JSON.parse(readFileSync(file, "utf8")) as { hooks: object }).hooks);
    await installOne(claude, machine.site);
    expect(wired()).not.toContain("FileChanged");
    await installOne(claude, machine.site, "user", { observed: ["FileChanged", "Stop"] });
    expect(wired()).toContain("FileChanged");
    await installOne(claude, machine.site);
    expect(wired()).toContain("FileChanged");
    await uninstallOne(claude, machine.site);
    expect(existsSync(file)).toBe(false);
  });
});

/** Other formats, as adapters describe them. */
const toml: Adapter = {
  ...claude,
  settings: {
    ...claude.settings,
    files: { user: "~/.toml/config.toml" },
    format: "toml",
    at: () => ["hooks"],
    entry: ({ native, command }) => ({ event: native, command }),
    commands: (entry) => [
      { command: String((entry as { command?: Json }).command ?? ""), matcher: "", rest: {} },
    ],
  },
};

describe("TOML", () => {
  const samples = [
    ["empty", ""],
    ["plain", '# mine\nmodel = "opus" # best\n\n[table]\nx = 1\n'],
    ["no newline at the end", 'model = "opus"'],
    ["CRLF", 'model = "opus"\r\n\r\n[table]\r\nx = 1\r\n'],
    ["hooks of others", '[[hooks]]\nevent = "Stop"\ncommand = "theirs" # keep\n\n# end\n'],
    [
      "headers in texts",
      'a = """\n[[hooks]]\nevent = "x"\n"""\nb = [\n  [1],\n  [2],\n]\nmodel = "opus"\n',
    ],
    ["comment at the end", 'model = "opus"\n# bye'],
  ] as const;

  test.each(samples)("%s", async (_, text) => {
    const path = put(settingsFile(toml, machine.site), text);
    expect((await installOne(toml, machine.site)).refusal).toBeUndefined();
    const { hooks, ...rest } = parse(readFileSync(path, "utf8")) as { hooks: { event: string }[] };
    const { hooks: theirs = [], ...before } = parse(text) as { hooks?: unknown[] };
    expect(rest).toEqual(before);
    expect(hooks).toHaveLength(theirs.length + Object.keys(claude.surfaces).length);
    const first = traits(path);
    await installOne(toml, machine.site);
    expect(traits(path)).toEqual(first);
    const edited = readFileSync(path, "utf8").replace("opus", "sonnet");
    await uninstallOne(toml, machine.site);
    expect(readFileSync(path, "utf8")).toBe(text);

    await installOne(toml, machine.site);
    writeFileSync(path, edited);
    rmSync(recordOf(machine.site, toml.id, "user"));
    await uninstallOne(toml, machine.site);
    const wanted = text.replace("opus", "sonnet");
    const eol = wanted === "" || wanted.endsWith("\n") ? "" : "\n";
    expect(readFileSync(path, "utf8")).toBe(wanted + eol);
  });

  test.each([
    ["broken", "a = \n", 1],
    ["a table", "[hooks]\nx = 1\n", 0],
  ])("%s is refused", async (_, text, line) => {
    const path = put(settingsFile(toml, machine.site), text);
    const { refusal } = await installOne(toml, machine.site);
    expect(refusal).toMatchObject({ file: path, line: line === 0 ? (refusal?.line ?? -1) : line });
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});

describe("members that the harness wants beside hooks", () => {
  const versioned: Adapter = { ...claude, settings: { ...claude.settings, base: { version: 1 } } };

  test("are added where they are missing, and go with the hooks", async () => {
    await installOne(versioned, machine.site);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ version: 1 });
    put(file, `${readFileSync(file, "utf8")}\n`);
    await uninstallOne(versioned, machine.site);
    expect(existsSync(file)).toBe(false);
  });

  test("go also where others have settings, but not while others have hooks", async () => {
    put(file, '{ "theirs": 1 }\n');
    await installOne(versioned, machine.site);
    put(file, readFileSync(file, "utf8").replace('"theirs": 1', '"theirs": 2'));
    await uninstallOne(versioned, machine.site);
    expect(readFileSync(file, "utf8")).toBe('{ "theirs": 2 }\n');

    await installOne(versioned, machine.site);
    const text = readFileSync(file, "utf8");
    put(file, text.replace('"hooks": {', '"hooks": { "Mine": [1],'));
    await uninstallOne(versioned, machine.site);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      theirs: 2,
      version: 1,
      hooks: { Mine: [1] },
    });
  });

  test("stay as they are, and stay for the hooks of others", async () => {
    put(file, '{ "version": 2 }\n');
    await installOne(versioned, machine.site);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ version: 2 });
    await uninstallOne(versioned, machine.site);
    expect(readFileSync(file, "utf8")).toBe('{ "version": 2 }\n');
  });
});

describe("files of our own", () => {
  const scripts: Adapter = {
    ...claude,
    settings: {
      ...claude.settings,
      files: { user: "~/.harness/hooks", project: ".harness/hooks" },
      format: "scripts",
      render: (calls) =>
        Object.fromEntries(calls.map(({ native, command }) => [native, `#!/bin/sh\n${command}\n`])),
    },
  };
  const folder = (): string => join(machine.home, ".harness/hooks");

  test("are written, executable, and go again with their folders", async () => {
    await installOne(scripts, machine.site);
    expect(readdirSync(folder())).toEqual(Object.keys(claude.surfaces).toSorted());
    expect(statSync(join(folder(), "Stop")).mode & 0o111).not.toBe(0);
    const before = traits(join(folder(), "Stop"));
    await installOne(scripts, machine.site);
    expect(traits(join(folder(), "Stop"))).toEqual(before);
    await uninstallOne(scripts, machine.site);
    expect(existsSync(join(machine.home, ".harness"))).toBe(false);
  });

  test("never take the place of somebody else's", async () => {
    const theirs = put(join(folder(), "Stop"), "#!/bin/sh\necho theirs\n");
    const { refusal } = await installOne(scripts, machine.site);
    expect(refusal).toMatchObject({ file: theirs });
    expect(readdirSync(folder())).toEqual(["Stop"]);
    await uninstallOne(scripts, machine.site);
    expect(readFileSync(theirs, "utf8")).toBe("#!/bin/sh\necho theirs\n");
  });

  test("are known without the record; an edited one is kept in the store", async () => {
    await installOne(scripts, machine.site);
    const stop = join(folder(), "Stop");
    writeFileSync(stop, "edited");
    await uninstallOne(scripts, machine.site);
    expect(existsSync(stop)).toBe(false);
    const copies = join(machine.site.store, "backups");
    expect(readdirSync(copies).map((name) => readFileSync(join(copies, name), "utf8"))).toContain(
      "edited",
    );

    await installOne(scripts, machine.site);
    rmSync(recordOf(machine.site, scripts.id, "user"));
    await uninstallOne(scripts, machine.site);
    expect(readdirSync(folder())).toEqual([]);
  });
});

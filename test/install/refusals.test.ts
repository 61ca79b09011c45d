import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { recordOf, shimOf } from "../../src/install/site.ts";
import {
  adapterWith,
  installOne,
  type Machine,
  makeMachine,
  put,
  settingsFile,
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

const nothingWritten = (): void => {
  expect(existsSync(recordOf(machine.site, claude.id, "user"))).toBe(false);
  expect(existsSync(shimOf(machine.site))).toBe(false);
};

describe("a file that cannot be edited is left alone, and it is said where and why", () => {
  test.each([
    ["cut off", '{\n  "a": 1,\n  "b": {', 3, 9, "close brace expected"],
    ["a comma too many", '{\n  "a": 1,\n}\n', 3, 1, "property name expected"],
    ["no quotes", "{\n  a: 1\n}\n", 2, 3, "invalid symbol"],
    ["a comment where none is read", '{\n  // mine\n  "a": 1\n}\n', 2, 3, "a comment"],
    ["two documents", '{}\n{"a":1}\n', 2, 1, "end of file expected"],
    ["text", "hello\n", 1, 1, "invalid symbol"],
    ["a list", '[\n  { "hooks": [] }\n]\n', 1, 1, "an object is expected here, not a list"],
    ["null", "null\n", 1, 1, "an object is expected here, not null"],
    [
      "hooks as a list",
      '{\n  "hooks": []\n}\n',
      2,
      12,
      "hooks is a list, and an object is expected",
    ],
    ["hooks as null", '{\n  "hooks": null\n}\n', 2, 12, "hooks is null"],
    [
      "an event as an object",
      '{\n  "hooks": { "Stop": {} }\n}\n',
      2,
      22,
      "hooks.Stop is an object, and a list is expected",
    ],
    ["hooks twice", '{\n  "hooks": {},\n  "hooks": {}\n}\n', 3, 3, '"hooks" is there twice'],
    ["an event twice", '{"hooks":{"Stop":[],\n"Stop":[]}}', 2, 1, '"Stop" is there twice'],
  ])("%s", async (_, text, line, column, message) => {
    put(file, text);
    const { refusal } = await installOne(claude, machine.site);
    expect(refusal).toMatchObject({
      file,
      line,
      column,
      message: expect.stringContaining(message) as string,
    });
    expect(refusal?.hint).not.toBe("");
    expect(readFileSync(file, "utf8")).toBe(text);
    nothingWritten();
  });

  test.each([
    [
      "UTF-16 LE",
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("{}", "utf16le")]),
      "UTF-16",
    ],
    ["UTF-16 BE", Buffer.from([0xfe, 0xff, 0, 0x7b, 0, 0x7d]), "UTF-16"],
    ["latin 1", Buffer.from('{"a":"\xe9"}', "latin1"), "not UTF-8"],
  ])("%s", async (_, bytes, message) => {
    put(file, bytes);
    const { refusal } = await installOne(claude, machine.site);
    expect(refusal?.message).toContain(message);
    expect(readFileSync(file)).toEqual(bytes);
    nothingWritten();
  });

  test("the old flat list of Codex", async () => {
    const legacy = '{"hooks":[{"event":"PreToolUse","command":"x"}]}';
    const path = put(settingsFile(codex, machine.site), legacy);
    const { refusal } = await installOne(codex, machine.site);
    expect(refusal).toMatchObject({ file: path, line: 1, column: 10 });
    expect(readFileSync(path, "utf8")).toBe(legacy);
  });

  test("a read-only file, and a read-only folder", async () => {
    put(file, "{}\n");
    chmodSync(file, 0o444);
    expect((await installOne(claude, machine.site)).refusal?.message).toBe("it is read-only");
    chmodSync(file, 0o600);
    chmodSync(dirname(file), 0o555);
    const { refusal } = await installOne(claude, machine.site);
    chmodSync(dirname(file), 0o755);
    expect(refusal?.message).toContain("its folder is read-only");
    expect(readFileSync(file, "utf8")).toBe("{}\n");
    nothingWritten();
    expect((await installOne(claude, machine.site)).refusal).toBeUndefined();
  });

  test("a link to nowhere, a circle of links, a folder, a file in place of the folder", async () => {
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync("gone.json", file);
    expect((await installOne(claude, machine.site)).refusal?.message).toContain("not there");
    expect(readlinkSync(file)).toBe("gone.json");
    const round = settingsFile(codex, machine.site);
    mkdirSync(dirname(round), { recursive: true });
    symlinkSync("hooks.json", round);
    expect((await installOne(codex, machine.site)).refusal?.message).toContain("circle");
    mkdirSync(join(machine.root, ".claude/settings.json"), { recursive: true });
    expect((await installOne(claude, machine.site, "project")).refusal?.message).toContain(
      "not a file",
    );
    writeFileSync(join(machine.root, ".codex"), "");
    expect((await installOne(codex, machine.site, "project")).refusal?.message).toContain(
      "folder should be",
    );
  });

  test("a link in a repository that leads out of it", async () => {
    const outside = put(join(machine.home, ".claude/settings.json"), '{ "mine": 1 }\n');
    const inside = join(machine.root, ".claude/settings.json");
    mkdirSync(dirname(inside), { recursive: true });
    symlinkSync(outside, inside);
    expect((await installOne(claude, machine.site, "project")).refusal?.message).toContain(
      "leads out of the project",
    );
    expect(readFileSync(outside, "utf8")).toBe('{ "mine": 1 }\n');
  });

  test("so is a folder of a repository", async () => {
    symlinkSync(machine.home, join(machine.root, ".claude"));
    expect((await installOne(claude, machine.site, "project")).refusal?.message).toContain(
      "leads out of the project",
    );
    expect(existsSync(join(machine.home, "settings.json"))).toBe(false);
  });

  test("a file that broke after the install cannot be cleaned, and says so", async () => {
    put(file, "{}\n");
    await installOne(claude, machine.site);
    const broken = `${readFileSync(file, "utf8")}oops`;
    writeFileSync(file, broken);
    const { refusal } = await uninstallOne(claude, machine.site);
    expect(refusal?.line).toBeGreaterThan(1);
    expect(readFileSync(file, "utf8")).toBe(broken);
    expect(existsSync(recordOf(machine.site, claude.id, "user"))).toBe(true);
  });
});

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { CLI, makeProject, type Project } from "./_dispatch.ts";

/** Nothing is unreadable for root, so somebody else must look: who nobody is. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let project: Project;
afterEach(() => project.remove());

const script = (name: string): string =>
  `#!/bin/sh\n# Hook: ${name}\n# Event: PreToolUse\nexit 0\n`;
const MODULE = 'export default { name: "mod", event: "PreToolUse", run() {} };\n';

function shared(): Project {
  const made = makeProject({
    ".anyhook/hooks/a.sh": script("first"),
    ".anyhook/hooks/b.sh": script("second"),
    ".anyhook/hooks/m.mjs": MODULE,
  });
  chmodSync(made.base, 0o755);
  const folder = join(made.base, "nobody");
  mkdirSync(folder);
  chownSync(folder, NOBODY, NOBODY);
  return made;
}

interface Listed {
  readonly name: string;
  readonly state: string;
  readonly why: string;
}

function asNobody(...args: string[]): { stdout: string; stderr: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: project.root,
    env: { ...project.env, HOME: join(project.base, "nobody") },
    uid: NOBODY,
    gid: NOBODY,
    encoding: "utf8",
  });
  return { stdout, stderr };
}

const listed = (): Listed[] => {
  const { stdout, stderr } = asNobody("list", "--json");
  expect(stderr).toBe("");
  const { hooks } = JSON.parse(stdout) as { hooks: Listed[] };
  return hooks.map(({ name, state, why }) => ({ name, state, why }));
};

const fine = (name: string): Listed => ({ name, state: "active", why: "" });

describe.skipIf(!isRoot)("what this user may not read is reported, and goes on as it was", () => {
  test.each([
    ["a.sh", "first", 0o000],
    ["a.sh", "first", 0o711],
    ["m.mjs", "mod", 0o600],
  ] as const)("%s of hook %s with mode %s", (file, hook, mode) => {
    project = shared();
    const others = ["first", "mod", "second"].filter((name) => name !== hook).map(fine);
    expect(listed().toSorted(byName)).toEqual([...others, fine(hook)].toSorted(byName));
    chmodSync(join(project.root, ".anyhook/hooks", file), mode);
    expect(asNobody("validate").stdout).toMatch(
      new RegExp(`^\\.anyhook/hooks/${file}.*error: .*cannot be read`, "m"),
    );
    const now = listed();
    expect(now.filter(({ state }) => state === "active").toSorted(byName)).toEqual(others);
    expect(now.find(({ name }) => name === hook)?.why).toMatch(/its last good version goes on$/);
  });

  test("a script that could never be read is listed", () => {
    project = shared();
    chmodSync(join(project.root, ".anyhook/hooks/a.sh"), 0o711);
    const bad = listed().filter(({ state }) => state !== "active");
    expect(bad).toMatchObject([{ name: "a", state: "bad" }]);
    expect(bad[0]?.why).toContain("cannot be read");
  });

  test.each([[".anyhook"], [".anyhook/hooks"]])("the folder %s", (folder) => {
    project = shared();
    const before = listed();
    expect(before.toSorted(byName)).toEqual(["first", "mod", "second"].map(fine));
    chmodSync(join(project.root, folder), 0o700);
    expect(asNobody("validate").stdout).toMatch(/error: the folder cannot be read/);
    expect(
      listed()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["first", "mod", "second"]);
    chmodSync(join(project.root, folder), 0o755);
    expect(listed()).toEqual(before);
  });
});

const byName = (a: Listed, b: Listed): number => (a.name < b.name ? -1 : 1);

describe("list and validate agree about what is broken", () => {
  test("a hook that cannot run is listed with its reason and not counted", () => {
    project = makeProject({
      ".anyhook/hooks/good.sh": script("good"),
      ".anyhook/hooks/bad-syntax.ts": "export default { event: ;\n",
      ".anyhook/hooks/throws.mjs": 'throw new Error("at load");\nexport default {};\n',
      ".anyhook/hooks/plain.sh": script("plain"),
      ".anyhook/hooks.yaml":
        "hooks:\n  - { name: gone, events: PreToolUse, module: gone.ts }\n  - { name: gone-too, module: gone.ts }\n",
    });
    chmodSync(join(project.root, ".anyhook/hooks/plain.sh"), 0o644);
    const { hooks } = JSON.parse(project.cli("list", "--json").stdout) as { hooks: Listed[] };
    expect(
      Object.fromEntries(hooks.map(({ name, state, why }) => [name, `${state}: ${why}`])),
    ).toEqual({
      good: "active: ",
      plain: "bad: not executable",
      gone: expect.stringMatching(/^bad: .*there is no such file$/) as string,
      "gone-too": "bad: says no event, so it would never run",
      "bad-syntax": 'bad: Unexpected ";"',
      throws: "bad: it throws when loaded: at load",
    });
    const text = project.cli("list").stdout;
    expect(text.slice(text.indexOf("Not running"))).toMatch(/bad-syntax[^]*throws/);
    expect(project.cli("validate").stdout).toMatch(/; 1 hook can run\.\n$/);
  });
});

import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { strongOnly } from "../src/compile/strong-only.ts";
import { dispatch, makeProject, payloadOf, type Lane, type Project } from "./_dispatch.ts";

const REAL: Lane = { name: "dash", shell: ["dash"], real: true };
const DEEP = 6000;
const brackets = "[".repeat(DEEP) + "]".repeat(DEEP);

const guard = (name: string): string =>
  `#!/bin/sh\n# Hook: ${name}\n# Event: PreToolUse\n# OnFailure: block\necho ${name} says no >&2; exit 2\n`;

let project: Project;
afterEach(() => project?.remove());

type Plant = (root: string) => void;

const text =
  (name: string, content: string): Plant =>
  (root) =>
    writeFileSync(join(root, name), content);

const sparse =
  (name: string): Plant =>
  (root) => {
    writeFileSync(join(root, name), "");
    truncateSync(join(root, name), 3 * 2 ** 30);
  };

const MODULE = 'import y from "./_z.ts";\nexport default { event: "PreToolUse", run: () => y };\n';

const PLANTS: [string, Plant, RegExp][] = [
  ["deep settings.json", text("settings.json", `{"hooks":${brackets}}`), /settings.json.*nested/],
  ["deep hooks.json", text("hooks.json", `{"hooks":${brackets}}`), /hooks.json.*nested/],
  ["deep hooks.yaml", text("hooks.yaml", `hooks: ${brackets}`), /hooks.yaml.*nested/],
  ["deep dashes", text("hooks.yaml", `hooks:\n  ${"- ".repeat(DEEP)}x`), /hooks.yaml.*nested/],
  ["deep front matter", text("n.md", `---\nsurface: hook\nx: ${brackets}\n---\n`), /n.md.*nested/],
  ["a hooks.yaml of gigabytes", sparse("hooks.yaml"), /hooks.yaml.*too large/],
  ["a settings.json of gigabytes", sparse("settings.json"), /settings.json.*too large/],
  ["a module of gigabytes", sparse("hooks/big.ts"), /big.ts.*too large/],
  [
    "an event with a name of 300 kB",
    text(
      "hooks.yaml",
      `hooks:\n  - { name: x, events: ${"E".repeat(300_000)}, command: "true" }\n`,
    ),
    /hooks.yaml.*unknown event|hooks.yaml.*no event/,
  ],
  [
    "a hook with a name of 300 kB",
    text(
      "hooks.yaml",
      `hooks:\n  - { name: ${"n".repeat(300_000)}, events: Stop, command: "true" }\n`,
    ),
    /hooks.yaml.*cannot be a name/,
  ],
  [
    "a module that imports a device",
    (root) => {
      symlinkSync("/dev/zero", join(root, "hooks/_z.ts"));
      writeFileSync(join(root, "hooks/t.ts"), MODULE);
    },
    /t.ts.*not a regular file/,
  ],
];

describe("a repository cannot switch off what stands above it", () => {
  test.each(PLANTS)("%s", (_, plant, notice) => {
    project = makeProject({
      "etc/hooks/managed.sh": guard("managed"),
      "home/.config/anyhook/hooks/user.sh": guard("user"),
      ".anyhook/hooks/own.sh": guard("own"),
    });
    plant(join(project.root, ".anyhook"));
    const payload = payloadOf("claude-code", "PreToolUse--Bash", project);
    const { stdout, stderr, status } = dispatch(
      project,
      REAL,
      "claude-code",
      "PreToolUse",
      payload,
    );
    expect(`${stdout}${stderr}${status}`).toContain("managed says no");
    const names = project.cli("list", "--json").stdout;
    expect(
      (JSON.parse(names) as { hooks: { name: string; state: string }[] }).hooks
        .filter(({ state }) => state === "active")
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["managed", "own", "user"]);
    expect(project.cli("validate").stdout.replaceAll("\n", " ")).toMatch(notice);
  });

  test("a pipe is no file of hooks, and nobody waits for it", () => {
    project = makeProject({ "etc/hooks/managed.sh": guard("managed") });
    mkdirSync(join(project.root, ".anyhook/hooks"));
    for (const name of ["settings.json", "hooks/a.sh", "hooks/b.ts"])
      expect(spawnSync("mkfifo", [join(project.root, ".anyhook", name)]).status).toBe(0);
    const payload = payloadOf("claude-code", "PreToolUse--Bash", project);
    const { stdout, stderr } = dispatch(project, REAL, "claude-code", "PreToolUse", payload);
    expect(stdout + stderr).toContain("managed says no");
  });
});

test("ordinary depth is no mistake", () => {
  const levels = 20;
  const nested = '{ "a": '.repeat(levels) + "1" + " }".repeat(levels);
  project = makeProject({
    ".anyhook/hooks.yaml": `hooks:\n  - { name: a, events: PreToolUse, command: "true", x: ${nested} }\n`,
  });
  expect(project.cli("validate").stdout).not.toContain("nested");
  expect(project.cli("list").stdout).toContain("hooks.yaml");
});

describe("a project that breaks the compiler itself", () => {
  const roots = (["managed", "local", "project", "user"] as const).map((layer) => ({
    layer,
    root: `/${layer}`,
  }));
  const input = { roots, projectRoot: "/work", libraryFile: "", nodePath: "" };
  const breaking = async (given: typeof input): Promise<{ layers: string[]; diagnostics: [] }> => {
    const layers = given.roots.map(({ layer }) => layer);
    if (layers.includes("project")) throw new RangeError("too much");
    return { layers, diagnostics: [] };
  };

  test("managed and user hooks are compiled without it, and it is said", async () => {
    expect(await strongOnly(breaking, input)).toEqual({
      layers: ["managed", "user"],
      diagnostics: [
        {
          file: "/work/.anyhook",
          line: 0,
          severity: "error",
          code: "project-not-compiled",
          message: "the project's hooks could not be compiled and do not run: too much",
          hint: "managed and user hooks run",
          hook: "",
        },
      ],
    });
  });

  test("without a project there is nothing to leave out", async () => {
    const failing = async (): Promise<never> => {
      throw new RangeError("too much");
    };
    await expect(strongOnly(failing, { ...input, roots: [roots[0]!] })).rejects.toThrow("too much");
  });
});

test("no file name, hook name or message steers the terminal or makes up lines", () => {
  project = makeProject({
    ".anyhook/hooks/a\u001b[2Jb\u0007.sh": "#!/bin/sh\n# Event: PreToolUse\nexit 0\n",
    ".anyhook/hooks/c\n0 errors.sh": "#!/bin/sh\n# Hook: named\n# Event: PreToolUse\nexit 0\n",
    ".anyhook/hooks/d\n0 errors.sh": "#!/bin/sh\n# Event: PreToolUse\nexit 0\n",
  });
  for (const verb of [["validate"], ["list"], ["status"], ["explain", "named"]]) {
    const { stdout, stderr } = project.cli(...verb);
    expect(stdout, verb[0]).toMatch(/named|\ufffd/);
    expect(stdout + stderr, verb[0]).not.toMatch(/[\u001b\u0007]|^0 errors/m);
  }
  const payload = payloadOf("claude-code", "PreToolUse--Bash", project);
  const { stdout } = dispatch(project, REAL, "claude-code", "PreToolUse", payload);
  expect(stdout).not.toContain("\\u001b");
  expect(JSON.parse(project.cli("list", "--json").stdout)).toMatchObject({
    hooks: expect.arrayContaining([
      expect.objectContaining({ name: "named", source: ".anyhook/hooks/c\n0 errors.sh:2" }),
    ]) as unknown,
  });
});

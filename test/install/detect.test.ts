import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { detect } from "../../src/install/detect.ts";
import { compareVersions, versionIn } from "../../src/install/compare-versions.ts";

interface Machine {
  /** Below HOME. */
  readonly files?: readonly string[];
  /** Program on PATH → what it prints for --version. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A throw-away home and PATH; nothing of this machine shows through. */
function machine({ files = [], programs = {}, env = {} }: Machine): Record<string, string> {
  const home = mkdtempSync(join(tmpdir(), "anyhook-detect-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const file of files) put(join(home, file), "{}");
  for (const [name, version] of Object.entries(programs)) {
    put(join(home, "bin", name), `#!/bin/sh\necho '${version}'\n`);
    chmodSync(join(home, "bin", name), 0o755);
  }
  const filled = Object.entries(env).map(
    ([key, value]) => [key, value.replace("~", home)] as const,
  );
  return { HOME: home, PATH: join(home, "bin"), ...Object.fromEntries(filled) };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const CLAUDE = ".claude/settings.json";
const CODEX = ".codex/config.toml";

/** G1: environment × files × versions → runtime and reason. */
const MATRIX: readonly [string, Machine, string, RegExp][] = [
  ["nothing at all", {}, "manual", /no harness was found/],
  ["Claude's settings", { files: [CLAUDE] }, "claude-code", /~\/\.claude\/settings\.json exists/],
  [
    "a Claude plugin",
    { env: { CLAUDE_PLUGIN_ROOT: "/p" } },
    "claude-code",
    /CLAUDE_PLUGIN_ROOT is set/,
  ],
  [
    "a Codex plugin sets both names",
    { env: { CLAUDE_PLUGIN_ROOT: "/p", PLUGIN_ROOT: "/p" } },
    "manual",
    /no harness was found/,
  ],
  [
    "CLAUDE_PROJECT_DIR alone says nothing",
    { env: { CLAUDE_PROJECT_DIR: "/p" } },
    "manual",
    /no harness/,
  ],
  [
    "CODEX_HOME and a Codex with hooks",
    { env: { CODEX_HOME: "~/c" }, programs: { codex: "codex-cli 0.115.0" } },
    "codex-native",
    /CODEX_HOME is set.*0\.115\.0 has hooks/,
  ],
  [
    "a newer Codex in its usual folder",
    { files: [CODEX], programs: { codex: "codex-cli 0.166.0" } },
    "codex-native",
    /0\.166\.0 has hooks \(since 0\.115\.0\)/,
  ],
  [
    "CODEX_HOME and an old Codex",
    { env: { CODEX_HOME: "~/c" }, programs: { codex: "codex-cli 0.114.9" } },
    "codex-hookless",
    /0\.114\.9 has no hooks: they exist since 0\.115\.0/,
  ],
  [
    "config.toml and an old Codex",
    { files: [CODEX], programs: { codex: "codex-cli 0.98.0" } },
    "codex-hookless",
    /0\.98\.0 has no hooks/,
  ],
  [
    "a preview of the first version with hooks",
    { files: [CODEX], programs: { codex: "codex-cli 0.115.0-alpha.2" } },
    "codex-hookless",
    /0\.115\.0-alpha\.2 has no hooks/,
  ],
  [
    "config.toml and no program: no parity that was not verified",
    { files: [CODEX] },
    "codex-hookless",
    /no codex on PATH, so its version is unknown/,
  ],
  [
    "a program that says nothing of a version",
    { files: [CODEX], programs: { codex: "hello" } },
    "codex-hookless",
    /version could not be found out/,
  ],
  [
    "both: Claude first",
    { files: [CLAUDE, CODEX], programs: { codex: "codex-cli 0.166.0" } },
    "claude-code",
    /settings\.json exists/,
  ],
  [
    "hooks before none",
    {
      env: { CLAUDE_CODE_SESSION_ID: "" },
      files: [CODEX],
      programs: { codex: "codex-cli 0.1.0", claude: "2.1.325 (Claude Code)" },
    },
    "claude-code",
    /bin\/claude/,
  ],
];

describe("the runtime", () => {
  test.each(MATRIX)("the runtime of %s", (_, described, name, why) => {
    const { runtime } = detect(ADAPTERS, machine(described));
    expect(runtime.name).toBe(name);
    expect(runtime.why).toMatch(why);
  });
});

describe("each harness", () => {
  test.each(ADAPTERS.map((adapter) => [adapter.id, adapter] as const))(
    "%s is absent from an empty machine, and found by its program or its first trace",
    (id, adapter) => {
      const find = (described: Machine) =>
        detect(ADAPTERS, machine(described)).harnesses.find((one) => one.id === id)!;
      expect(find({})).toMatchObject({ capability: "absent", seen: { program: "", traces: [] } });
      const [program] = adapter.presence.programs;
      if (program !== undefined) {
        const found = find({ programs: { [program]: "v99.1.2" } });
        expect(found).toMatchObject({ capability: "native", seen: { version: "99.1.2" } });
        expect(found.why).toContain(`bin/${program}`);
      }
      const trace = adapter.presence.traces.find((one) => one.startsWith("~/"));
      if (trace !== undefined)
        expect(find({ files: [join(trace.slice(2), "x")] }).capability).not.toBe("absent");
      expect(program !== undefined || trace !== undefined).toBe(true);
    },
  );
});

describe("the version", () => {
  test("is that of the package which the program lies in: nothing is started", () => {
    const env = machine({});
    const pack = join(env["HOME"]!, "lib/node_modules/@openai/codex");
    put(join(pack, "package.json"), JSON.stringify({ name: "@openai/codex", version: "0.166.0" }));
    put(join(pack, "bin/codex.js"), "#!/bin/sh\nexit 9\n");
    chmodSync(join(pack, "bin/codex.js"), 0o755);
    mkdirSync(env["PATH"]!, { recursive: true });
    symlinkSync(join(pack, "bin/codex.js"), join(env["PATH"]!, "codex"));
    const codex = detect(ADAPTERS, env).harnesses.find(({ id }) => id === "codex");
    expect(codex).toMatchObject({ capability: "native", seen: { version: "0.166.0" } });
  });

  /** As npm leaves it with --omit=optional or --ignore-scripts: the text is the client's own. */
  const STUB = 'echo "Error: claude native binary not installed." >&2\nexit 1\n';
  const LAUNCHER =
    '#!/bin/sh\n# looks for its second package\necho "Missing optional dependency @openai/codex" >&2\nexit 1\n';
  const native = `${process.platform}-${process.arch}`;

  function npmProgram(program: string, text: string, more: object): Record<string, string> {
    const env = machine({});
    const pack = join(env["HOME"]!, "lib/node_modules/pack");
    put(join(pack, "package.json"), JSON.stringify({ name: "pack", version: "9.1.2", ...more }));
    put(join(pack, "bin/start"), text);
    chmodSync(join(pack, "bin/start"), 0o755);
    mkdirSync(env["PATH"]!, { recursive: true });
    symlinkSync(join(pack, "bin/start"), join(env["PATH"]!, program));
    return env;
  }

  test.each([
    ["claude", "claude-code", STUB, {}, "Error: claude native binary not installed."],
    [
      "codex",
      "codex",
      LAUNCHER,
      { optionalDependencies: { [`@openai/codex-${native}`]: "9.1.2" } },
      "Missing optional dependency @openai/codex",
    ],
    ["gemini", "gemini", "#!/bin/sh\nkill -ILL $$\n", { name: null }, "it is ended by SIGILL"],
    ["opencode", "opencode", "#!/no/such/interpreter\n", { name: null }, "ENOENT"],
  ])("%s that cannot start is broken, in its own words", (program, id, text, more, words) => {
    const env = npmProgram(program, text, more);
    const found = () => detect(ADAPTERS, env);
    const one = () => found().harnesses.find((harness) => harness.id === id)!;
    expect(one()).toMatchObject({ capability: "broken" });
    expect(one().why).toMatch(/bin\/\w+ cannot start: /);
    expect(one().why).toContain(words);
    expect(found().runtime).toMatchObject({
      name: "manual",
      why: expect.stringContaining("no harness was found that can start") as string,
    });
    rmSync(join(env["PATH"]!, program));
    put(join(env["PATH"]!, program), "#!/bin/sh\necho 9.1.2\n");
    chmodSync(join(env["PATH"]!, program), 0o755);
    expect(one()).toMatchObject({ capability: "native", seen: { version: "9.1.2" } });
  });

  test("an optional package that is really optional is no reason to call a client broken", () => {
    const optionalDependencies = { [`@lydell/node-pty-${native}`]: "1.1.0" };
    const env = npmProgram("gemini", "#!/bin/sh\necho 9.1.2\n", { optionalDependencies });
    const gemini = detect(ADAPTERS, env).harnesses.find(({ id }) => id === "gemini");
    expect(gemini).toMatchObject({ capability: "native", seen: { version: "9.1.2" } });
  });

  test.each([
    ["2.1.325 (Claude Code)", "2.1.325"],
    ["codex-cli 0.166.0", "0.166.0"],
    ["v1.5", "1.5"],
    ["nothing", ""],
  ])("in %j", (text, version) => expect(versionIn(text)).toBe(version));

  test.each([
    ["0.115.0", "0.114.9", 1],
    ["0.115.0", "0.115.0", 0],
    ["0.9.0", "0.115.0", -1],
    ["1.0", "1.0.1", -1],
    ["1.0.0-rc.1", "1.0.0", -1],
  ])("%s against %s", (a, b, sign) => expect(Math.sign(compareVersions(a, b))).toBe(sign));
});

describe("inside a hook", () => {
  const here = (env: Record<string, string>) => detect(ADAPTERS, { ...machine({}), ...env }).here;

  test("the baked-in harness is cross-checked by the environment", () => {
    expect(here({})).toBeUndefined();
    const inside = { CLAUDE_CODE_SESSION_ID: "s", CLAUDE_PROJECT_DIR: "/p" };
    expect(here({ ...inside, ANYHOOK_HARNESS: "claude-code" })).toEqual({
      called: "claude-code",
      environment: ["claude-code"],
      agrees: true,
    });
  });

  test("a harness that sets nothing is not contradicted by what it inherited", () => {
    expect(here({ CLAUDE_CODE_SESSION_ID: "s", ANYHOOK_HARNESS: "codex" })).toMatchObject({
      environment: ["claude-code"],
      agrees: true,
    });
  });
});

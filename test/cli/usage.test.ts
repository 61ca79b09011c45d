import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { VERBS } from "../../src/cli/_verbs.ts";
import { REPO } from "../_dispatch.ts";
import { place } from "./_cli.ts";

describe("help", () => {
  test("the overview names every verb once, within 80 columns where it is prose", () => {
    const { out, exit } = place().run("--help");
    expect(exit).toBe(0);
    for (const verb of Object.keys(VERBS)) {
      expect(out.match(new RegExp(`^  ${verb}\\b`, "gm")), verb).toHaveLength(1);
    }
    const verbs = out.slice(0, out.indexOf("Every verb takes")).split("\n");
    expect(Math.max(...verbs.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test.each(Object.keys(VERBS))("%s has a page, in three spellings", (verb) => {
    const { run } = place();
    const page = run("help", verb);
    expect(page.exit).toBe(0);
    expect(page.out).toContain(`anyhook ${verb}`);
    expect(page.out).toContain(VERBS[verb]!.summary);
    for (const option of Object.keys(VERBS[verb]!.options ?? {}))
      expect(page.out).toContain(`--${option}`);
    expect(run(verb, "--help")).toEqual(page);
    expect(run(verb, "-h")).toEqual(page);
  });

  test("no arguments at all is a question for help", () => {
    const { run } = place();
    expect(run()).toEqual(run("help"));
  });

  test("as JSON it is a table of the verbs", () => {
    const verbs = place().json("help")["verbs"] as { name: string }[];
    expect(verbs.map(({ name }) => name)).toEqual(Object.keys(VERBS));
  });

  test("about an unknown verb", () => {
    const { out, err, exit } = place().run("help", "explian");
    expect({ out, exit }).toEqual({ out: "", exit: 2 });
    expect(err).toContain("did you mean explain?");
  });
});

test.each(Object.entries(VERBS))("docs/cli.md tells about %s and its options", (verb, facts) => {
  const page = readFileSync(join(REPO, "docs/cli.md"), "utf8");
  const sections = page.split(/^### /m).slice(1);
  const section = sections.find((text) => new RegExp(`^[^\\n]*\`${verb}\\b`).test(text));
  expect(section).toBeDefined();
  for (const option of Object.keys(facts.options ?? {})) expect(section).toContain(`--${option}`);
});

test("--version", () => {
  const { run, json } = place();
  expect(run("--version").out).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  expect(json("--version")).toEqual({ version: run("--version").out.trim() });
});

describe("wrong usage exits 2, says what was meant, and prints nothing else", () => {
  test.each([
    ["an unknown verb", ["lst"], 'there is no verb "lst"', "did you mean list?"],
    ["nothing like it", ["frobnicate"], 'there is no verb "frobnicate"', "anyhook --help"],
    ["an unknown option", ["list", "--jsn"], "no option --jsn", "did you mean --json?"],
    ["an unknown short option", ["list", "-x"], "no option -x", "anyhook list --help"],
    ["an option before any verb", ["--bogus"], "anyhook has no option --bogus", "anyhook --help"],
    ["one word too many", ["list", "all"], 'list does not take "all"', "anyhook list"],
    ["one word too few", ["explain"], "explain needs <hook>", "anyhook explain <hook>"],
    ["two words too few", ["simulate", "claude"], "simulate needs <event>", "<harness> <event>"],
    ["a value that is missing", ["list", "-C"], "needs a value", ""],
    ["a value for a switch", ["list", "--json=1"], "does not take an argument", ""],
    ["no folder", ["list", "-C", "/nowhere/at/all"], "/nowhere/at/all is not a folder", ""],
    ["no number", ["log", "-n", "many"], '-n takes a number, not "many"', ""],
    ["an unknown verdict", ["log", "--verdict", "dney"], 'no verdict "dney"', "did you mean deny?"],
    ["an unknown path", ["path", "stoer"], 'there is no path "stoer"', "did you mean store?"],
  ])("%s", (_, args, message, hint) => {
    const { out, err, exit } = place().run(...args);
    expect({ out, exit }).toEqual({ out: "", exit: 2 });
    expect(err).toContain(message);
    expect(err).toContain(hint);
  });

  test("with --json the error is a document as well", () => {
    const { out, exit } = place().run("lst", "--json");
    expect(exit).toBe(2);
    expect(JSON.parse(out)).toEqual({
      error: { code: "usage", message: 'there is no verb "lst"', hint: "did you mean list?" },
    });
  });
});

describe("the table of exits in docs/cli.md", () => {
  const page = readFileSync(join(REPO, "docs/cli.md"), "utf8");
  const told = [...page.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, exit]) => Number(exit));
  const broken = { ".anyhook/hooks.yaml": "hooks:\n  - { name: x, events: [Stopp] }\n" };
  const nobody = { PATH: "/usr/bin:/bin" };
  const CASES: readonly [number, readonly string[]][] = [
    [0, ["help"]],
    [0, ["install", "--harness", "claude", "--dry-run"]],
    [1, ["validate"]],
    [1, ["explain", "nobody"]],
    [1, ["why", "0"]],
    [1, ["simulate", "codex", "TaskCompleted"]],
    [1, ["install", "--harness", "codex", "--scope", "local"]],
    [1, ["prove", "--harness", "cursor"]],
    [1, ["dispatch", "claud", "Stop"]],
    [2, ["simulate", "claud", "Stop"]],
    [2, ["simulate", "claude", "Stopp"]],
    [2, ["install", "--harness", "claud"]],
    [2, ["install", "--harness", "claude", "--scope", "everywhere"]],
    [2, ["install", "--harness", "claude"]],
    [2, ["prove", "--harness", "claud"]],
    [2, ["prove", "--event", "Stopp", "--harness", "claude"]],
    [2, ["contract", "claud"]],
    [2, ["contract", "--event", "Stopp"]],
    [2, ["doctor", "--harness", "claud"]],
    [2, ["uninstall", "--harness", "claud"]],
    [2, ["import", "--harness", "claud"]],
    [2, ["lifecycle", "claud", "start"]],
    [2, ["lifecycle", "claude", "begin"]],
    [2, ["validate", "--runtime", "claud"]],
    [2, ["gate", "pre-push"]],
    [2, ["path", "somewhere"]],
  ];

  test.each(CASES)("%s: %j", (exit, args) => {
    const { project, runWith } = place(broken);
    expect(runWith({ env: { ...project.env, ...nobody } }, ...args).exit).toBe(exit);
  });

  test("names them all", () => {
    // 3 is shown below, 130 by `log -f` and `prove`.
    expect(told).toEqual([...new Set([...CASES.map(([exit]) => exit), 3, 130])]);
  });
});

describe("faults exit 3", () => {
  const bare = { PATH: "/usr/bin:/bin" };

  test("without HOME there is no store", () => {
    const { out, err, exit } = place().runWith({ env: bare }, "status");
    expect({ out, exit }).toEqual({ out: "", exit: 3 });
    expect(err).toBe(
      "anyhook: cannot tell where the store is: HOME is not set\n  set HOME or ANYHOOK_HOME\n",
    );
  });

  test("what needs no store works without HOME", () => {
    const { out, exit } = place().runWith({ env: bare }, "path", "dispatch");
    expect(exit).toBe(0);
    expect(out).toMatch(/shell\/dispatch\.sh\n$/);
  });

  test("a store that cannot be made; the stack only on request", () => {
    const here = place({ file: "" });
    const env = { ...here.project.env, ANYHOOK_HOME: `${here.project.root}/file/store` };
    const quiet = here.runWith({ env }, "list");
    expect(quiet.exit).toBe(3);
    expect(quiet.err).toContain(`${here.project.root}/file/store`);
    expect(quiet.err).not.toContain("    at ");
    const traced = here.runWith({ env: { ...env, ANYHOOK_TRACE: "1" } }, "list");
    expect(traced.err).toContain("    at ");
  });
});

describe("where the project is", () => {
  test("options that every verb takes may stand before it", () => {
    const { project, runWith } = place();
    const elsewhere = { cwd: project.base };
    expect(runWith(elsewhere, "-C", project.root, "path", "project").out).toBe(`${project.root}\n`);
    expect(runWith(elsewhere, "path", "project", "--project", project.root).out).toBe(
      `${project.root}\n`,
    );
    expect(runWith(elsewhere, "path", "project").exit).toBe(1);
  });

  test("no colour without a terminal", () => {
    const { run } = place();
    expect(run("--help").out).not.toContain("\u001b");
  });
});

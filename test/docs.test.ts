import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { SETTINGS } from "../src/compile/settings-keys.ts";
import { CLI, DISPATCH, makeProject, payloadOf, REPO, type Project } from "./_dispatch.ts";
import { blocksOf, deadLinks, pagesBelow, verbsIn, type Page } from "./_markdown.ts";

const pages = pagesBelow(REPO);
const page = (file: string): Page => pages.find((one) => one.file === file)!;
const block = (file: string, language: string, part: string): string =>
  blocksOf(page(file).text).find((one) => one.language === language && one.code.includes(part))!
    .code;

const projects: Project[] = [];
afterAll(() => projects.forEach((project) => project.remove()));
function project(files: Readonly<Record<string, string>> = {}): Project {
  const made = makeProject(files);
  projects.push(made);
  return made;
}

describe("what the pages say is there", () => {
  test("every link to a file or a heading resolves", () => {
    expect(pages.length).toBeGreaterThan(25);
    expect(pages.flatMap((one) => deadLinks(REPO, one))).toEqual([]);
  });

  test("a dead link would be found", () => {
    const text = "[a](gone.md) [b](README.md#no-such-heading) [c](README.md#status) `[d](gone.md)`";
    expect(deadLinks(REPO, { file: "x.md", text })).toEqual([
      "x.md: gone.md",
      "x.md: README.md#no-such-heading",
    ]);
  });

  test("every verb that is named exists", () => {
    const { stdout } = spawnSync(process.execPath, [CLI, "help", "--json"], { encoding: "utf8" });
    const known = (JSON.parse(stdout) as { verbs: { name: string }[] }).verbs.map(
      ({ name }) => name,
    );
    const named = pages.flatMap(({ file, text }) =>
      verbsIn(text).map((verb) => `${file}: ${verb}`),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((one) => !known.includes(one.split(": ")[1]!))).toEqual([]);
    expect(verbsIn("`anyhook fly`\n```sh\nanyhook swim --far\n```\nanyhook runs")).toEqual([
      "swim",
      "fly",
    ]);
  });

  test("every variable that is named is read somewhere", () => {
    const sources = ["src", "shell"].map((folder) => textBelow(join(REPO, folder))).join("\n");
    const named = new Set(
      pages.flatMap(({ text }) => text.match(/\bANYHOOK_[A-Z][A-Z_]*[A-Z]\b/g) ?? []),
    );
    expect(named.size).toBeGreaterThan(8);
    expect([...named].filter((name) => !sources.includes(name))).toEqual([]);
  });

  test("every setting has its section, and no other", () => {
    const sections = [...page("docs/settings.md").text.matchAll(/^## `(\w+)`$/gm)].map(
      ([, key]) => key!,
    );
    expect(sections.toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
  });

  test("README's table and the changes know every harness", () => {
    const row = (head: string): string =>
      page("README.md")
        .text.split("\n")
        .find((line) => line.startsWith(`| ${head}`))!;
    const named = (head: string): string[] =>
      row(head)
        .split("|")[2]!
        .split(/[,;]/)
        .map((name) => short(name.trim()));
    const short = (title: string): string => title.replace(/^GitHub | agent\b| CLI$/g, "");
    const titles = (isProven: boolean): string[] =>
      ADAPTERS.filter(({ evidence }) => (evidence === "proven") === isProven).map(({ title }) =>
        short(title),
      );
    expect(named("driven for real").toSorted()).toEqual(titles(true).toSorted());
    expect(named("from their source").map(short).toSorted()).toEqual(titles(false).toSorted());
    const words = "twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
    const [, all] = /one dispatcher for (\w+) harnesses/.exec(page("CHANGELOG.md").text)!;
    expect(words.indexOf(all!) + 12).toBe(ADAPTERS.length);
  });

  test("every decision is in the list", () => {
    const files = readdirSync(join(REPO, "docs/decisions")).filter((name) => /^\d{4}-/.test(name));
    const list = page("docs/decisions/README.md").text;
    expect(files.filter((name) => !list.includes(`(${name})`))).toEqual([]);
  });
});

test("nothing speaks of one machine", () => {
  const words = [
    /(?<![\w.~-])\/work\b/,
    /\/root\//,
    /\/Users\/\w+\//,
    /\bregistry\.\w+\.\w+/,
    /(?<![\w&/])#\d{2,}\b/,
  ];
  const found = (text: string): string[] => words.flatMap((word) => word.exec(text)?.[0] ?? []);
  const folders = ["src", "shell", "scripts", "examples", ".ci"].map((name) => join(REPO, name));
  const texts = [...pages, ...folders.map((folder) => ({ file: folder, text: textBelow(folder) }))];
  expect(texts.flatMap(({ file, text }) => found(text).map((word) => `${file}: ${word}`))).toEqual(
    [],
  );
  expect(found(["see", "#1234", "in", "/work"].join(" "))).toHaveLength(2);
});

describe("what the pages show works", () => {
  /** Those that speak Claude's form, so that one payload can be changed for all of them. */
  const SPOKEN = ADAPTERS.filter(({ id }) =>
    existsSync(join(REPO, "test/fixtures", id, "payloads/PreToolUse--Bash.json")),
  );
  const FORCED = { tool_input: { command: "git push --force" } };
  const push = (
    made: Project,
    harness: string,
    command: string = DISPATCH,
  ): ReturnType<typeof spawnSync> =>
    spawnSync("sh", ["-c", `'${command}' ${harness} PreToolUse`], {
      cwd: made.root,
      env: made.env,
      input: payloadOf(harness, "PreToolUse--Bash", made, FORCED),
      encoding: "utf8",
    });

  test("README: the first hook, as it stands there", () => {
    const made = project();
    const script = block("README.md", "sh", "no-force-push.sh").replace("cd your-project\n", "");
    expect(spawnSync("sh", ["-c", script], { cwd: made.root }).status).toBe(0);
    for (const { id } of SPOKEN) {
      const { status, stderr } = push(made, id);
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: "No forced push here: use --force-with-lease.\n",
      });
    }
  });

  test("README: in TypeScript, instead of the first", () => {
    const file = ".anyhook/hooks/safer-push.ts";
    const made = project({ [file]: block("README.md", "ts", "safer-push") });
    expect(page("README.md").text).toMatch(/\*instead of\* the script[^]*safer-push\.ts/);
    for (const { id } of SPOKEN) {
      const { status, stdout } = push(made, id);
      expect(status, id).toBe(0);
      expect(stdout, id).toContain('"updatedInput":{"command":"git push --force-with-lease"}');
    }
  });

  test("writing hooks: all four ways compile together without a complaint", () => {
    const file = "docs/writing-hooks.md";
    const made = project({
      ".anyhook/hooks/no-force-push.sh": block(file, "sh", "# Hook:"),
      ".anyhook/hooks/no-friday-deploys.ts": block(file, "ts", "defineHook"),
      ".anyhook/tests/README.md": block(file, "markdown", "surface: hook"),
      ".anyhook/tests/run.sh": "#!/bin/sh\nexit 0\n",
      ".anyhook/hooks.yaml": block(file, "yaml", "auto-format"),
      ".anyhook/settings.json": block(file, "json", "SecurityValidator"),
      ".anyhook/hooks/SecurityValidator.ts":
        "// Hook: SecurityValidator\n// Event: PreToolUse\n// Matcher: Bash\n",
    });
    const { status, stdout, stderr } = made.cli("validate", "--strict");
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
    const listed = JSON.parse(made.cli("list", "--json").stdout) as { hooks: unknown[] };
    expect(listed.hooks).toHaveLength(5);
  });

  test.each(ADAPTERS)("connecting: says where $title is connected", ({ title, settings }) => {
    const page = readFileSync(join(REPO, "docs/connecting.md"), "utf8");
    const row = page.split("\n").find((line) => line.startsWith(`| ${title} |`));
    for (const file of Object.values(settings.files)) expect(row).toContain(`\`${file}\``);
  });
});

function textBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { paint } from "../../src/cli/_paint.ts";
import { list } from "../../src/cli/list.ts";
import { REPO } from "../_dispatch.ts";
import { NO_FORCE, type Place, place, push, ZOO } from "./_cli.ts";

interface Listed {
  readonly project: string;
  readonly manifest: string;
  readonly hooks: readonly Record<string, unknown>[];
}

const listed = ({ json }: Pick<Place, "json">): Listed => json("list") as unknown as Listed;

describe("list", () => {
  test("every hook in every state", () => {
    const { json, project } = place(ZOO);
    const { hooks, ...rest } = listed({ json });
    expect(rest).toEqual({
      project: project.root,
      manifest: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(hooks[0]).toEqual({
      name: "no-force-push",
      state: "active",
      why: "",
      events: ["PreToolUse"],
      blocks: ["PreToolUse"],
      order: 10,
      kind: "script",
      form: "script",
      layer: "project",
      matcher: "tool_name = Bash and tool_input.command ~ push.*--force",
      description: "Keeps main safe",
      source: ".anyhook/hooks/no-force-push.sh:2",
    });
    const brief = hooks.map(({ name, state, why, events, blocks }) => [
      ...[name, state, why, events, blocks],
    ]);
    expect(brief).toEqual([
      ["no-force-push", "active", "", ["PreToolUse"], ["PreToolUse"]],
      ["lint", "active", "", ["PostToolUse", "TaskCompleted"], []],
      ["off", "disabled", "enabled: false", ["Stop"], []],
      ["typo", "bad", 'events: there is no event "PreTolUse"', [], []],
      ["later", "pending", "status: pending", ["Stop"], []],
    ]);
  });

  test("for people: by event, then what does not run", () => {
    const { out, exit } = place(ZOO).run("list");
    expect(exit).toBe(0);
    expect(out).toMatch(
      /^PreToolUse 1 hook\n +10 {2}no-force-push +script +project +may block +Bash, command ~ push\.\*--force +\.anyhook/m,
    );
    expect(out).toMatch(/^Not running 3 hooks\n/m);
    expect(out).toMatch(/^ +later +pending +project/m);
    expect(out).toContain("1 error: run anyhook validate");
  });

  test("a list that cannot be read is named, by simulate as well", () => {
    const { run, project } = place({ ".anyhook/hooks.yaml": "hooks:\n  - {name: one, eve" });
    const { out, exit } = run("list");
    expect({ exit, first: out.split("\n")[0] }).toEqual({ exit: 1, first: "No hook can be read." });
    expect(out).toContain(".anyhook/hooks.yaml:2: error: ");
    const asked = ["simulate", "claude", "PreToolUse", "--command", "ls"];
    const wrong = "1 mistake in the hooks (.anyhook/hooks.yaml:2: ";
    expect(run(...asked).out).toContain(wrong);
    expect(
      run(...asked, "--run")
        .out.trimEnd()
        .split("\n")
        .at(-1),
    ).toContain(wrong);
    project.write({ ".anyhook/hooks.yaml": "hooks: []\n" });
    expect(run("list")).toMatchObject({ exit: 0 });
    expect(run("list").out).toContain("No hooks yet.");
    expect(run(...asked).out).not.toContain("mistake");
  });

  test("a bad one beside a good one of the same name is listed, and counts agree", () => {
    const { json, run, project } = place({
      ".anyhook/hooks.yaml": `hooks:
  - { name: twin, events: Stop, command: "true" }
  - { name: twin, events: Stopp, command: "true" }
  - { name: kept, events: Stop, command: "true" }
`,
      ".anyhook/hooks/torn.sh": "#!/bin/sh\n# Hook: torn\n# Event: Stop\nif\n",
    });
    expect(listed({ json }).hooks.map(({ name, state }) => [name, state])).toEqual([
      ["twin", "active"],
      ["torn", "bad"],
      ["kept", "active"],
      ["twin", "bad"],
    ]);
    const text = readFileSync(join(project.root, ".anyhook/hooks.yaml"), "utf8");
    project.write({ ".anyhook/hooks.yaml": text.replace("kept, events: Stop", "kept, events: X") });
    expect(json("status")["active"]).toBe(2);
    expect(run("validate").out).toContain("; 2 hooks can run.");
  });

  test("fits into 80 columns; a pack is named and not its folder", async () => {
    const long = "a-rather-long-name-of-a-hook";
    const { project } = place({
      ...ZOO,
      ".anyhook/settings.json": '{ "packs": ["anyhook/memory"] }',
      ".anyhook/hooks/long.sh": NO_FORCE.replace("no-force-push", long),
    });
    const at = (width: number) =>
      list({
        ...{ verb: "list", operands: [], flag: () => false, text: () => undefined, json: false },
        ...{ env: project.env, from: project.root, paint: paint(false), width },
        installation: { shell: join(REPO, "shell"), library: join(REPO, "dist/authoring.js") },
        unread: new AbortController().signal,
      });
    const narrow = (await at(80)).text.split("\n");
    expect(narrow.filter((line) => line.length > 80)).toEqual([]);
    expect(narrow.join("\n")).toMatch(/a-rather-long-name-of-a-hook .*Bash, comm/);
    const wide = (await at(Infinity)).text;
    expect(wide).toMatch(/ {2}anyhook\/memory\/\S+:\d+$/m);
    expect(wide).not.toContain(REPO);
  });

  test("says that the project is paused", () => {
    const { run } = place(ZOO);
    expect(run("list").out).not.toContain("Paused");
    run("pause");
    expect(run("list").out).toContain("Paused just now: no hook runs here until anyhook resume.");
  });

  test("an edit is seen at once", () => {
    const here = place(ZOO);
    here.run("list");
    here.project.write({ ".anyhook/hooks/more.sh": NO_FORCE.replace("no-force-push", "more") });
    const names = listed(here).hooks.map(({ name }) => name);
    expect(new Set(names.slice(0, 2))).toEqual(new Set(["more", "no-force-push"]));
  });

  test("a stronger layer and a disabled list", () => {
    const { json } = place({
      ".anyhook/hooks/no-force-push.sh": NO_FORCE,
      "home/.config/anyhook/hooks/no-force-push.sh": NO_FORCE,
      ".anyhook/hooks/b.sh": NO_FORCE.replace("no-force-push", "b"),
      ".anyhook/settings.json": '{"disabled":["b"]}',
    });
    const states = listed({ json }).hooks.map(({ name, layer, state, why }) => ({
      ...{ name, layer, state, why },
    }));
    expect(states).toEqual([
      { name: "no-force-push", layer: "project", state: "active", why: "" },
      { name: "b", layer: "project", state: "disabled", why: "named in a disabled: list" },
      {
        ...{ name: "no-force-push", layer: "user", state: "shadowed" },
        why: "a stronger layer has a hook of this name",
      },
    ]);
  });

  test("the last good version of a bad hook is what is shown", () => {
    const here = place({ ".anyhook/hooks/a.sh": NO_FORCE });
    here.run("list");
    here.project.write({ ".anyhook/hooks/a.sh": NO_FORCE.replace('= "Bash"', '== "Bash"') });
    const [hook] = listed(here).hooks;
    expect(hook).toMatchObject({ state: "bad", events: ["PreToolUse"], blocks: ["PreToolUse"] });
    expect(hook!["why"]).toContain("its last good version goes on");
    expect(hook!["matcher"]).toContain("tool_name = Bash");
  });

  test("outside of projects it says so", () => {
    const { runWith, project } = place();
    const { out, exit } = runWith({ cwd: project.base }, "list");
    expect(exit).toBe(0);
    expect(out).toContain("No project here");
  });
});

describe("explain", () => {
  test("one hook", () => {
    const here = place(ZOO);
    here.event("claude-code", "PreToolUse", "PreToolUse--Bash", push);
    const { out, exit } = here.run("explain", "no-force-push");
    expect(exit).toBe(0);
    expect(out).toContain("Keeps main safe");
    expect(out).toContain("PreToolUse, if the tool is Bash and the command matches push.*--force");
    expect(out).toMatch(/Codex CLI +PreToolUse +yes +as deny +yes +yes/);
    expect(out).toContain("1 run, none failed; last just now: deny");
  });

  test("as JSON, with what each harness can do", () => {
    const here = place(ZOO);
    here.event("claude-code", "PostToolUse", "PostToolUse--Write");
    const told = here.json("explain", "lint");
    expect(told).toMatchObject({
      name: "lint",
      timeout: 5000,
      onFailure: "allow",
      history: { runs: 1, failures: 1, inARow: 1, last: { status: "failed" } },
    });
    expect(told["reach"]).toContainEqual({
      ...{ harness: "codex", title: "Codex CLI", event: "TaskCompleted", fires: false },
      ...{ deny: "unenforced", ask: "unenforced", rewrite: "unenforced", context: false },
    });
  });

  test("an unknown name", () => {
    const { out, err, exit } = place(ZOO).run("explain", "no-force-psh");
    expect({ out, exit }).toEqual({ out: "", exit: 1 });
    expect(err).toContain("did you mean no-force-push?");
  });
});

describe("validate", () => {
  test("what is not on this machine is found before the event needs it", () => {
    const { json, run, project } = place({
      ".anyhook/hooks/a": "#!/nonexistent/x\n# Hook: a\n# Event: Stop\n",
      ".anyhook/hooks/b": "#!/usr/bin/env nosuchinterp\n# Hook: b\n# Event: Stop\n",
      ".anyhook/hooks/c": "#!/usr/bin/env sh\n# Hook: c\n# Event: Stop\n",
      ".anyhook/hooks.yaml": `hooks:
  - { name: d, events: Stop, command: [nosuchprogram, x] }
  - { name: e, events: Stop, command: [cat] }
`,
    });
    const { diagnostics, ok } = json("validate") as {
      diagnostics: Record<string, string>[];
      ok: boolean;
    };
    const found = diagnostics.map(({ severity, code, hook, message, line }) =>
      [severity, code, hook, line, message].join(" "),
    );
    expect(found).toEqual([
      "warning not-here d 2 nosuchprogram is not on PATH: it cannot run here",
      "error not-here a 2 /nonexistent/x does not exist: it cannot run here",
      "warning not-here b 2 nosuchinterp is not on PATH: it cannot run here",
    ]);
    expect(ok).toBe(false);
    expect(run("validate").out).toContain("1 error, 2 warnings; 2 hooks can run.");
    project.write({ ".anyhook/hooks/a": "#!/bin/sh\n# Hook: a\n# Event: Stop\n" });
    expect(run("validate").exit).toBe(0);
  });

  test("every mistake with its place and what to do; nothing is written", () => {
    const { run, project } = place(ZOO);
    const { out, exit } = run("validate");
    expect(exit).toBe(1);
    expect(out).toContain('.anyhook/hooks.yaml:11: error: events: there is no event "PreTolUse"');
    expect(out).toContain('    did you mean "PreToolUse"?');
    expect(out).toContain("1 error; 2 hooks can run.");
    expect(existsSync(project.layout.project)).toBe(false);
    expect(readdirSync(project.home)).toEqual([]);
  });

  test("all is well", () => {
    const { run, json } = place({ ".anyhook/hooks/a.sh": NO_FORCE });
    expect(run("validate")).toMatchObject({ exit: 0, err: "" });
    expect(json("validate")).toMatchObject({ ok: true, errors: 0, warnings: 0, diagnostics: [] });
  });

  test("warnings count only with --strict", () => {
    const files = {
      ".anyhook/hooks.yaml": 'hooks:\n  - { name: a, events: Stop, command: "true", ordr: 1 }\n',
    };
    expect(place(files).run("validate").exit).toBe(0);
    expect(place(files).run("validate", "--strict").exit).toBe(1);
  });

  test("what a harness cannot do", () => {
    const files = {
      ".anyhook/hooks.yaml": `hooks:
  - { name: done, events: TaskCompleted, command: "true", block: true }
  - { name: keep, events: PreCompact, command: "true", block: true }
`,
    };
    const { run, json } = place(files);
    expect(json("validate", "--runtime", "codex")["limits"]).toEqual([
      {
        ...{ harness: "codex", hook: "keep", event: "PreCompact" },
        message: "a deny becomes a halt at PreCompact",
      },
      {
        ...{ harness: "codex", hook: "done", event: "TaskCompleted" },
        message: "never runs: Codex CLI has no TaskCompleted",
      },
    ]);
    expect(json("validate", "--runtime", "claude")["limits"]).toEqual([]);
    expect(json("validate", "--runtime", "manual")["limits"]).toEqual([]);
    expect(run("validate", "--runtime", "codex").exit).toBe(0);
    expect(run("validate", "--runtime", "codex", "--strict").exit).toBe(1);
    expect(run("validate", "--runtime", "claud").err).toContain("did you mean claude?");
  });
});

describe("materialize", () => {
  test("quiet and well: not a word", () => {
    const { run, project } = place({ ".anyhook/hooks/a.sh": NO_FORCE });
    expect(run("materialize", "--quiet", "--root", project.root)).toEqual({
      ...{ out: "", err: "", exit: 0 },
    });
    expect(readFileSync(join(project.layout.slot, "hooks-manifest"), "utf8")).toContain(
      "no-force-push",
    );
  });

  test("quiet and not well: one line, and exit 0, because the other hooks run", () => {
    const { out, err, exit } = place(ZOO).run("materialize", "--quiet");
    expect({ err, exit }).toEqual({ err: "", exit: 0 });
    expect(out).toBe(
      '1 hook has a mistake (.anyhook/hooks.yaml:11: events: there is no event "PreTolUse"); run anyhook validate\n',
    );
  });

  test("aloud: what became of it, and exit 1 for mistakes", () => {
    const { run, json } = place(ZOO);
    const { out, exit } = run("materialize");
    expect(exit).toBe(1);
    expect(out).toMatch(/^2 hooks at 3 events, manifest [0-9a-f]{12}\n/);
    expect(json("materialize")).toMatchObject({
      ...{ hooks: 2, rows: 3, errors: 1, warnings: 0, rendered: [] },
      events: ["PreToolUse", "PostToolUse", "TaskCompleted"],
    });
  });

  test("an empty root means no project", () => {
    const { json } = place(ZOO);
    expect(json("materialize", "--root", "")).toMatchObject({ project: "", hooks: 0 });
  });

  test("instruction files are rendered, also by a verb that only looks", () => {
    const node = (text: string): Record<string, string> => ({
      ".anyhook/rules.md": `---\nsurface: system\n---\n${text}\n`,
    });
    const here = place({ ...node("Be brief."), "AGENTS.md": "# Shop\n" });
    const agents = (): string => readFileSync(join(here.project.root, "AGENTS.md"), "utf8");
    expect(here.run("materialize", "--quiet")).toMatchObject({ out: "", exit: 0 });
    expect(agents()).toContain("Be brief.");
    here.project.write(node("Be briefer."));
    here.run("list");
    expect(agents()).toContain("Be briefer.");
  });

  test("an instruction file that cannot be written is a mistake, no fault", () => {
    const here = place({
      ".anyhook/rules.md": "---\nsurface: system\n---\nBe brief.\n",
      "AGENTS.md/file": "a folder of that name",
    });
    const { out, exit } = here.run("materialize", "--quiet");
    expect(exit).toBe(0);
    expect(out).toMatch(
      /^1 mistake in the hooks \(AGENTS\.md: is not a regular file.*\); run anyhook validate\n$/,
    );
  });
});

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, onTestFinished, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import type { Json, Scope } from "../../src/adapters/_settings.ts";
import { planImport } from "../../src/install/import.ts";
import { nativeHooks } from "../../src/install/native-hooks.ts";
import { hashed } from "../../src/install/trust.ts";
import { place, type Place } from "../cli/_cli.ts";
import { adapterWith, makeMachine, put, settingsFile } from "./_site.ts";

/** Hooks of a person, as they stand in two harnesses: comments, odd layout, one in both. */
const CLAUDE = `{
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [
                { "type": "command", "command": "~/bin/guard.sh --strict", "timeout": 2 },
                { "type": "http", "url": "http://127.0.0.1:9/x" } ] },
            { "matcher": "Write|Edit", "hooks": [{ "type": "command", "command": "cat >>seen; echo 'no writes' >&2; exit 2" }] }
        ],
        "Stop": [ { "hooks": [ { "type": "command", "if": "Bash(git *)", "command": "echo x" } ] } ]
    },
    "permissions": { "allow": [] }
}
`;
const CODEX = `{ "hooks": { "PreToolUse": [{"matcher":"Bash","hooks":[{"type":"command","command":"~/bin/guard.sh --strict"}]}] } }`;

type Person = Place & { claude: string; codex: string; ours: string; texts: [string, string] };

/** Connected and trusted, so that somebody runs what moves. */
function person(): Person {
  const here = place({});
  const home = here.project.env["HOME"]!;
  const ours = here.run("path", "user").out.trim();
  const claude = put(join(home, ".claude/settings.json"), CLAUDE);
  const codex = put(join(home, ".codex/hooks.json"), CODEX);
  here.run("install", "--harness", "claude,codex", "--trust", "--yes");
  const texts: [string, string] = [text(claude), text(codex)];
  return { ...here, claude, codex, texts, ours: join(ours, "imported.json") };
}

const text = (file: string): string => readFileSync(file, "utf8");

describe("import", () => {
  test("it says that it is done and how to undo it; undone, nothing of ours is left", () => {
    const here = person();
    const dry = here.run("import", "--dry-run").out;
    expect(dry).toContain("2 hooks into");
    expect(dry).not.toContain("moved");
    expect(here.run("import", "--yes").out).toMatch(
      /\n\nDone: 2 hooks moved, and anyhook runs them from now on\. anyhook import --undo gives back what was there\.\n$/,
    );
    expect(existsSync(dirname(here.ours))).toBe(true);
    expect(here.run("import", "--undo", "--yes").out).toMatch(/^Given back:\n/);
    expect(existsSync(dirname(here.ours))).toBe(false);
  });

  test("equal commands become one hook; what cannot be said stays, with the reason", () => {
    const here = person();
    const { hooks, left, written } = here.json("import", "--yes") as Record<string, unknown[]>;
    expect(written).toBe(true);
    expect(hooks).toMatchObject([
      {
        name: "imported/guard",
        event: "PreToolUse",
        matcher: "Bash",
        command: "~/bin/guard.sh --strict",
        timeout: 600_000,
        // Cursor and VS Code read the same file, and ran it too.
        harness: ["claude-code", "codex", "cursor", "vscode"],
      },
      {
        event: "PreToolUse",
        matcher: "Write|Edit",
        harness: ["claude-code", "cursor", "vscode"],
        timeout: 600_000,
      },
    ]);
    expect(left).toMatchObject([
      { native: "PreToolUse", why: 'its type is "http"' },
      { native: "Stop", why: 'its "if" cannot be said here' },
    ]);
    const kept = JSON.parse(text(here.claude)) as { hooks: Record<string, unknown> };
    const ours = expect.objectContaining({ hooks: [expect.anything()] }) as unknown;
    expect(kept).toMatchObject({
      model: "opus",
      hooks: {
        PreToolUse: [
          { matcher: "Bash", hooks: [{ type: "http", url: "http://127.0.0.1:9/x" }] },
          ours,
        ],
        Stop: [{ hooks: [{ type: "command", if: "Bash(git *)", command: "echo x" }] }, ours],
      },
      permissions: { allow: [] },
    });
    expect(JSON.parse(text(here.codex))).toMatchObject({ hooks: { PreToolUse: [ours] } });
    expect(text(here.codex)).not.toContain("guard.sh");
  });

  test("they run unchanged, where they ran before and nowhere else", () => {
    const here = person();
    here.run("import", "--yes");
    const write = here.event("claude-code", "PreToolUse", "PreToolUse--Write");
    expect(write).toMatchObject({ exit: 2, err: "no writes\n" });
    expect(JSON.parse(text(join(here.project.root, "seen")))).toMatchObject({ tool_name: "Write" });
    const patch = here.event("codex", "PreToolUse", "PreToolUse--apply_patch");
    expect(patch).toEqual({ exit: 0, out: "", err: "" });
    expect(here.run("explain", "imported/guard").out).toMatch(
      /Came from .*settings\.json \(PreToolUse, entry 1\)/,
    );
  });

  test("a second import moves nothing, and --undo gives back every byte", () => {
    const here = person();
    here.run("import", "--yes");
    const [claude, ours] = [text(here.claude), text(here.ours)];
    expect(here.json("import", "--yes")).toMatchObject({ written: false, hooks: [] });
    expect([text(here.claude), text(here.ours)]).toEqual([claude, ours]);
    expect(here.json("import", "--undo", "--yes")).toMatchObject({ written: true });
    expect([text(here.claude), text(here.codex)]).toEqual(here.texts);
    expect(existsSync(here.ours)).toBe(false);
    expect(here.run("import", "--undo", "--yes").out).toBe("Nothing was imported in this scope.\n");
  });

  test("a file that was changed in between gets its hooks back beside the change", () => {
    const here = person();
    here.run("import", "--yes");
    writeFileSync(here.claude, text(here.claude).replace('"opus"', '"sonnet"'));
    here.run("import", "--undo", "--yes");
    const back = JSON.parse(text(here.claude)) as {
      model: string;
      hooks: { PreToolUse: unknown[] };
    };
    expect(back.model).toBe("sonnet");
    expect(back.hooks.PreToolUse).toEqual([
      { matcher: "Bash", hooks: [{ type: "http", url: "http://127.0.0.1:9/x" }] },
      expect.anything(),
      {
        matcher: "Bash",
        hooks: [{ type: "command", command: "~/bin/guard.sh --strict", timeout: 2 }],
      },
      expect.objectContaining({ matcher: "Write|Edit" }),
    ]);
    expect(text(here.codex)).toBe(here.texts[1]);
  });

  test("asks first, shows the change, and leaves our own entries and broken files alone", () => {
    const here = person();
    const before = text(here.claude);
    const asked = here.run("import");
    expect(asked).toMatchObject({ exit: 2 });
    expect(asked.out).toMatch(/-.*guard\.sh --strict[^]*Nothing was written\. Say --yes/);
    expect(here.run("import", "--dry-run")).toMatchObject({ exit: 0 });
    expect(text(here.claude)).toBe(before);
    writeFileSync(here.codex, '{ "hooks": \n oops }');
    const { hooks, refusals } = here.json("import", "--yes") as Record<string, unknown[]>;
    expect(hooks).toHaveLength(2);
    expect(refusals).toMatchObject([
      { file: here.codex, message: expect.stringMatching(/JSON/) as string },
    ]);
    expect(text(here.codex)).toBe('{ "hooks": \n oops }');
    expect(here.run("install", "--harness", "claude", "--dry-run").out).toContain(
      "nothing to change",
    );
  });

  test("one list for all events, in JSON and in TOML: an entry counts for its own event only", () => {
    const machine = makeMachine();
    onTestFinished(() => machine.remove());
    const kiro = put(
      join(machine.root, ".kiro/hooks/anyhook.json"),
      '{ "version": "v1", "hooks": [{ "name": "g", "trigger": "PreToolUse", "action": { "type": "command", "command": "./g.sh" } }] }\n',
    );
    const kimi = put(
      join(machine.home, ".kimi/config.toml"),
      '# mine\n[[hooks]]\nevent = "PreToolUse"\nmatcher = "Shell"\ncommand = "./k.sh" # keep\n',
    );
    const found = [
      ["kiro", kiro],
      ["kimi", kimi],
    ].map(([id, file]) => nativeHooks(adapterWith(id!), file!, text(file!)));
    expect(found).toMatchObject([
      [{ event: "PreToolUse", command: "./g.sh" }],
      [{ event: "PreToolUse", command: "./k.sh" }],
    ]);
  });
});

describe("import leaves where it is what would not run as before", () => {
  const claudeHook = (hook: object, event = "PreToolUse", group: object = {}): string =>
    JSON.stringify({
      hooks: { [event]: [{ ...group, hooks: [{ type: "command", command: "guard", ...hook }] }] },
    });

  const leftOf = (id: string, content: string, scope: Scope = "user"): string[] => {
    const machine = makeMachine();
    onTestFinished(() => machine.remove());
    const adapter = adapterWith(id);
    put(settingsFile(adapter, machine.site, scope), content);
    const { moved, left } = planImport(machine.site, [adapter], scope, ADAPTERS, true);
    return [...left.map(({ why }) => why), ...moved.map(({ command }) => `moved ${command}`)];
  };

  test.each([
    [{ once: true }, 'its "once" cannot be said here'],
    [{ shell: "bash" }, 'its "shell" cannot be said here'],
    [{ cwd: "/opt" }, 'its "cwd" cannot be said here'],
    [{ env: { A: "b" } }, 'its "env" cannot be said here'],
    [{ failClosed: true }, 'its "failClosed" cannot be said here'],
    [{ whatever: 1 }, 'its "whatever" cannot be said here'],
    [{ enabled: false }, 'its "enabled" cannot be said here'],
    [{ enabled: true, name: "n", description: "d", statusMessage: "s" }, "moved guard"],
  ])("%j", (more, why) => {
    expect(leftOf("claude-code", claudeHook(more))).toEqual([why]);
  });

  test.each([
    ["PreToolUse", "^(?!Read)", /^its matcher cannot be said here: /],
    ["UserPromptSubmit", "deploy", /^its matcher "deploy" has no effect there/],
    ["UserPromptSubmit", "*", /^moved guard$/],
    ["Stop", "deploy", /^moved guard$/],
    ["PreToolUse", "^(Bash|mcp__.*)$", /^moved guard$/],
  ])("%s of %s", (event, matcher, why) => {
    expect(leftOf("claude-code", claudeHook({}, event, { matcher }))).toEqual([
      expect.stringMatching(why),
    ]);
  });

  test("a group that says more than its matcher", () => {
    expect(leftOf("claude-code", claudeHook({}, "PreToolUse", { sequential: true }))).toEqual([
      'its "sequential" cannot be said here',
    ]);
  });

  test.each(["./x", "../x", "hooks/x", "A=1 ./x", "bash hooks/x.sh", "node x.mjs", "cd / && ./x"])(
    "a relative path in the user's file: %s",
    (command) => {
      const content = claudeHook({ command });
      expect(leftOf("claude-code", content)[0]).toContain("its path is relative");
      expect(leftOf("claude-code", content, "project")).toEqual([`moved ${command}`]);
    },
  );

  test.each(["/opt/x", "~/x", '"$HOME"/x a/b', "${H}/x", "guard --in a/b", "sh -c 'exit 2'"])(
    "one that is not: %s",
    (command) => {
      expect(leftOf("claude-code", claudeHook({ command }))).toEqual([`moved ${command}`]);
    },
  );

  test("an event that is only observed here", () => {
    expect(leftOf("claude-code", claudeHook({}, "ConfigChange"))).toEqual([
      "ConfigChange is only observed here",
    ]);
  });

  test("an event that a harness lets decide, and that is only observed here", () => {
    const cursor = {
      version: 1,
      hooks: {
        beforeShellExecution: [{ command: "/opt/guard" }],
        stop: [{ command: "/opt/s", loop_limit: 9 }],
        preToolUse: [{ command: "/opt/g" }],
      },
    };
    expect(leftOf("cursor", JSON.stringify(cursor))).toEqual([
      'its "loop_limit" cannot be said here',
      "beforeShellExecution is only observed here",
      "moved /opt/g",
    ]);
  });

  test("async stays async", () => {
    const machine = makeMachine();
    onTestFinished(() => machine.remove());
    const claude = adapterWith("claude-code");
    put(settingsFile(claude, machine.site), claudeHook({ async: true }, "PostToolUse"));
    const { into } = planImport(machine.site, [claude], "user", ADAPTERS, true);
    expect(JSON.parse(String(into.after))).toMatchObject({
      hooks: { PostToolUse: [{ hooks: [{ command: "guard", async: true }] }] },
    });
  });
});

describe("import and who runs it then", () => {
  test("without a connection nothing moves, and the way there is named", () => {
    const here = place({});
    const file = put(join(here.project.env["HOME"]!, ".claude/settings.json"), CLAUDE);
    const refused = here.run("import", "--yes");
    expect(refused.exit).toBe(1);
    expect(refused.out).toMatch(/not connected[^]*anyhook install --harness claude-code first/);
    expect(text(file)).toBe(CLAUDE);
    expect(here.run("import", "--dry-run")).toMatchObject({ exit: 0 });
    here.run("install", "--harness", "claude", "--yes");
    expect(here.run("import", "--yes").exit).toBe(0);
    expect(text(file)).not.toContain("guard.sh");
  });

  test("an uninstall says which imported hooks stop, in words and in JSON", () => {
    const here = person();
    here.run("import", "--yes");
    const note = "2 imported hooks stop running in it; anyhook import --undo gives them back";
    const preview = here.json("uninstall", "--harness", "claude", "--dry-run");
    expect(preview["harnesses"]).toMatchObject([{ harness: "claude-code", notes: [note] }]);
    expect(here.run("uninstall", "--harness", "claude", "--yes").out).toContain(note);
    here.run("import", "--undo", "--yes");
    expect(here.run("uninstall", "--harness", "codex", "--yes").out).not.toContain("imported");
  });

  test("entries of ours that are not trusted run nothing either", () => {
    const here = place({});
    const file = put(join(here.project.env["HOME"]!, ".codex/hooks.json"), CODEX);
    here.run("install", "--harness", "codex", "--yes");
    expect(here.run("import", "--yes").out).toMatch(/does not trust[^]*codex --trust first/);
    expect(text(file)).toContain("guard.sh");
  });

  test("what else was trusted stays so at its new place; what was not does not become so", () => {
    const here = place({});
    const home = here.project.env["HOME"]!;
    const hook = (command: string, more: object = {}): object => ({
      hooks: [{ type: "command", command, ...more }],
    });
    const kept = [hook("mine", { odd: 1 }), hook("never", { odd: 1 })];
    const stop = { hooks: { Stop: [hook("gone"), ...kept] } };
    const file = put(join(home, ".codex/hooks.json"), JSON.stringify(stop));
    const { trusted } = adapterWith("codex").settings;
    const entry = { file, native: "Stop", group: 1, handler: 0, entry: kept[0] as Json };
    const value = hashed(trusted!, entry).value;
    const config = put(
      join(home, ".codex/config.toml"),
      `[hooks.state.${JSON.stringify(`${file}:stop:1:0`)}]\ntrusted_hash = "${value}"\n`,
    );
    here.run("install", "--harness", "codex", "--trust", "--yes");
    const stops = (): Record<string, unknown> => {
      const { hooks } = parse(text(config)) as { hooks: { state: Record<string, unknown> } };
      return Object.fromEntries(
        Object.entries(hooks.state)
          .filter(([key]) => key.includes(":stop:"))
          .map(([key, one]) => [key.slice(file.length), one]),
      );
    };
    const ours = expect.anything() as unknown;
    expect(stops()).toEqual({ ":stop:1:0": { trusted_hash: value }, ":stop:3:0": ours });
    here.run("import", "--yes");
    expect(stops()).toEqual({ ":stop:0:0": { trusted_hash: value }, ":stop:2:0": ours });
    here.run("uninstall", "--harness", "codex", "--yes");
    expect(stops()).toEqual({ ":stop:0:0": { trusted_hash: value } });
  });

  test("trust goes with its entries to their new places, there and back", () => {
    const here = person();
    const config = join(dirname(here.codex), "config.toml");
    const trusted = (): unknown =>
      (here.json("doctor", "--harness", "codex")["findings"] as { check: string; grade: string }[])
        .filter(({ check }) => check === "trusted" || check === "entries")
        .map(({ grade }) => grade);
    const [before, settings] = [text(config), text(here.codex)];
    expect(trusted()).toEqual(["ok", "ok"]);
    here.run("import", "--yes");
    expect(text(config)).not.toBe(before);
    expect(trusted()).toEqual(["ok", "ok"]);
    here.run("import", "--undo", "--yes");
    expect([text(config), text(here.codex)]).toEqual([before, settings]);
    expect(trusted()).toEqual(["ok", "ok"]);
    here.run("import", "--yes");
    writeFileSync(config, `# changed\n${text(config)}`);
    writeFileSync(here.codex, `${text(here.codex)}\n`);
    here.run("import", "--undo", "--yes");
    expect(trusted()).toEqual(["ok", "ok"]);
    here.run("uninstall", "--harness", "codex", "--yes");
    expect(text(config)).not.toContain("trusted_hash");
    expect(text(here.codex)).toContain("guard.sh");
  });
});

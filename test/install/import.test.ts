import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { place, type Place } from "../cli/_cli.ts";

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

function person(): Place & { claude: string; codex: string; ours: string } {
  const here = place({});
  const home = here.project.env["HOME"]!;
  const put = (path: string, text: string): string => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    return join(home, path);
  };
  const ours = here.run("path", "user").out.trim();
  return {
    ...here,
    claude: put(".claude/settings.json", CLAUDE),
    codex: put(".codex/hooks.json", CODEX),
    ours: join(ours, "imported.json"),
  };
}

const text = (file: string): string => readFileSync(file, "utf8");

describe("import", () => {
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
        harness: ["claude-code", "codex"],
      },
      { event: "PreToolUse", matcher: "Write|Edit", harness: ["claude-code"], timeout: 600_000 },
    ]);
    expect(left).toMatchObject([
      { native: "PreToolUse", why: 'its type is "http"' },
      { native: "Stop", why: 'its "if" cannot be said here' },
    ]);
    const kept = JSON.parse(text(here.claude)) as { hooks: Record<string, unknown> };
    expect(kept).toEqual({
      model: "opus",
      hooks: {
        PreToolUse: [{ matcher: "Bash", hooks: [{ type: "http", url: "http://127.0.0.1:9/x" }] }],
        Stop: [{ hooks: [{ type: "command", if: "Bash(git *)", command: "echo x" }] }],
      },
      permissions: { allow: [] },
    });
    expect(JSON.parse(text(here.codex))).toEqual({ hooks: { PreToolUse: [] } });
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
    expect(text(here.claude)).toBe(CLAUDE);
    expect(text(here.codex)).toBe(CODEX);
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
      {
        matcher: "Bash",
        hooks: [{ type: "command", command: "~/bin/guard.sh --strict", timeout: 2 }],
      },
      expect.objectContaining({ matcher: "Write|Edit" }),
    ]);
    expect(text(here.codex)).toBe(CODEX);
  });

  test("asks first, shows the change, and leaves our own entries and broken files alone", () => {
    const here = person();
    here.run("install", "--harness", "claude", "--yes");
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
    const here = place({});
    const home = here.project.env["HOME"]!;
    const put = (path: string, text: string): string => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    };
    const kiro = put(
      join(here.project.root, ".kiro/hooks/anyhook.json"),
      '{ "version": "v1", "hooks": [{ "name": "g", "trigger": "PreToolUse", "action": { "type": "command", "command": "./g.sh" } }] }\n',
    );
    const kimi = put(
      join(home, ".kimi/config.toml"),
      '# mine\n[[hooks]]\nevent = "PreToolUse"\nmatcher = "Shell"\ncommand = "./k.sh" # keep\n',
    );
    for (const [scope, file, harness, command] of [
      ["project", kiro, "kiro", "./g.sh"],
      ["user", kimi, "kimi", "./k.sh"],
    ] as const) {
      const before = text(file);
      const taken = here.json("import", "--harness", harness, "--scope", scope, "--yes");
      expect(taken["hooks"]).toMatchObject([{ event: "PreToolUse", command, harness: [harness] }]);
      expect(text(file)).not.toContain(command);
      here.run("import", "--undo", "--scope", scope, "--yes");
      expect(text(file)).toBe(before);
    }
  });
});

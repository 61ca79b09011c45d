import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { place, type Place } from "../cli/_cli.ts";
import { CAPTURED } from "../_contract.ts";
import { DISPATCH } from "../_dispatch.ts";
import { spawnSync } from "node:child_process";
import { adapterWith, put } from "./_site.ts";

/** What a person wrote for one harness: looks at the payload, and denies in that harness's words. */
interface Own {
  readonly id: string;
  readonly file: string;
  readonly answer: string;
  readonly text: (command: string) => string;
  /** Of the captured payloads: the one that it is for, and one that it is not. */
  readonly hit: string;
  readonly miss?: string;
}

const q = JSON.stringify;
const printf = (value: object): string => `printf '%s' '${JSON.stringify(value)}'`;
const EXIT_TWO = "echo not here >&2; exit 2";

const OWN: readonly Own[] = [
  {
    id: "gemini",
    file: ".gemini/settings.json",
    answer: printf({ decision: "deny", reason: "not here" }),
    text: (command) =>
      `{\r\n\t// mine\r\n\t"hooks": { "BeforeTool": [ {"matcher": "run_shell_command", "hooks": [ {"type":"command", "command": ${q(command)}, "timeout": 5000,} ] } ] },\r\n}\r\n`,
    hit: "BeforeTool--run_shell_command",
    miss: "BeforeTool--read_file",
  },
  {
    id: "copilot",
    file: ".copilot/hooks/mine.json",
    answer: "exit 1",
    text: (command) =>
      `{"version":1,"hooks":{"preToolUse":[{"type":"command","matcher":"bas.","bash":${q(command)},"timeoutSec":5}]}}`,
    hit: "preToolUse--bash--native",
    miss: "preToolUse--view--native",
  },
  {
    id: "cursor",
    file: ".cursor/hooks.json",
    answer: printf({ permission: "deny", agent_message: "not here" }),
    text: (command) =>
      `{ "version": 1,\n  "hooks": { "preToolUse": [ { "command": ${q(command)}, "matcher": "Shel" } ] } }\n`,
    hit: "preToolUse--Shell",
    miss: "preToolUse--Read",
  },
  {
    id: "droid",
    file: ".factory/settings.json",
    answer: printf({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "not here" },
    }),
    text: (command) =>
      `{"hooks":{"PreToolUse":[{"matcher":"Execute","hooks":[{"type":"command","command":${q(command)}}]}]}} // end`,
    hit: "PreToolUse--Execute",
    miss: "PreToolUse--Edit",
  },
  {
    id: "crush",
    file: ".config/crush/crush.json",
    answer: printf({ decision: "deny", reason: "not here" }),
    text: (command) =>
      `{"$schema":"x","hooks":{"PreToolUse":[{"name":"mine","matcher":"^bash$","command":${q(command)}}]}}`,
    hit: "PreToolUse--bash",
    miss: "PreToolUse--edit",
  },
  {
    id: "windsurf",
    file: ".codeium/windsurf/hooks.json",
    answer: EXIT_TWO,
    text: (command) =>
      `{"hooks":{"pre_run_command":[{"command":${q(command)},"show_output":true}]}}\n`,
    hit: "pre_run_command",
    miss: "pre_read_code",
  },
  {
    id: "kiro",
    file: ".kiro/hooks/mine.json",
    answer: EXIT_TWO,
    text: (command) =>
      `{"version":"v1","hooks":[{"name":"m","trigger":"PreToolUse","matcher":"shell","action":{"type":"command","command":${q(command)}},"enabled":true}]}`,
    hit: "PreToolUse--shell",
    miss: "PreToolUse--write",
  },
  {
    id: "goose",
    file: ".agents/plugins/mine/hooks/hooks.json",
    answer: printf({ decision: "block", reason: "not here" }),
    text: (command) =>
      `{"hooks":{"PreToolUse":[{"matcher":"shell","hooks":[{"type":"command","command":${q(command)}}]}]}}`,
    hit: "PreToolUse--shell",
    miss: "PreToolUse--edit",
  },
  {
    id: "auggie",
    file: ".augment/settings.json",
    answer: EXIT_TWO,
    text: (command) =>
      `{"hooks":{"PreToolUse":[{"matcher":"launch-process","hooks":[{"type":"command","command":${q(command)},"timeout":5000}]}]}}`,
    hit: "PreToolUse--launch-process",
    miss: "PreToolUse--str-replace-editor",
  },
  {
    id: "kimi",
    file: ".kimi/config.toml",
    answer: EXIT_TWO,
    text: (command) =>
      `# mine\nmodel = "k"\n[[hooks]]\nevent = "PreToolUse"\nmatcher = "Shell"\ncommand = ${q(command)} # keep\n\n[other]\nx = 1\n`,
    hit: "PreToolUse--Shell",
    miss: "PreToolUse--ReadFile",
  },
];

const home = (here: Place): string => here.project.env["HOME"]!;
const text = (file: string): string => readFileSync(file, "utf8");
const commandOf = ({ id, answer }: Own): string => `cat >"$HOME/seen-${id}"; ${answer}`;

/** One captured payload through the real dispatcher, under the native name of its event. */
function fire(here: Place, id: string, file: string): { reply: object; payload: string } {
  const one = CAPTURED.find((each) => each.adapter.id === id && each.file === `${file}.json`)!;
  const payload = one.payload.toString().replaceAll("/home/dev/shop", here.project.root);
  const { status, stdout, stderr } = spawnSync("/bin/sh", [DISPATCH, id, one.native], {
    cwd: here.project.root,
    env: here.project.env,
    input: payload,
    encoding: "utf8",
  });
  return { reply: { status, said: stdout + stderr }, payload };
}

describe("hooks of harnesses with words of their own", () => {
  test("move in, get the native payload, deny in their own words, and go back byte for byte", () => {
    const here = place({});
    for (const own of OWN) put(join(home(here), own.file), own.text(commandOf(own)));
    here.run("install", "--harness", OWN.map(({ id }) => id).join(","), "--yes");
    const files = OWN.map(({ file }) => join(home(here), file));
    const before = files.map(text);
    for (const { id, hit } of OWN) {
      expect(fire(here, id, hit).reply).toMatchObject({ status: 0 });
      expect(existsSync(join(home(here), `seen-${id}`))).toBe(false);
    }

    const done = here.json("import", "--yes");
    expect(done).toMatchObject({ written: true, left: [], refusals: [] });
    expect(done["hooks"]).toHaveLength(OWN.length);
    for (const [at, own] of OWN.entries()) {
      const { id, hit, miss } = own;
      expect(text(files[at]!)).not.toContain(`seen-${id}`);
      const deny = adapterWith(id).surfaces.PreToolUse!.replies.deny!;
      const { reply, payload } = fire(here, id, hit);
      expect([id, reply]).toEqual([
        id,
        {
          status: deny.exit,
          said: expect.stringMatching(own.answer === "exit 1" ? /Blocked by hook/ : /not here/),
        },
      ]);
      // To the byte what the harness sent.
      expect(text(join(home(here), `seen-${id}`))).toBe(payload);
      writeFileSync(join(home(here), `seen-${id}`), "");
      if (miss) expect([id, fire(here, id, miss).reply]).toMatchObject([id, { status: 0 }]);
      expect([id, text(join(home(here), `seen-${id}`))]).toEqual([id, ""]);
    }

    here.run("import", "--undo", "--yes");
    expect(files.map(text)).toEqual(before);
    here.run("uninstall", "--all", "--yes");
    expect(files.map(text)).toEqual(OWN.map((own) => own.text(commandOf(own))));
  }, 120_000);

  test("one command in three harnesses is one hook, and each is understood", () => {
    const here = place({});
    const command = `cat >/dev/null; echo '{"decision":"block","reason":"not here"}'; exit 2`;
    const nested = (event: string, matcher: string): string =>
      q({ hooks: { [event]: [{ matcher, hooks: [{ type: "command", command }] }] } });
    put(join(home(here), ".claude/settings.json"), nested("PreToolUse", "Bash"));
    put(join(home(here), ".gemini/settings.json"), nested("BeforeTool", "run_shell_command"));
    put(join(home(here), ".factory/settings.json"), nested("PreToolUse", "Execute"));
    here.run("install", "--harness", "claude,gemini,droid", "--yes");
    const { hooks } = here.json("import", "--yes") as Record<string, unknown[]>;
    expect(hooks).toMatchObject([
      {
        matcher: "^(?:Bash)$|run_shell_command",
        harness: ["claude-code", "droid", "gemini", "cursor", "vscode"],
        origins: [{ harness: "claude-code" }, { harness: "droid" }, { harness: "gemini" }],
      },
    ]);
    expect([
      fire(here, "claude-code", "PreToolUse--Bash").reply,
      fire(here, "gemini", "BeforeTool--run_shell_command").reply,
      fire(here, "droid", "PreToolUse--Execute").reply,
      fire(here, "gemini", "BeforeTool--read_file").reply,
    ]).toMatchObject([{ status: 2 }, { status: 2 }, { status: 2 }, { status: 0 }]);
    expect(fire(here, "cursor", "preToolUse--Shell").reply).toMatchObject({
      said: expect.stringContaining('"permission":"deny"') as string,
    });
  });

  const MODULE =
    'import { defineHook } from "anyhook";\nexport default defineHook({ event: "PreToolUse", run() {} });\n';

  test.each([
    ["shell", {}],
    ["node", { ".anyhook/hooks/m.ts": MODULE }],
  ])("an input that it changes is canonical next and native in the reply: %s", (_lane, more) => {
    const here = place({
      ".anyhook/hooks.yaml": `hooks: [{ name: after, order: 9, events: [PreToolUse], command: 'cat >"$HOME/next"' }]\n`,
      ...more,
    });
    const input = { path: "/tmp/other.txt", old_str: "a", new_str: "b" };
    const own = { type: "command", bash: `cat >/dev/null; ${printf({ modifiedArgs: input })}` };
    put(join(home(here), ".copilot/hooks/mine.json"), q({ hooks: { preToolUse: [own] } }));
    here.run("install", "--harness", "copilot", "--yes");
    here.run("import", "--yes");
    const { said } = fire(here, "copilot", "preToolUse--edit--native").reply as { said: string };
    expect(JSON.parse(said)).toMatchObject({ modifiedArgs: input });
    expect(JSON.parse(text(join(home(here), "next")))).toMatchObject({
      tool_input: { file_path: "/tmp/other.txt", old_string: "a", new_string: "b" },
    });
  });

  test("an event that covers two of ours keeps both", () => {
    const here = place({});
    const command = 'cat >>"$HOME/after"';
    const content = { hooks: { PostToolUse: [{ hooks: [{ type: "command", command }] }] } };
    put(join(home(here), ".augment/settings.json"), q(content));
    here.run("install", "--harness", "auggie", "--yes");
    here.run("import", "--yes");
    const after = CAPTURED.filter(
      ({ adapter, native }) => adapter.id === "auggie" && native === "PostToolUse",
    );
    expect(new Set(after.map(({ event }) => event))).toEqual(
      new Set(["PostToolUse", "PostToolUseFailure"]),
    );
    const sent = after.map(({ file }) => fire(here, "auggie", file.slice(0, -5)).payload);
    expect(text(join(home(here), "after"))).toBe(sent.join(""));
  });

  test("what a person has switched off by name stays off", () => {
    const here = place({});
    const hook = (name: string, command: string): object => ({ type: "command", name, command });
    const hooks = [hook("quiet", "/opt/q"), hook("loud", "/opt/l")];
    const content = { hooks: { disabled: ["quiet"], BeforeTool: [{ hooks }] } };
    put(join(home(here), ".gemini/settings.json"), q(content));
    expect(here.json("import", "--dry-run")).toMatchObject({
      hooks: [{ command: "/opt/l" }],
      left: [{ command: "/opt/q", why: 'its "disabled" cannot be said here' }],
    });
  });

  test("what is no command, or can do more there, stays with the reason", () => {
    const here = place({});
    const nested = (event: string, command = "/opt/g", matcher = ""): string =>
      q({ hooks: { [event]: [{ matcher, hooks: [{ type: "command", command }] }] } });
    const at = (file: string, content: string): string => put(join(home(here), file), content);
    at(".config/opencode/plugin/mine.ts", "export const P = async () => ({});\n");
    at(".pi/agent/extensions/mine.ts", "export default () => {};\n");
    at(".cline/hooks/PreToolUse.py", "print()\n");
    at(".gemini/settings.json", nested("AfterTool"));
    at(".copilot/hooks/shared.json", q({ hooks: { PreToolUse: [{ command: "/opt/g" }] } }));
    at(".agents/plugins/a/hooks/hooks.json", nested("Stop", "${PLUGIN_ROOT}/g"));
    at(".agents/plugins/b/hooks/hooks.json", nested("PreToolUse", "/opt/g", "*"));
    at(".agents/plugins/c/hooks/hooks.json", nested("Stop", "./g"));
    at(".factory/settings.json", nested("SessionStart", "/opt/g", "startup"));
    at(
      ".kiro/hooks/mine.json",
      q({
        hooks: [
          {
            trigger: "PreToolUse",
            matcher: "@git",
            action: { type: "command", command: "/opt/g" },
          },
        ],
      }),
    );
    at(".claude/settings.json", nested("PreToolUse", "jq '{tool_name}'"));
    here.run("install", "--harness", "opencode,pi,cline", "--yes");
    const { hooks, left } = here.json("import", "--dry-run") as Record<
      string,
      { file: string; why: string }[]
    >;
    expect(hooks).toEqual([]);
    const why = Object.fromEntries(
      left!.map((one) => [one.file.slice(home(here).length), one.why]),
    );
    expect(why).toEqual({
      "/.config/opencode/plugin/mine.ts": "it is code that runs inside opencode, not a command",
      "/.pi/agent/extensions/mine.ts": "it is code that runs inside Pi, not a command",
      "/.cline/hooks/PreToolUse.py":
        "Cline CLI finds a script by its name in that folder; there is no entry that could move",
      "/.gemini/settings.json":
        "there it may hide the result or call another tool, which no hook here can",
      "/.copilot/hooks/shared.json": "Copilot CLI calls it too, in another form than VS Code",
      "/.agents/plugins/a/hooks/hooks.json": "its PLUGIN_ROOT is set there only",
      "/.agents/plugins/b/hooks/hooks.json": 'with the matcher "*" it never runs there',
      "/.agents/plugins/c/hooks/hooks.json": "its path is relative to the plugin",
      "/.kiro/hooks/mine.json": 'only Kiro understands its matcher "@git"',
      "/.factory/settings.json":
        'what its matcher "startup" is compared with there is not known here',
      "/.claude/settings.json": "its {tool_name} is text there, and a placeholder here",
    });
    expect(dirname(left![0]!.file)).not.toBe("");
  });
});

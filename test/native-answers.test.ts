import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inItsOwnWords } from "../src/install/imported.ts";
import { AWKS, folder } from "./_awk.ts";
import { REPO } from "./_dispatch.ts";

/** What a command says to its harness, and what it then says to us: JSON (or nothing) and exit code. */
const CASES: readonly [who: string, command: string, says: object | "", exit: number][] = [
  ["gemini PreToolUse", `echo '{"decision":"deny","reason":"a \\"b\\""}'`, deny('a "b"'), 0],
  ["gemini PreToolUse", `echo '{"decision":"deny","reason":"e"}' >&2`, deny("e"), 0],
  ["gemini PreToolUse", `echo no >&2; exit 3`, deny("no"), 0],
  ["gemini PreToolUse", `/no/such/program`, { decision: "deny", reason: /no\/such\/program/ }, 0],
  // Driven: these two are allowed there.
  ["gemini PreToolUse", `exit 2`, "", 0],
  ["gemini PreToolUse", `echo '{"decision":"allow"}'; echo no >&2; exit 2`, say("allow"), 0],
  ["gemini PreToolUse", `echo warn >&2; exit 1`, "", 1],
  ["gemini PreToolUse", `echo hello`, { systemMessage: "hello" }, 0],
  ["gemini PreToolUse", `[[ a == a ]] && echo yes`, { systemMessage: "yes" }, 0],
  [
    "gemini Stop",
    `echo '{"hookSpecificOutput":{"clearContext":true}}'`,
    { systemMessage: /clearContext/ },
    0,
  ],
  ["gemini Stop", `echo '{"continue":false,"stopReason":"x"}'`, halt("x"), 0],
  ["copilot PreToolUse", `exit 1`, say("deny"), 0],
  ["copilot PreToolUse", `echo '{"decision":"block","reason":"x"}'`, "", 0],
  [
    "copilot PreToolUse",
    `echo '{"permissionDecision":"allow","permissionDecisionReason":"r"}'; exit 2`,
    deny("r"),
    0,
  ],
  ["copilot Stop", `echo '{"decision":"block","reason":"x"}'`, deny("x"), 0],
  ["copilot Stop", `echo no >&2; exit 2`, "", 2],
  ["copilot PermissionRequest", `echo '{"behavior":"deny","message":"m"}'`, deny("m"), 0],
  ["cursor PreToolUse", `echo '{"permission":"ask","user_message":"u"}'`, say("ask", "u"), 0],
  ["cursor PreToolUse", `echo oops`, { decision: "deny", reason: /no JSON: oops/ }, 0],
  ["cursor Stop", `echo '{"followup_message":"go on"}'`, deny("go on"), 0],
  ["cursor Stop", `echo oops`, "", 0],
  ["cursor UserPromptSubmit", `echo '{"continue":false,"user_message":"u"}'`, deny("u"), 0],
  ["crush PreToolUse", `echo '{"updated_input":{"a":1}}'`, { rewrite: { a: 1 } }, 0],
  ["crush PreToolUse", `echo stop >&2; exit 49`, halt("stop"), 0],
  ["droid PostToolUse", `echo '{"decision":"block","reason":"r"}'`, context("r"), 0],
  ["droid PostToolUse", `echo fix >&2; exit 2`, context("fix"), 0],
  ["droid SessionStart", `echo hi`, context("hi"), 0],
  ["kiro UserPromptSubmit", `echo hi`, context("hi"), 0],
  ["kiro PreToolUse", `echo '{"decision":"block"}'`, "", 0],
  ["kiro Stop", `exit 2`, "", 2],
  ["windsurf PreToolUse", `echo no >&2; exit 2`, deny("no"), 0],
  ["goose PreToolUse", `echo '{"decision":"block","reason":"x"}'`, deny("x"), 0],
  ["goose PreToolUse", `echo '{"decision":"deny"}'`, "", 0],
  ["auggie Stop", `echo '{"hookSpecificOutput":{"decision":"block","reason":"x"}}'`, deny("x"), 0],
  ["kimi PreToolUse", `echo no >&2; exit 2`, deny("no"), 0],
  // No words of its own: untouched.
  ["codex PreToolUse", `echo '{"decision":"block"}'; exit 2`, say("block"), 2],
];

function say(decision: string, reason?: string): object {
  return reason === undefined ? { decision } : { decision, reason };
}
function deny(reason: string): object {
  return say("deny", reason);
}
function halt(stopReason: string): object {
  return { continue: false, stopReason };
}
function context(additionalContext: string): object {
  return { hookSpecificOutput: { additionalContext } };
}

describe.each(AWKS)("what an imported command says, by %s", (name) => {
  const bin = join(folder, `bin-${name.replaceAll(" ", "-")}`);
  spawnSync("mkdir", ["-p", bin]);
  writeFileSync(join(bin, "awk"), `#!/bin/sh\nexec ${name} "$@"\n`);
  chmodSync(join(bin, "awk"), 0o755);

  test.each(CASES)("%s: %s", (who, command, says, exit) => {
    const [harness, event] = who.split(" ");
    const [program, ...args] = inItsOwnWords(command);
    const { stdout, status } = spawnSync(program!, args, {
      env: {
        PATH: `${bin}:${process.env["PATH"]}`,
        TMPDIR: folder,
        ANYHOOK_LIB: join(REPO, "shell/lib.sh"),
        ANYHOOK_HARNESS: harness,
        ANYHOOK_EVENT: event,
      },
      input: '{"tool_name":"x"}',
      encoding: "utf8",
    });
    const wanted = says === "" ? "" : matching(says);
    expect([stdout === "" ? "" : JSON.parse(stdout), status]).toEqual([wanted, exit]);
  });

  test("leaves nothing behind", () => {
    expect(readdirSync(folder).filter((file) => file.startsWith("anyhook-native"))).toEqual([]);
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  });
});

test("with an older version, which cannot read them, it fails and does not block", () => {
  const [program, ...args] = inItsOwnWords("exit 0");
  const env = { ...process.env, ANYHOOK_LIB: "/nowhere/lib.sh" };
  expect(spawnSync(program!, args, { env, input: "{}" }).status).toBe(70);
});

const matching = (says: object): unknown =>
  Object.fromEntries(
    Object.entries(says).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  );

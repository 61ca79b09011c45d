import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { hookOf, judged, PAYLOAD, workOf } from "../_remote.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((one) => rmSync(one, { recursive: true, force: true })));

/** A program of this name that notes what it was given and then does what it is told. */
function program(name: string, body: string): { bin: string; noted: (what: string) => string } {
  const bin = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-cli-")));
  folders.push(bin);
  const note = 'cat >"$0.stdin"; printf "%s\\n" "$@" >"$0.argv"; env >"$0.env"; pwd >"$0.pwd"';
  writeFileSync(join(bin, name), `#!/bin/sh\n${note}\n${body}\n`, { mode: 0o755 });
  return { bin, noted: (what) => readFileSync(join(bin, `${name}.${what}`), "utf8") };
}

const ask = (bin: string, extra: object = {}, more: object = {}) => {
  const env = { PATH: `${bin}:/usr/bin:/bin`, ANYHOOK_DEPTH: "1", CLAUDECODE: "1" };
  return judged(
    hookOf("prompt", "No forced push.", { ...extra }),
    workOf(PAYLOAD, { env, ...more }),
  );
};

test("claude -p: no tools, no session, no hooks, the question on standard input", async () => {
  const result = JSON.stringify({
    ...{
      type: "result",
      subtype: "success",
      is_error: false,
      result: '{"ok": false, "reason": "forced"}',
    },
    usage: { input_tokens: 5, output_tokens: 3 },
  });
  const { bin, noted } = program("claude", `cat <<'END'\n${result}\nEND`);
  const slot = join(bin, "slot");
  expect(await ask(bin, {}, { slot })).toEqual({
    ...{ status: "ok", detail: "", said: "deny: forced" },
    trace: ["asked claude-cli its own choice", "5 tokens in, 3 out"],
  });
  expect(noted("argv").split("\n")).toEqual([
    ...["-p", "--tools", "", "--output-format", "json", "--no-session-persistence"],
    ...["--strict-mcp-config", "--settings", '{"disableAllHooks":true}', ""],
  ]);
  expect(noted("stdin")).toContain("git push --force");
  expect(noted("env")).toMatch(/^ANYHOOK_DEPTH=1$/m);
  expect(noted("env")).toMatch(/^CLAUDECODE=$/m);
  expect(noted("pwd").trim()).toBe(join(slot, "asked"));
  expect(readdirSync(join(slot, "asked"))).toEqual([]);
});

test("codex exec: read-only, without a shell; a model is named after its option", async () => {
  const { bin, noted } = program("codex", `echo '{"ok": true, "reason": "fine"}'`);
  expect(await ask(bin, { provider: "codex-cli", model: "m" })).toMatchObject({
    ...{ status: "ok", said: "pass", trace: ["asked codex-cli m", "tokens not told", "fine"] },
  });
  const argv = noted("argv");
  expect(argv).toContain("exec\n--skip-git-repo-check\n--ephemeral\n--sandbox\nread-only\n");
  expect(argv).toContain("features.shell_tool=false\n");
  expect(argv).toMatch(/--model\nm\n$/);
});

test.each([
  ["an exit", "echo 'Not logged in' >&2; exit 1", "claude: exit 1: Not logged in"],
  [
    "an error as JSON",
    `echo '{"is_error": true, "result": "Credit is too low"}'`,
    "claude: Credit is too low",
  ],
  ["no JSON", "echo hello", "claude: printed no result"],
  ["garbage", `echo '{"result": "yes"}'`, 'the model gave no {ok, reason}: "yes"'],
  ["a secret", "echo 'key sk-ant-0123456789abcdef' >&2; exit 1", "claude: exit 1: key [redacted]"],
])("%s is a failure", async (_, body, detail) => {
  const { bin } = program("claude", body);
  expect(await ask(bin)).toMatchObject({ status: "failed", detail, said: "pass" });
});

test("a program that hangs is ended with all that it started", async () => {
  const { bin } = program("claude", 'sleep 30 & echo $! >"$0.child"; wait');
  expect(await ask(bin, {}, { timeout: 1500 })).toMatchObject({ status: "timeout", said: "pass" });
  const child = readFileSync(join(bin, "claude.child"), "utf8").trim();
  expect(isAlive(child)).toBe(false);
});

/** One that has ended and that nobody has asked about yet has no command line. */
function isAlive(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

test("a program that is not there", async () => {
  const { bin } = program("codex", "true");
  expect(await ask(bin, { provider: "claude-cli" })).toMatchObject({
    ...{ status: "failed", detail: "claude is not on PATH" },
  });
});

test("without a store it is asked in the root: nobody else can leave instructions there", async () => {
  const { bin, noted } = program("codex", `echo '{"ok": true, "reason": ""}'`);
  expect(await ask(bin)).toMatchObject({ status: "ok", said: "pass" });
  expect(noted("pwd").trim()).toBe("/");
});

test("who names a server does not mean a program", async () => {
  const { bin } = program("claude", `echo '{"result": "{\\"ok\\": true}"}'`);
  expect(await ask(bin, { base_url: "http://127.0.0.1:1" })).toMatchObject({
    ...{ status: "failed", said: "pass" },
    detail: "base_url needs a key, or provider: anthropic or openai",
  });
  expect(await ask(bin)).toMatchObject({ status: "ok", said: "pass" });
});

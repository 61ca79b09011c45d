import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BEGIN } from "../../src/memory/packet.ts";
import { CLI, makeProject, type Project } from "../_dispatch.ts";
import { line, MEMORY, result, texts, verb } from "./_memory.ts";

let project: Project;
beforeEach(() => (project = makeProject()));
afterEach(() => project.remove());

const transcript = (...lines: string[]): string => {
  const file = join(project.base, "transcript.jsonl");
  writeFileSync(file, lines.join(""));
  return file;
};
const stop = (transcript_path: string) =>
  verb(project, "stop", { session_id: "s1", cwd: project.root, transcript_path });

describe("odd input", () => {
  test.each([
    ["a pipe", (file: string) => void execFileSync("mkfifo", [file])],
    ["a folder", (file: string) => mkdirSync(file)],
    ["an endless file", (file: string) => symlinkSync("/dev/zero", file)],
  ])("a transcript that is %s is told, and the queue is drained", (_, make) => {
    verb(project, "post-tool-use", {
      session_id: "s1",
      cwd: project.root,
      tool_name: "Bash",
      tool_use_id: "t1",
      tool_input: { command: "ls" },
    });
    const file = join(project.base, "odd.jsonl");
    make(file);
    const ran = stop(file);
    expect(ran.status).toBe(0);
    expect(ran.stderr).toMatch(/^anyhook: memory stop: .*odd\.jsonl is no file/);
    expect(JSON.parse(project.cli("memory", "stats", "--json").stdout)).toMatchObject({
      queued: 0,
      project: { signals: 1 },
    });
  });

  test("a session's id may be anything, and sessions stay apart", () => {
    const odd = ["../../x", "a\nb", "a\u0000b", "-x", "--cwd", "ü".repeat(5000), " ", "_"];
    for (const session_id of odd) {
      const told = verb(project, "session-start", { session_id, cwd: project.root });
      expect(told).toMatchObject({
        status: 0,
        stderr: "",
        stdout: expect.stringContaining(BEGIN) as string,
      });
      expect(verb(project, "session-start", { session_id, cwd: project.root }).stdout).toBe("");
    }
    expect(readdirSync(join(project.layout.slot, "memory/sessions"))).toHaveLength(odd.length);
  });

  test("a folder that is gone, and a long transcript of it", async () => {
    const cwd = join(project.base, "gone");
    const lines = Array.from({ length: 3000 }, (_, n) =>
      n % 1000 === 0 ? line("user", `#decision number ${n}`) : result("x".repeat(3000)),
    );
    const transcript_path = transcript(...lines);
    const ran = verb(project, "stop", { session_id: "s1", cwd, transcript_path });
    expect(ran).toEqual({ stdout: "", stderr: "", status: 0 });
    // What is left of it is read by a process that nobody waits for.
    const told = (n: number): string =>
      verb(project, "session-start", { session_id: `w${n}`, cwd }).stdout;
    let n = 0;
    while (!told(n).includes("number 2000") && n++ < 150) await sleep(200);
    const woken = told(n + 1);
    for (const number of [0, 1000, 2000]) expect(woken).toContain(`number ${number}`);
  }, 60_000);

  test("nobody reads the answer", () => {
    const shell = `"$0" "$1" session-start </dev/null | true; "$0" "$1" session-start </dev/null >/dev/full; echo "$?"; "$0" "$1" stop <&-; echo "$?"`;
    const { stdout, stderr } = spawnSync("sh", ["-c", shell, process.execPath, MEMORY], {
      cwd: project.root,
      env: project.env,
      encoding: "utf8",
    });
    expect({ stdout, stderr }).toEqual({ stdout: "0\n0\n", stderr: "" });
  });

  test("a search for what FTS5 takes for its own is a search for words", () => {
    verb(project, "user-prompt", {
      session_id: "s1",
      cwd: project.root,
      prompt: '#decision near the "quotes" AND stars',
    });
    for (const query of [
      '"quotes',
      "quotes*",
      "-quotes",
      "quotes AND",
      "NEAR(quotes stars)",
      "stems:quotes",
      "^quotes",
      "{quotes} :",
      "quotes' OR 1=1 --",
    ])
      expect(project.cli("memory", "search", "--", query)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("stars") as string,
      });
    expect(project.cli("memory", "search", "--", "*-\"'(){}:^").status).toBe(1);
  });

  test("lines that would keep us busy for long do not keep us from the next ones", () => {
    const file = transcript(
      line("user", `#remember ${"-".repeat(1_000_000)} x`),
      line("user", "#remember abc ".repeat(50_000)),
      line("user", `</${"<a-b>".repeat(100_000)} #remember it`),
      `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":${"[".repeat(30_000)}"#decision"${"]".repeat(30_000)}}]}}\n`,
      line("user", "#decision the last one"),
    );
    expect(project.cli("forge", "transcript", file)).toMatchObject({ status: 0, stderr: "" });
    expect(texts(project, "--kind", "decision")).toEqual(["the last one"]);
  }, 30_000);
});

test("the command line's own hook verb ends with 0 whatever comes in", () => {
  for (const input of [
    "",
    "\u0000",
    "[",
    '{"session_id":["x"]}',
    `{"prompt":"${"a".repeat(2_000_000)}"}`,
  ])
    expect(
      spawnSync(process.execPath, [CLI, "hook", "user-prompt"], {
        cwd: project.root,
        env: project.env,
        input,
        encoding: "utf8",
      }),
    ).toMatchObject({ status: 0, stderr: "" });
});

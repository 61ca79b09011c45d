import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { bounded, endLeftovers } from "../../src/prove/bounded.ts";
import { refuseKeys } from "../../src/prove/keys.ts";
import { makeStage } from "../../src/prove/stage.ts";

const bounds = (limit: number, home = "/nonexistent") => ({
  ...{ cwd: "/", limit },
  env: { PATH: process.env["PATH"]!, HOME: home },
});

/** One that nobody has buried yet has no command line any more. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";

test("what a program says and how it ends", async () => {
  const ended = await bounded(["sh", "-c", "echo out; echo err >&2; exit 3"], bounds(10_000));
  expect(ended).toMatchObject({ stdout: "out\n", stderr: "err\n", status: 3 });
});

test("a program that does not end is ended with all that it started", async () => {
  const { stdout, status, ms } = await bounded(
    ["sh", "-c", "sleep 60 & echo $!; wait"],
    bounds(400),
  );
  expect(status).toBeNull();
  expect(ms).toBeLessThan(20_000);
  expect(Number(stdout)).toBeGreaterThan(1);
  await expect.poll(() => isAlive(Number(stdout))).toBe(false);
});

test("a program that is not there is an error, not a pass", async () => {
  await expect(bounded(["/nonexistent/client"], bounds(1000))).rejects.toThrow("ENOENT");
});

// Only /proc tells whose home a process has.
test.runIf(existsSync("/proc/self/environ"))(
  "what left the group but has the stage's home is found, ended and named",
  async () => {
    const stage = makeStage();
    const words = ["sh", "-c", "setsid sleep 61 >/dev/null 2>&1 & sleep 0.2"];
    await bounded(words, bounds(10_000, stage.home));
    expect(await endLeftovers(stage.home)).toEqual([expect.stringContaining("sleep 61")]);
    await sleep(50);
    expect(await endLeftovers(stage.home)).toEqual([]);
    stage.clear();
    expect(existsSync(stage.base)).toBe(false);
  },
);

test("a stage holds a home and a project, and is gone afterwards", () => {
  const stage = makeStage();
  stage.write({ "project/a/run.sh": "#!/bin/sh\n", "home/.rc": "x" });
  expect(existsSync(join(stage.project, "a/run.sh"))).toBe(true);
  expect(existsSync(join(stage.home, ".rc"))).toBe(true);
  stage.clear();
  expect(existsSync(stage.base)).toBe(false);
});

test.each([
  [{ OPENAI_API_KEY: "x7f3" }, "OPENAI_API_KEY"],
  [{ GITHUB_TOKEN: "abc" }, "GITHUB_TOKEN"],
  [{ REMOTE: "https://me:pass@example.org" }, "REMOTE"],
  [{ NOTE: "sk-ant-REDACTED" }, "NOTE"],
])("what looks like a real key is not passed on: %o", (env, name) => {
  expect(() => refuseKeys(env)).toThrow(name);
});

test("dummy keys are", () => {
  expect(() =>
    refuseKeys({ OPENAI_API_KEY: "dummy", PATH: "/bin", EMPTY_TOKEN: "" }),
  ).not.toThrow();
});

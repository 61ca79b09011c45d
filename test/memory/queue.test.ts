import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { envelope } from "../../src/memory/envelope.ts";
import { append, drain, pending, type Envelope, type Limits } from "../../src/memory/queue.ts";
import { REPO } from "../_dispatch.ts";

const base = mkdtempSync(join(tmpdir(), "anyhook-queue-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let n = 0;
const fresh = (): string => {
  const folder = join(base, `q${n++}`);
  mkdirSync(folder);
  return folder;
};

const one = (id: string, payload = ""): Envelope => ({
  ...{ v: 1, recorded_at: "2026-01-01T00:00:00.000Z", id, call: "", session: "s", harness: "h" },
  ...{
    event: "PostToolUse",
    tool: "Bash",
    cwd: "/",
    paths: [],
    outcome: "ok",
    subject: "ls",
    payload,
  },
});
const ids = (all: readonly Envelope[]): string[] => all.map(({ id }) => id);

test("a drain returns all, in order, each event once, and empties the queue", () => {
  const folder = fresh();
  for (const id of ["a", "b", "a", "c"]) append(folder, one(id));
  const first = drain(folder);
  expect(ids(first.envelopes)).toEqual(["a", "b", "c"]);
  expect(readFileSync(join(folder, readdirSync(folder)[0]!), "utf8")).toContain('"id":"c"');
  first.commit();
  expect(readdirSync(folder)).toEqual([]);
  expect(drain(folder).envelopes).toEqual([]);
});

test("a crash between drain and commit loses nothing, and what came meanwhile is there too", () => {
  const folder = fresh();
  append(folder, one("a"));
  drain(folder);
  append(folder, one("b"));
  const again = drain(folder);
  expect(ids(again.envelopes)).toEqual(["a", "b"]);
  again.commit();
  expect(drain(folder).envelopes).toEqual([]);
});

test("a line that is torn or no JSON is skipped and counted", () => {
  const folder = fresh();
  append(folder, one("a"));
  appendFileSync(join(folder, "queue.jsonl"), '{"v":1,"id":"torn\nnonsense\n');
  append(folder, one("b"));
  const { envelopes, damaged } = drain(folder);
  expect(ids(envelopes)).toEqual(["a", "b"]);
  expect(damaged).toBe(2);
});

test("beyond the cap the newest are kept, and the disk stays bounded", () => {
  const folder = fresh();
  const limits: Limits = { segmentBytes: 2000, segments: 3, envelopes: 5 };
  for (let i = 0; i < 200; i++) append(folder, one(`e${i}`, "x".repeat(100)), limits);
  const bytes = readdirSync(folder).reduce(
    (sum, name) => sum + readFileSync(join(folder, name)).length,
    0,
  );
  expect(bytes).toBeLessThan(2000 * 6);
  const { envelopes, dropped } = drain(folder, limits);
  expect(ids(envelopes)).toEqual(["e195", "e196", "e197", "e198", "e199"]);
  expect(dropped).toBeGreaterThan(0);
});

let worker = "";
beforeAll(async () => {
  worker = join(base, "worker.mjs");
  await build({
    stdin: {
      contents: `import { append } from ${JSON.stringify(join(REPO, "src/memory/queue.ts"))};
        const [folder, name] = process.argv.slice(2);
        for (let i = 0; i < 100; i++) append(folder, { v: 1, id: name + i, paths: [], payload: "x".repeat(3000), recorded_at: "", call: "", session: "", harness: "", event: "", tool: "", cwd: "", outcome: "ok", subject: "" });`,
      resolveDir: REPO,
      loader: "ts",
    },
    ...{ bundle: true, platform: "node", format: "esm", outfile: worker },
  });
});

test("eight processes append while another drains: nothing is lost", async () => {
  const folder = fresh();
  const names = [..."abcdefgh"];
  const seen = new Set<string>();
  let busy = true;
  const drains = (async () => {
    for (let last = false; ;) {
      const { envelopes, commit } = drain(folder, {
        segmentBytes: 5e7,
        segments: 9,
        envelopes: 1e6,
      });
      for (const { id } of envelopes) seen.add(id);
      commit();
      if (last) return;
      last = !busy;
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  })();
  const run = promisify(execFile);
  await Promise.all(names.map((name) => run(process.execPath, [worker, folder, name])));
  busy = false;
  await drains;
  const expected = names.flatMap((name) => Array.from({ length: 100 }, (_, i) => `${name}${i}`));
  expect([...seen].toSorted()).toEqual(expected.toSorted());
  expect(pending(folder)).toBe(0);
});

test("an envelope says what happened, is cut to 4 KiB and has no secret, also not at the cut", async () => {
  const key = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
  const made = await envelope({
    ...{ id: "s:PostToolUse:t1", session: "s", harness: "h", event: "PostToolUse", cwd: "/w" },
    paths: ["/w/a.ts"],
    now: new Date("2026-01-01T00:00:00Z"),
    payload: {
      tool_name: "Bash",
      tool_use_id: "t1",
      tool_input: { command: `curl -H "Authorization: Bearer abcdefghijklmnop" x` },
      tool_response: { stdout: `${"y".repeat(4040)} ${key} ${"z ".repeat(90_000)}`, exit_code: 1 },
    },
  });
  const { payload, ...rest } = made;
  expect(rest).toEqual({
    ...{
      v: 1,
      recorded_at: "2026-01-01T00:00:00.000Z",
      id: "s:PostToolUse:t1",
      call: "t1",
      session: "s",
    },
    ...{
      harness: "h",
      event: "PostToolUse",
      tool: "Bash",
      cwd: "/w",
      paths: ["/w/a.ts"],
      outcome: "failed",
    },
    subject: 'curl -H "Authorization: Bearer [redacted]" x',
  });
  expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(4096);
  expect(payload).toContain("yyyy");
  expect(JSON.stringify(made)).not.toMatch(/ghp_|wWPw|abcdefghijklmnop/);
});

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { threadAt } from "../../src/install/lifecycle-state.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-lifecycle-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const THREADS = 300;

/** Looks and begins, as the command does, one thread after the other, side by side with others. */
const RUNNER = `
import { begin, look, threadAt } from "./state.mjs";
const performed = [];
for (let i = 0; i < ${THREADS}; i++) {
  const thread = threadAt(${JSON.stringify(join(base, "store"))}, "codex", "t" + i);
  if (!look(thread).session && begin(thread, "/project", new Date())) performed.push(i);
}
console.log(JSON.stringify(performed));
`;

test("a session that is being begun is begun once, and never taken for a damaged one", async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "../../src/install/lifecycle-state.ts")],
    outfile: join(base, "state.mjs"),
    ...({ bundle: true, platform: "node", format: "esm", logLevel: "silent" } as const),
  });
  writeFileSync(join(base, "runner.mjs"), RUNNER);
  // Really damaged ones are set aside by all of them at once.
  const store = join(base, "store");
  mkdirSync(join(store, "lifecycle/codex"), { recursive: true });
  for (let i = 0; i < THREADS; i += 2)
    writeFileSync(`${threadAt(store, "codex", `t${i}`).file}.stopped`, "half a li");
  const all = await Promise.all(Array.from({ length: 4 }, begun));
  expect(all.flat().toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: THREADS }, (_, i) => i),
  );
  const left = readdirSync(join(base, "store/lifecycle/codex"));
  expect(left.filter((name) => !/\.(started|stopped\.damaged)$/.test(name))).toEqual([]);
});

function begun(): Promise<number[]> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(base, "runner.mjs")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.on("close", () => resolve(text === "" ? [] : (JSON.parse(text) as number[])));
  });
}

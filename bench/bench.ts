/** Ratios from one interleaved run: every scenario once per round, medians compared inside the run. */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { makeScenarios, type Scenario } from "./scenarios.ts";

const quick = process.argv.includes("--quick");
const inherited = process.argv.includes("--inherit");
const asJson = process.argv.includes("--json");
const rounds = quick ? 15 : 101;
const root = process.cwd();

const { scenarios, close } = makeScenarios(root, inherited);
const times = new Map<string, number[]>(scenarios.map(({ name }) => [name, []]));
try {
  for (let round = -2; round < rounds; round++)
    for (const scenario of scenarios) {
      const ms = await measure(scenario);
      if (round >= 0) times.get(scenario.name)!.push(ms);
    }
} finally {
  close();
}

const median = (name: string): number => times.get(name)!.toSorted((a, b) => a - b)[rounds >> 1]!;

/** What was promised: [scenario, compared with, at most]. */
const PROMISES: readonly (readonly [string, string, number])[] = [
  ["quiet event, 10 hooks", "bare sh", 4],
  ["quiet event, 10 hooks", "bare node", 0.1],
  ["quiet event, 10 hooks, as installed", "quiet event, 10 hooks, from a bare sh -c", 1.3],
  ["ten silent sh hooks", "plain sh loop over the ten", 2.5],
  ["ten TypeScript hooks", "bare node", 2],
  ["quiet event, 1000 hooks", "quiet event, 10 hooks", 3],
  ["ten TypeScript hooks", "one TypeScript hook", 1.5],
  ["PostToolUse, the same check, async", "PostToolUse, a check of 50 ms", 0.5],
];

report();

async function measure(scenario: Scenario): Promise<number> {
  const began = performance.now();
  if (scenario.parallel)
    await Promise.all(scenario.parallel.map((argv) => runAsync(argv, scenario)));
  else {
    const [file, ...args] = scenario.argv!;
    const { status, stderr } = spawnSync(file!, args, {
      cwd: scenario.cwd,
      env: scenario.env,
      input: scenario.input,
    });
    if (status !== scenario.exit)
      throw new Error(`${scenario.name}: exit ${status}: ${stderr.toString()}`);
  }
  return performance.now() - began;
}

function runAsync(argv: readonly string[], scenario: Scenario): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(argv[0]!, argv.slice(1), {
      cwd: scenario.cwd,
      env: scenario.env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.stdin.end(scenario.input);
    child.on("close", () => resolve());
  });
}

function report(): void {
  const sh = median("bare sh");
  const node = median("bare node");
  const rows = scenarios.map(({ name }) => ({
    name,
    ms: median(name),
    sh: median(name) / sh,
    node: median(name) / node,
  }));
  const promises = PROMISES.map(([name, against, most]) => {
    const ratio = median(name) / median(against);
    return { name, against, ratio: Number(ratio.toFixed(3)), most, kept: ratio <= most };
  });
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ rounds, rows, promises }, null, 2)}\n`);
    return;
  }
  const line = (cells: readonly string[]): string =>
    `${cells[0]!.padEnd(46)}${cells
      .slice(1)
      .map((c) => c.padStart(11))
      .join("")}\n`;
  process.stdout.write(
    `${rounds} interleaved rounds, ${inherited ? "in this environment" : "in an empty environment (--inherit: in this one)"}; medians. Only the ratios mean something.\n\n`,
  );
  process.stdout.write(line(["", "ms", "× bare sh", "× bare node"]));
  for (const row of rows)
    process.stdout.write(
      line([row.name, row.ms.toFixed(2), row.sh.toFixed(2), row.node.toFixed(2)]),
    );
  process.stdout.write("\n");
  for (const p of promises)
    process.stdout.write(
      `${p.kept ? "kept  " : "MISSED"}  ${p.name} ≤ ${p.most} × ${p.against}: ${p.ratio.toFixed(2)}\n`,
    );
  process.stdout.write(
    `\nShell: ${spawnSync("sh", ["-c", "readlink -f /bin/sh"]).stdout.toString().trim()}; awk: ${spawnSync("sh", ["-c", 'readlink -f "$(command -v awk)"']).stdout.toString().trim()}; node ${process.version}; ${join("bench", "bench.ts")}\n`,
  );
}

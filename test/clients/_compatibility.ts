import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Reporter, type TestCase, type TestModule } from "vitest/node";
import { REPO } from "../_dispatch.ts";

const PAGE = join(REPO, "docs/compatibility.md");

const RESULTS = {
  passed: "yes",
  failed: "**no**",
  skipped: "not run",
  pending: "not run",
} as const;

/** Writes docs/compatibility.md: one row per scenario, one column per client, as they just ran. */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    writeFileSync(PAGE, pageOf(tests));
  }
}

function pageOf(tests: readonly TestCase[]): string {
  const clients = [...new Set(tests.map(clientOf))];
  const scenarios = [...new Set(tests.map(({ name }) => name))];
  const cell = (client: string, name: string): string => {
    const test = tests.find((one) => clientOf(one) === client && one.name === name);
    return test === undefined ? "–" : RESULTS[test.result().state];
  };
  const rows = scenarios.map((name) => [name, ...clients.map((client) => cell(client, name))]);
  const table = [["scenario", ...clients], ["---", ...clients.map(() => "---")], ...rows];
  return HEAD + table.map((row) => `| ${row.join(" | ")} |\n`).join("");
}

function clientOf(test: TestCase): string {
  let suite = test.parent;
  while (suite.type === "suite" && suite.parent.type === "suite") suite = suite.parent;
  return suite.type === "suite" ? suite.name : "";
}

const HEAD = `<!-- Written by npm run test:clients. Do not edit. -->

# Compatibility: what real clients did

Real clients in these versions, started headless in a throw-away project with a home of its own, with
the dispatcher connected as [connecting.md](connecting.md) says. A scripted model on loopback plays
the agent's part, so that no account is needed and what the model was told can be looked at. All
clients meet the same folder of hooks: scripts, modules, a node and a list.

*yes*: it was run and held. **no**: it was run and did not. *not run*: the client was not there. A
dash means that the scenario does not concern that client. A *yes* also means that the client ended by
itself, left no process behind, called none of our replies a failure, and that the ledger names it.

Last run on ${process.platform} ${process.arch} with Node ${process.versions.node}.

`;

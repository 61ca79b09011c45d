import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Reporter, type TestCase, type TestModule } from "vitest/node";
import type { EventProof } from "../../src/prove/client-proof.ts";
import { REPO } from "../_dispatch.ts";

const PAGE = join(REPO, "docs/compatibility.md");

const RESULTS = {
  passed: "yes",
  failed: "**no**",
  skipped: "not run",
  pending: "not run",
} as const;

/** Writes docs/compatibility.md: what each client did at each event, and which scenarios held. */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const all = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
    if (modules.length < all.length) throw new Error("a page is made of a whole run only");
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const [events, scenarios] = [
      tests.filter((test) => suiteOf(test).endsWith(BY_EVENT)),
      tests.filter((test) => !suiteOf(test).endsWith(BY_EVENT)),
    ];
    writeFileSync(PAGE, [HEAD, eventsPart(events), scenariosPart(scenarios)].join("\n"));
  }
}

const BY_EVENT = ", event by event";

function eventsPart(tests: readonly TestCase[]): string {
  const clients = [...new Set(tests.map(suiteOf))];
  const events = [...new Set(tests.map(({ name }) => name))].filter((name) => /^[A-Z]/.test(name));
  const cell = (client: string, event: string): string => {
    const test = tests.find((one) => suiteOf(one) === client && one.name === event);
    if (test === undefined) return "–";
    const { proof } = test.meta() as { proof?: EventProof };
    return proof ? wordsOn(proof, test) : RESULTS[test.result().state];
  };
  const names = clients.map((client) => client.slice(0, -BY_EVENT.length));
  const rows = events.map((event) => [
    `\`${event}\``,
    ...clients.map((client) => cell(client, event)),
  ]);
  return `${EVENTS_HEAD}\n${table(["event", ...names], rows)}\n${effectsPart(tests)}`;
}

function wordsOn({ state, effects }: EventProof, test: TestCase): string {
  if (state === "unreachable") return "not reached";
  if (test.result().state !== "passed") return "**no**";
  return effects.length === 0 ? "fires" : "holds";
}

/** Which effects were seen where, and what no session reached. */
function effectsPart(tests: readonly TestCase[]): string {
  const proofs = tests.flatMap((test) => {
    const { proof } = test.meta() as { proof?: EventProof };
    return proof ? [{ client: suiteOf(test).slice(0, -BY_EVENT.length), proof }] : [];
  });
  const seen = new Map<string, string[]>();
  for (const { client, proof } of proofs)
    for (const { what, holds } of proof.effects) {
      const key = `\`${proof.event}\`: ${what}`;
      seen.set(key, [...(seen.get(key) ?? []), holds ? client : `**not ${client}**`]);
    }
  const rows = [...seen].map(([what, clients]) => [what, clients.join(", ")]);
  const unreached = proofs.filter(({ proof }) => proof.state === "unreachable");
  const why = unreached.map(
    ({ client, proof }) => `- ${client}, \`${proof.event}\`: ${proof.why}\n`,
  );
  return `\n${table(["seen", "in"], rows)}\nNot reached by any session here:\n\n${why.join("")}`;
}

/** One table for all suites with the same scenarios. */
function scenariosPart(tests: readonly TestCase[]): string {
  const suites = [...new Set(tests.map(suiteOf))];
  const namesIn = (suite: string): string[] =>
    tests.filter((test) => suiteOf(test) === suite).map(({ name }) => name);
  const firsts = [...new Set(suites.map((suite) => namesIn(suite)[0]))];
  const tables = firsts.map((first) =>
    scenarioTable(
      tests,
      suites.filter((suite) => namesIn(suite)[0] === first),
    ),
  );
  return `${SCENARIOS_HEAD}\n${tables.join("\n")}`;
}

function scenarioTable(tests: readonly TestCase[], suites: readonly string[]): string {
  const mine = tests.filter((test) => suites.includes(suiteOf(test)));
  const cell = (suite: string, name: string): string => {
    const test = mine.find((one) => suiteOf(one) === suite && one.name === name);
    return test === undefined ? "–" : RESULTS[test.result().state];
  };
  const names = [...new Set(mine.map(({ name }) => name))];
  const rows = names.map((name) => [name, ...suites.map((suite) => cell(suite, name))]);
  return table(["scenario", ...suites], rows);
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("");

function suiteOf(test: TestCase): string {
  let suite = test.parent;
  while (suite.type === "suite" && suite.parent.type === "suite") suite = suite.parent;
  return suite.type === "suite" ? suite.name : "";
}

const HEAD = `<!-- Written by npm run test:clients. Do not edit. -->

# Compatibility: what real clients did

Real clients in these versions, started headless in a throw-away project with a home of its own, and
connected by [\`anyhook install\`](connecting.md). A scripted model on loopback plays the agent's part, so
that no account is needed and what the model was told can be looked at. It is the machinery of
[\`anyhook prove\`](prove.md), which does the same with your hooks on your machine.

Last run on ${new Date().toISOString().slice(0, 10)}, ${process.platform} ${process.arch}, with Node ${process.versions.node}.
`;

const EVENTS_HEAD = `## Event by event

*holds*: a hook fired there and the client did what it said. *fires*: it fired; nothing can be enforced
there. **no**: it was played and did not hold. *not reached*: no session without a person reaches it.
A dash: the client has no such event. *not run*: the client was not there.
`;

const SCENARIOS_HEAD = `## Scenarios

All clients meet the same folder of hooks: scripts, modules, a node and a list. *yes*: it was run and
held. A *yes* also means that the client ended by itself, left no process behind, called none of our
replies a failure, and that the ledger names it.
`;

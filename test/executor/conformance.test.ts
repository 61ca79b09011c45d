import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type EventName, HookExecutor, type HookResult } from "../../src/index.ts";
import { dispatch, makeProject, NODE_LANE, payloadOf, REPO, type Project } from "../_dispatch.ts";

/** The cases that both lanes of the dispatcher must pass, through the library: one engine. */
interface Case {
  readonly file: string;
  readonly title: string;
  readonly event: string;
  readonly payload: string | Readonly<Record<string, string>>;
  readonly change?: Readonly<Record<string, unknown>>;
  /** Put into the payload's text, instead of texts that mark the places. */
  readonly raw?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly expect: Readonly<Record<string, Expected>>;
  readonly ledger?: { decision?: Record<string, unknown>; hooks?: Record<string, unknown>[] };
  readonly after?: Readonly<Record<string, string>>;
}

interface Expected {
  readonly exit: number;
  readonly stdout?: Reply | string;
  readonly stderr?: string;
}

interface Reply {
  readonly decision?: string;
  readonly reason?: string;
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
    readonly updatedInput?: unknown;
    readonly updatedToolOutput?: unknown;
    readonly decision?: { readonly behavior: string; readonly message?: string };
  };
}

const HARNESS = "claude-code";

const folder = join(REPO, "test/conformance/cases");
const all = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .toSorted()
  .map((file) => ({ ...(parse(readFileSync(join(folder, file), "utf8")) as Case), file }));

/** What is about a harness's wire, and not about hooks. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "halt.yaml": "a program can be told to halt, so nothing is clamped",
  "raw.yaml": "a program gets a decision and no bytes",
  "rewrite-nothing-first-block.yaml": "a program takes context beside a block",
  "secrets.yaml": "there is no ledger",
  "sub-agent-nobody.yaml": "only a harness delivers what is not what it says",
};

/** What one event leaves for the next lies in the store, which a program does not have. */
const STORED = /^(async|budget|wrong)-/;

const cases = all.filter(
  ({ file, expect: by }) => HARNESS in by && !(file in ELSEWHERE) && !STORED.test(file),
);

const projects: Project[] = [];
afterAll(() => projects.forEach((project) => project.remove()));

async function execute(c: Case, project: Project): Promise<HookResult> {
  const fixture = typeof c.payload === "string" ? c.payload : c.payload[HARNESS]!;
  const change = JSON.parse(
    JSON.stringify(c.change ?? {}).replaceAll("{project}", project.root),
  ) as object;
  const text = payloadOf(HARNESS, fixture, project, change as Record<string, unknown>);
  const payload = JSON.parse(
    Object.entries(c.raw ?? {}).reduce((out, [mark, by]) => out.replaceAll(mark, by), text),
  ) as object;
  const executor = new HookExecutor({
    project: project.root,
    harness: HARNESS,
    env: { ...project.env, ...c.env },
    onWarning: () => {},
  });
  try {
    return await executor.execute(c.event as EventName, payload);
  } finally {
    await executor.close();
  }
}

/** What Claude Code is told, as the library says it. */
function expected({ exit, stdout, stderr = "" }: Expected) {
  const reply: Reply = typeof stdout === "object" ? stdout : {};
  const own = reply.hookSpecificOutput ?? {};
  const verdict = own.permissionDecision ?? own.decision?.behavior ?? reply.decision;
  const blocked =
    exit === 2 || verdict === "deny" || verdict === "block" || reply.continue === false;
  const said =
    own.permissionDecisionReason ?? own.decision?.message ?? reply.reason ?? reply.stopReason;
  return {
    blocked,
    asks: verdict === "ask",
    reason: blocked ? (said ?? stderr.trim()) : "",
    context: own.additionalContext ?? "",
    input: own.updatedInput ?? own.updatedToolOutput,
    ...(exit === 2 ? {} : { warnings: stderr }),
  };
}

test("nearly all cases are here, and the others are named", () => {
  expect(cases.length).toBeGreaterThan(95);
  const names = all.map(({ file }) => file);
  expect(Object.keys(ELSEWHERE).filter((file) => !names.includes(file))).toEqual([]);
});

describe.each(cases)("$file: $title", (c) => {
  test("the library decides as the dispatcher does", async () => {
    const project = makeProject(c.files);
    projects.push(project);
    const { outcomes, decision, ...result } = await execute(c, project);
    const want = expected(c.expect[HARNESS]!);
    const warnings = result.warnings.replaceAll(project.root, "{project}");
    expect({
      blocked: result.blocked,
      asks: decision.verdict === "ask",
      reason: result.reason.replaceAll(project.root, "{project}"),
      context: result.context,
      input: result.input,
      ...("warnings" in want ? { warnings } : {}),
    }).toEqual(want);
    if (c.ledger?.decision) expect(decision).toMatchObject(c.ledger.decision);
    if (c.ledger?.hooks) expect(outcomes).toMatchObject(c.ledger.hooks);
    for (const [path, text] of Object.entries(c.after ?? {}))
      expect(readFileSync(join(project.root, path), "utf8"), path).toBe(text);
  });
});

/** Several hooks in one event: who ran, in which order, and what came of it. */
const CHAINS =
  /^(allow-then|context-beside|contexts|depth\.|first-block|module-mixed|order|rewrite-(and|chain|into)|run-all|skip)/;
const chains = cases.filter(({ file }) => CHAINS.test(file));

describe.each(chains)("$file: hook by hook", (c) => {
  test("the library's outcomes are the ledger's", async () => {
    const project = makeProject(c.files);
    projects.push(project);
    const { outcomes } = await execute(c, project);
    const fixture = typeof c.payload === "string" ? c.payload : c.payload[HARNESS]!;
    const payload = payloadOf(HARNESS, fixture, project, c.change);
    dispatch(project, NODE_LANE, HARNESS, c.event, payload, c.env);
    const recorded = project.ledger().at(-1)?.["hooks"] as Record<string, unknown>[];
    expect(recorded.length).toBeGreaterThan(1);
    expect(outcomes.map(timeless)).toEqual(recorded.map(timeless));
  });
});

/** As the ledger writes it: without what is empty, and without the time. */
const timeless = (outcome: object): object =>
  Object.fromEntries(
    Object.entries(outcome).filter(([key, value]) => key !== "ms" && value !== ""),
  );

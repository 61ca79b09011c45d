import type { LedgerEntry } from "../ledger/entry.ts";
import type { VerdictKind } from "../model.ts";
import type { Returned, Understood } from "./_dispatcher.ts";
import {
  FIRST_REASON,
  forcePushScript,
  RULES,
  SCRIPT,
  SECOND_REASON,
  STOP_REASON,
} from "./demo-files.ts";
import type { Deed } from "./demo-payloads.ts";
import type { Stage } from "./demo-stage.ts";

/** One thing that the agent does, and what must come of it. */
export interface Scene {
  /** What the agent does, as a sentence without its subject. */
  readonly does: string;
  readonly deed: Deed;
  /** What happens around it first, and how it is told. */
  readonly before?: { readonly told: string; readonly act: (stage: Stage) => void };
  readonly expect: Expectation;
  /** The hooks have changed, so that this event compiles them. */
  readonly compiles?: boolean;
}

export interface Expectation {
  readonly verdict: VerdictKind;
  readonly reason?: string;
  readonly context?: string;
  readonly command?: string;
  /** A hook that fails here, and is reported. */
  readonly fails?: string;
}

/** One scene as it was played. */
export interface Played {
  readonly harness: string;
  readonly scene: Scene;
  readonly returned: Returned;
  readonly means: Understood;
  readonly entry: LedgerEntry | undefined;
  /** Expectations that did not hold. */
  readonly broken: readonly string[];
}

const PUSH = "git push --force origin main";
const COMMIT = 'git commit -m "Add login"';

export const SCENES: readonly Scene[] = [
  {
    does: "opens a session",
    deed: { event: "SessionStart" },
    expect: { verdict: "pass", context: RULES },
    compiles: true,
  },
  {
    does: "wants to run",
    deed: { event: "PreToolUse", command: "git status" },
    expect: { verdict: "pass" },
  },
  {
    does: "wants to run",
    deed: { event: "PreToolUse", command: PUSH },
    expect: { verdict: "deny", reason: FIRST_REASON },
  },
  {
    does: "wants to run",
    deed: { event: "PreToolUse", command: COMMIT },
    expect: { verdict: "rewrite", command: `${COMMIT} --signoff` },
  },
  {
    does: "has edited",
    deed: { event: "PostToolUse", edits: "src/login.ts" },
    expect: { verdict: "pass", fails: "lint" },
  },
  {
    does: "tries again",
    deed: { event: "PreToolUse", command: PUSH },
    before: {
      told: "Meanwhile you edit the text of no-force-push.sh; the session goes on.",
      act: ({ write }) => write(SCRIPT, forcePushScript(SECOND_REASON)),
    },
    expect: { verdict: "deny", reason: SECOND_REASON },
    compiles: true,
  },
  {
    does: "wants to stop",
    deed: { event: "Stop" },
    expect: { verdict: "deny", reason: STOP_REASON },
  },
  {
    does: "wants to stop",
    deed: { event: "Stop", again: true },
    before: {
      told: "It does as it was told, and the tests pass.",
      act: ({ write }) => write(".tests-passed", ""),
    },
    expect: { verdict: "pass" },
  },
];

/** As at the beginning, for the next actor. */
export function rewind({ write, remove }: Stage): void {
  write(SCRIPT, forcePushScript(FIRST_REASON));
  remove(".tests-passed");
}

/** What does not hold; empty when all is as it should be. */
export function broken(
  expect: Expectation,
  returned: Returned,
  means: Understood,
  entry: LedgerEntry | undefined,
): string[] {
  const failed =
    entry?.hooks.filter(({ status }) => status === "failed").map(({ name }) => name) ?? [];
  const blocks = expect.verdict === "deny";
  const checks: readonly [boolean, string][] = [
    [entry !== undefined, "the ledger has no entry"],
    [means.verdict === expect.verdict, `the answer is ${means.verdict}, not ${expect.verdict}`],
    [(returned.exit === 2) === blocks, `the exit code is ${returned.exit}`],
    [means.reason.includes(expect.reason ?? ""), `the reason is "${means.reason}"`],
    [means.context.includes(expect.context ?? ""), `the context is "${means.context}"`],
    [
      expect.command === undefined || means.input?.["command"] === expect.command,
      `the input is ${JSON.stringify(means.input)}`,
    ],
    [failed.join() === (expect.fails ?? ""), `failed hooks: ${failed.join(", ") || "none"}`],
    [
      expect.fails === undefined || returned.stderr.includes(`${expect.fails} failed`),
      "the failure was not reported",
    ],
  ];
  return checks.filter(([holds]) => !holds).map(([, what]) => what);
}

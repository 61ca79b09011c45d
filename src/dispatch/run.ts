import { HANDLERS, type Work } from "../handlers/index.ts";
import { missingFor, notStarted } from "../handlers/command.ts";
import { judgeRun, PASS, type Run } from "../handlers/_verdict.ts";
import type { Hook, Occurrence, Outcome } from "../model.ts";
import { canonicalBytes } from "./canonical.ts";
import { clampVerdict } from "./clamp.ts";
import type { Dispatch } from "./dispatch.ts";
import { decodeOccurrence } from "./occurrence.ts";
import { markOnce, planHooks, type Planned } from "./plan.ts";
import { membersOf, mergeObjects } from "./raw.ts";

export interface Ran {
  readonly outcomes: readonly Outcome[];
  /** The payload as rewritten by the hooks. */
  readonly payload: Buffer;
}

/** Runs the plan in order; a rewrite changes what the next hook sees and which hooks are next. */
export async function runHooks(dispatch: Dispatch, began: number): Promise<Ran> {
  const outcomes: Outcome[] = [];
  let { payload, event } = dispatch;
  let plan = planHooks(dispatch.index, event, dispatch.switches);
  let stopped = "";
  while (plan.length > 0) {
    const [next, ...rest] = plan as [Planned, ...Planned[]];
    plan = rest;
    const before = dispatch.progress.done(next.hook, rowOf(dispatch, next.hook));
    const why = before ? "" : next.skipped || stopped;
    const outcome =
      before ??
      (why ? skipped(next.hook, why) : await runOne(dispatch, next.hook, event, payload, began));
    outcomes.push(outcome);
    if (blocks(dispatch, outcome) && chainOf(dispatch, next.hook) === "first-block")
      stopped = "an earlier hook blocked";
    const changed = rewritten(dispatch, outcome, payload);
    if (changed === undefined) continue;
    payload = changed;
    event = decodeOccurrence(dispatch.adapter, event.event, payload, dispatch.root);
    plan = planHooks(dispatch.index, event, dispatch.switches, next.hook);
  }
  return { outcomes, payload };
}

const skipped = (hook: Hook, detail: string): Outcome => ({
  hook,
  status: "skipped",
  exit: null,
  verdict: PASS,
  stderr: "",
  stdout: "",
  detail,
  ms: 0,
});

const chainOf = (dispatch: Dispatch, hook: Hook): string =>
  hook.chain === "" ? dispatch.index.settings.chain : hook.chain;

function blocks(dispatch: Dispatch, { hook, verdict }: Outcome): boolean {
  const { settings } = dispatch.index;
  const { kind } = clampVerdict(hook, verdict, settings.blockable, dispatch.surface, "");
  return kind === "deny" || kind === "halt";
}

async function runOne(
  dispatch: Dispatch,
  hook: Hook,
  event: Occurrence,
  payload: Buffer,
  began: number,
): Promise<Outcome> {
  markOnce(hook, event, dispatch.switches);
  const row = rowOf(dispatch, hook);
  if (hook.async) return detach(dispatch, hook, event, payload, row);
  const left = dispatch.budget - (performance.now() - began);
  if (left <= 0) return skipped(hook, "no time left for this event");
  const timeout = Math.floor(Math.min(hook.timeout, left));
  const inside = hook.kind === "module";
  if (inside) dispatch.progress.starts(row, timeout);
  const restore = inside ? dispatch.guard?.() : undefined;
  const ran = await attempt(hook, workFor(dispatch, hook, event, payload, timeout));
  const whole = restore?.() ?? true;
  const outcome = outcomeOf(hook, typeof ran === "string" ? notStarted(ran) : ran);
  dispatch.progress.ended(row, outcome);
  // Something cannot be put back: another process goes on from here.
  if (!whole) dispatch.progress.abandon();
  return outcome;
}

/** A module may have broken what its own handler needs; that is a failure of its own. */
const attempt = (hook: Hook, work: Work): Promise<Run | string> =>
  HANDLERS[hook.kind](hook, work).catch((error: unknown) => String(error));

function outcomeOf(hook: Hook, run: Run): Outcome {
  const judged = judgeRun(hook, run);
  return {
    hook,
    ...judged,
    exit: run.exit,
    stderr: run.stderr.subarray(0, 1_048_576).toString("utf8"),
    stdout: run.stdout.toString("latin1"),
    ms: run.ms,
    ...(run.trace ? { trace: run.trace } : {}),
  };
}

export const workFor = (
  dispatch: Dispatch,
  hook: Hook,
  event: Occurrence,
  payload: Buffer,
  timeout: number,
): Work => ({
  event,
  input: hook.payload === "canonical" ? canonicalBytes(event, payload) : payload,
  root: dispatch.root,
  cwd: dispatch.root || event.cwd,
  env: environment(dispatch, hook, event),
  timeout,
  slot: dispatch.slot,
  native: event.payload,
});

/** Its line in the index, which starts with the event's settings. */
const rowOf = (dispatch: Dispatch, hook: Hook): number => dispatch.index.hooks.indexOf(hook) + 2;

/** Queued, or failed like any hook that cannot start; noted, so that nobody queues it again. */
function detach(
  dispatch: Dispatch,
  hook: Hook,
  event: Occurrence,
  payload: Buffer,
  row: number,
): Outcome {
  const work = workFor(dispatch, hook, event, payload, hook.timeout);
  const problem = missingFor(hook, work) || dispatch.detach(hook, work, payload, row);
  const outcome: Outcome =
    problem === ""
      ? { ...skipped(hook, ""), status: "async" }
      : outcomeOf(hook, notStarted(problem));
  dispatch.progress.ended(row, outcome);
  return outcome;
}

function environment(dispatch: Dispatch, hook: Hook, event: Occurrence): NodeJS.ProcessEnv {
  const paths = event.paths.join("\n");
  return {
    ...dispatch.env,
    ANYHOOK_HARNESS: event.harness,
    ANYHOOK_EVENT: event.event,
    ANYHOOK_HOOK: hook.name,
    ANYHOOK_PROJECT_DIR: dispatch.root,
    ANYHOOK_EVENT_ID: clean(event.id),
    ANYHOOK_DEPTH: String(dispatch.switches.depth + 1),
    ANYHOOK_TOOL: clean(event.tool),
    // An environment is bounded; the payload on standard input has them all.
    ANYHOOK_PATHS: clean(paths.length > 60_000 ? boundedPaths(event.paths) : paths),
    ANYHOOK_LIB: dispatch.library,
    // Hooks that were written for Claude Code find their project by this name, on every harness.
    CLAUDE_PROJECT_DIR: dispatch.env["CLAUDE_PROJECT_DIR"] || dispatch.root,
  };
}

/** No variable may hold a NUL. */
const clean = (text: string): string => text.replaceAll("\0", "");

function boundedPaths(paths: readonly string[]): string {
  let text = "";
  for (const path of paths) {
    if (Buffer.byteLength(text) >= 60_000) break;
    text += (text === "" ? "" : "\n") + path;
  }
  return text;
}

/** The payload with the hook's new input in it, or undefined when it wants none. */
function rewritten(dispatch: Dispatch, outcome: Outcome, payload: Buffer): Buffer | undefined {
  const { verdict } = outcome;
  if (verdict.inputMode === "" || dispatch.rewrites === "") return undefined;
  const text = payload.toString("latin1");
  const member = membersOf(text).find((m) => m.key === dispatch.rewrites);
  if (!member) return undefined;
  const patch = Buffer.from(verdict.input).toString("latin1");
  const value = verdict.inputMode === "merge" ? mergeObjects(member.value, patch) : patch;
  return Buffer.from(text.slice(0, member.start) + value + text.slice(member.end), "latin1");
}

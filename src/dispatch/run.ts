import { HANDLERS, type Work } from "../handlers/index.ts";
import { missingFor, notStarted } from "../handlers/command.ts";
import { ABORTED, judgeRun, PASS, said, type Run } from "../handlers/_verdict.ts";
import type { Hook, Occurrence, Outcome } from "../model.ts";
import { canonicalBytes } from "./canonical-bytes.ts";
import { clampVerdict } from "./clamp.ts";
import type { Dispatch } from "./dispatch.ts";
import { environment } from "./environment.ts";
import { canonicalPayload, isObjectText, nativeSlice, nativeTool } from "./canonical.ts";
import { nativeInput } from "./input-keys.ts";
import { decodeOccurrence, parseObject } from "./occurrence.ts";
import { withoutInput } from "./merge.ts";
import { markOnce, planHooks, type Planned } from "./plan.ts";
import { membersOf, mergeBytes } from "./raw.ts";
import { NO_TIME } from "./streaks.ts";

export interface Ran {
  readonly outcomes: readonly Outcome[];
  /** The payload as rewritten by the hooks, in the harness's own form. */
  readonly payload: Buffer;
}

/** The payload as rewritten so far, in both forms; they are the same where the harness speaks ours. */
export interface Forms {
  readonly native: Buffer;
  readonly canonical: Buffer;
}

/** Runs the plan in order; a rewrite changes what the next hook sees and which hooks are next. */
export async function runHooks(dispatch: Dispatch, began: number): Promise<Ran> {
  const outcomes: Outcome[] = [];
  let { event } = dispatch;
  let forms = formsOf(dispatch);
  let plan = dispatch.ignored === "" ? planHooks(dispatch.index, event, dispatch.switches) : [];
  let stopped = "";
  while (plan.length > 0) {
    const [next, ...rest] = plan as [Planned, ...Planned[]];
    plan = rest;
    const before = dispatch.progress.done(next.hook, rowOf(dispatch, next.hook));
    const why = before ? "" : next.skipped || stopped;
    const outcome =
      before ??
      (why
        ? skipped(next.hook, why)
        : await runOne(dispatch, next.hook, event, forms, leftFor(next)));
    outcomes.push(outcome);
    if (blocks(dispatch, outcome) && chainOf(dispatch, next.hook) === "first-block")
      stopped = "an earlier hook blocked";
    const changed = rewritten(dispatch, outcome, forms);
    if (changed === undefined) continue;
    forms = changed;
    const { native, canonical } = forms;
    const seen = decodeOccurrence(dispatch.adapter, event.event, native, dispatch.root, canonical);
    event = { ...seen, id: event.id };
    plan = planHooks(dispatch.index, event, dispatch.switches, next.hook);
  }
  return { outcomes, payload: forms.native };

  function leftFor({ hook }: Planned): number {
    const left = dispatch.budget - (performance.now() - began);
    return hook.layer === "managed" ? left : left - reserved(plan, dispatch.budget);
  }
}

/** Nobody below uses up the time of managed hooks. */
function reserved(plan: readonly Planned[], budget: number): number {
  const kept = plan.filter(({ hook, skipped: why }) => hook.layer === "managed" && why === "");
  const times = kept.map(({ hook }) => (hook.async ? 0 : Math.min(5000, hook.timeout)));
  return Math.min(
    budget / 2,
    times.reduce((sum, time) => sum + time, 0),
  );
}

export const formsOf = ({ adapter, event, payload }: Dispatch): Forms => ({
  native: payload,
  canonical: canonicalPayload(adapter, event.event, payload),
});

export const skipped = (hook: Hook, detail: string): Outcome => ({
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

/** Whether the payload has what a rewrite would replace. */
export const isRewritable = ({ rewrites, event }: Dispatch): boolean =>
  rewrites !== "" && Object.hasOwn(event.payload, rewrites);

function blocks(dispatch: Dispatch, { hook, verdict }: Outcome): boolean {
  const { settings } = dispatch.index;
  const meant = isRewritable(dispatch) ? verdict : withoutInput(verdict);
  const { kind } = clampVerdict(hook, meant, settings.blockable, dispatch.surface, "");
  return kind === "deny" || kind === "halt";
}

async function runOne(
  dispatch: Dispatch,
  hook: Hook,
  event: Occurrence,
  forms: Forms,
  left: number,
): Promise<Outcome> {
  const row = rowOf(dispatch, hook);
  if (dispatch.signal?.aborted) return skipped(hook, ABORTED);
  // Nobody asked it: that is no answer, so its on_failure decides.
  if (left <= 0 && !hook.async)
    return outcomeOf(hook, { ...notStarted(NO_TIME), status: "timeout" });
  markOnce(hook, event, dispatch.switches);
  if (hook.async) return detach(dispatch, hook, event, forms, row);
  const timeout = Math.floor(Math.min(hook.timeout, left));
  const inside = hook.kind === "module";
  if (inside) dispatch.progress.starts(row, timeout);
  const restore = inside ? dispatch.guard?.() : undefined;
  const ran = await attempt(dispatch, hook, workFor(dispatch, hook, event, forms, timeout));
  const whole = restore?.() ?? true;
  const outcome = outcomeOf(hook, typeof ran === "string" ? notStarted(ran) : ran);
  dispatch.progress.ended(row, outcome);
  // Something cannot be put back, or still runs here: another process goes on.
  if (!whole || (inside && outcome.status === "timeout")) dispatch.progress.abandon();
  return outcome;
}

/** A module may have broken what its own handler needs; that is a failure of its own. */
function attempt(dispatch: Dispatch, hook: Hook, work: Work): Promise<Run | string> {
  const handler = dispatch.handlers?.[hook.kind] ?? HANDLERS[hook.kind];
  return handler(hook, work).catch((error: unknown) => String(error));
}

function outcomeOf(hook: Hook, run: Run): Outcome {
  const judged = judgeRun(hook, run);
  return {
    hook,
    ...judged,
    exit: run.exit,
    stderr: said(run.stderr),
    stdout: run.stdout.toString("latin1"),
    ms: run.ms,
    ...(run.trace ? { trace: run.trace } : {}),
  };
}

export const workFor = (
  dispatch: Dispatch,
  hook: Hook,
  event: Occurrence,
  forms: Forms,
  timeout: number,
): Work => ({
  event,
  input: inputOf(hook, event, forms),
  canonical: forms.canonical,
  root: dispatch.root,
  cwd: dispatch.root || event.cwd,
  env: environment(dispatch, hook, event),
  timeout,
  signal: dispatch.signal,
  slot: dispatch.slot,
  native: dispatch.adapter.wire ? parseObject(forms.native.toString("utf8")) : event.payload,
});

const isCommand = ({ kind }: Hook): boolean => ["script", "shell", "exec"].includes(kind);

/** Its line in the index, which starts with the event's settings. */
const rowOf = (dispatch: Dispatch, hook: Hook): number => dispatch.index.hooks.indexOf(hook) + 2;

/** Queued, or failed like any hook that cannot start; noted, so that nobody queues it again. */
function detach(
  dispatch: Dispatch,
  hook: Hook,
  event: Occurrence,
  forms: Forms,
  row: number,
): Outcome {
  const work = workFor(dispatch, hook, event, forms, hook.timeout);
  // A command is started with what it reads; Node decodes what the harness sent.
  const bytes = isCommand(hook) && hook.payload !== "canonical" ? work.input : forms.native;
  const problem = missingFor(hook, work) || dispatch.detach(hook, work, bytes, row);
  const outcome: Outcome =
    problem === ""
      ? { ...skipped(hook, ""), status: "async" }
      : outcomeOf(hook, notStarted(problem));
  dispatch.progress.ended(row, outcome);
  return outcome;
}

function inputOf(hook: Hook, event: Occurrence, { native, canonical }: Forms): Buffer {
  if (hook.payload === "native") return native;
  return hook.payload === "canonical" ? canonicalBytes(event, canonical) : canonical;
}

/** The payload with the hook's new input in it, or undefined when it wants none. */
function rewritten(dispatch: Dispatch, outcome: Outcome, forms: Forms): Forms | undefined {
  const { verdict } = outcome;
  if (verdict.inputMode === "" || dispatch.rewrites === "") return undefined;
  if (!isObjectText(forms.canonical)) return undefined;
  const text = forms.canonical.toString("latin1");
  const member = membersOf(text).find((m) => m.key === dispatch.rewrites);
  if (!member) return undefined;
  const patch = Buffer.from(verdict.input).toString("latin1");
  const value = verdict.inputMode === "merge" ? mergeBytes(member.value, patch) : patch;
  const canonical = spliced(text, member, value);
  return { canonical, native: rewrittenNative(dispatch, forms, value) ?? canonical };
}

/** The same in the harness's own words; undefined where they are ours. */
function rewrittenNative(dispatch: Dispatch, forms: Forms, value: string): Buffer | undefined {
  const { adapter, rewrites } = dispatch;
  if (!adapter.wire) return undefined;
  const text = forms.native.toString("latin1");
  const place = nativeSlice(adapter.wire, rewrites, text);
  if (!place) return forms.native;
  const keys = rewrites === "tool_input" ? nativeTool(adapter, text).facts?.input : undefined;
  return spliced(text, place, nativeInput(value, place.value, keys));
}

const spliced = (text: string, { start, end }: Place, value: string): Buffer =>
  Buffer.from(text.slice(0, start) + value + text.slice(end), "latin1");

type Place = Readonly<Record<"start" | "end", number>>;

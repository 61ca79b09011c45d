import { takesNotice, type Adapter, type Surface } from "../adapters/_contract.ts";
import { encodeReply } from "../adapters/_reply.ts";
import type { Handler, Work } from "../handlers/index.ts";
import type { Decision, HandlerKind, Hook, Occurrence, Reply } from "../model.ts";
import { nativeSlice } from "./canonical.ts";
import type { Index } from "./load.ts";
import { mergeOutcomes, type Merged } from "./merge.ts";
import type { Progress } from "./progress.ts";
import { memoryOf, type Switches } from "./plan.ts";
import type { Entry } from "./record.ts";
import { isRewritable, runHooks } from "./run.ts";
import type { Message } from "./inbox.ts";
import { guardStop } from "./stop-guard.ts";
import type { Streaks } from "./streaks.ts";

/** Everything one trip from payload to reply needs to know. */
export interface Dispatch {
  readonly adapter: Adapter;
  readonly surface: Surface;
  readonly event: Occurrence;
  /** What the harness sent. */
  readonly payload: Buffer;
  /** Why this is no occasion for any hook; empty when it is one. */
  readonly ignored: string;
  readonly index: Index;
  readonly switches: Switches;
  readonly root: string;
  readonly slot: string;
  readonly env: NodeJS.ProcessEnv;
  /** Path of the shell library for hook authors. */
  readonly library: string;
  /** The payload member that a rewrite replaces at this event; empty = none. */
  readonly rewrites: string;
  readonly budget: number;
  /** Whoever asked has gone: what runs is ended, and nothing is started any more. */
  readonly signal?: AbortSignal | undefined;
  readonly lane: string;
  /** Something the user must be told once (a compile that failed). */
  readonly notice: string;
  readonly progress: Progress;
  /** Handlers that stand in for ours: a process that lives on runs modules in another way. */
  readonly handlers?: Readonly<Partial<Record<HandlerKind, Handler>>>;
  /** Queues an async hook; says why when it cannot. */
  readonly detach: (hook: Hook, work: Work, payload: Buffer, row: number) => string;
  /** What async hooks of this session have said since. */
  readonly inbox?: readonly Message[];
  readonly streaks?: Streaks;
  /** Around a module: what it bends is put back, or the answer is that it cannot be. */
  readonly guard?: () => () => boolean;
}

export interface Dispatched {
  readonly reply: Reply;
  readonly entry: Entry;
}

/** The one place that knows the order: match → run → merge → clamp → encode → record. */
export async function dispatchEvent(dispatch: Dispatch): Promise<Dispatched> {
  const began = performance.now();
  const { outcomes, payload } = await runHooks(dispatch, began);
  const { settings } = dispatch.index;
  const { event, adapter, surface } = dispatch;
  const merged = mergeOutcomes(
    outcomes,
    surface,
    settings,
    event.event,
    adapter.id,
    isRewritable(dispatch),
    dispatch.streaks?.untold,
    dispatch.inbox,
  );
  dispatch.streaks?.note(outcomes);
  const decision = finalDecision(dispatch, merged, payload);
  const reply = settings.raw
    ? rawReply(
        outcomes.map((o) => [o.stdout, o.stderr]),
        decision,
      )
    : replyTo(surface, decision, merged, dispatch.notice);
  return {
    reply,
    entry: {
      event,
      lane: dispatch.lane,
      ms: Math.round(performance.now() - began),
      manifest: dispatch.index.manifest,
      depth: dispatch.switches.depth,
      notes: merged.notes,
      decision,
      remarks: remarksOf(dispatch, roomForContext(surface, decision)),
      ...(settings.recordPayload ? { payload: dispatch.payload.toString("utf8") } : {}),
    },
  };
}

function finalDecision(dispatch: Dispatch, merged: Merged, payload: Buffer): Decision {
  const notice = takesNotice(dispatch.surface)
    ? [dispatch.notice, merged.decision.notice].filter((t) => t !== "").join("\n")
    : "";
  const decision = guardStop(
    { ...merged.decision, notice },
    dispatch.event,
    memoryOf(dispatch.switches),
  );
  const speaks = ["rewrite", "ask", "allow"].includes(decision.verdict);
  if (!merged.rewrote || !speaks) return decision;
  const place = nativeSlice(dispatch.adapter.wire, dispatch.rewrites, payload.toString("utf8"));
  return { ...decision, input: place?.value ?? "" };
}

function replyTo(surface: Surface, decision: Decision, merged: Merged, notice: string): Reply {
  const template = surface.replies[decision.verdict] ?? surface.replies.pass!;
  const warnings = (notice === "" ? "" : `anyhook: ${notice}\n`) + merged.warnText;
  if (template.err === "") {
    const released = merged.decision.verdict === decision.verdict ? "" : releaseText(decision);
    const told =
      released === "" ? decision : { ...decision, notice: joinLines(decision.notice, released) };
    const reply = encodeReply(template, takesNotice(surface) ? told : decision, "");
    return { ...reply, stderr: warnings + (released === "" ? "" : `anyhook: ${released}\n`) };
  }
  const reply = encodeReply(template, decision, merged.blockText);
  return { ...reply, stderr: reply.stderr === "" ? "" : `${reply.stderr}\n` };
}

const releaseText = (decision: Decision): string =>
  `Not holding the agent back again: ${decision.unenforced}.`;

const joinLines = (...texts: string[]): string => texts.filter((t) => t !== "").join("\n");

/** S0.20: byte for byte, one after the other. */
const rawReply = (outputs: readonly (readonly [string, string])[], decision: Decision): Reply => ({
  raw: true,
  stdout: outputs.map(([out]) => out).join(""),
  stderr: outputs.map(([, err]) => err).join(""),
  exit: decision.verdict === "deny" ? 2 : 0,
});

/** Whether the reply says the context at all. */
export function roomForContext(surface: Surface, { verdict }: Decision): boolean {
  const template = surface.replies[verdict] ?? surface.replies.pass!;
  return template.out.includes("$C") || template.err === "reason+context";
}

function remarksOf({ index, event, ignored, inbox = [] }: Dispatch, room: boolean): string[] {
  const damaged = index.damaged.map((line) => `line ${line} of the manifest is damaged`);
  const empty = Object.keys(event.payload).length === 0;
  return [
    ...(ignored === "" ? [] : [ignored]),
    ...damaged,
    ...(empty ? ["the payload is not a JSON object"] : []),
    ...(room ? inbox.map(({ hook }) => `told what ${hook} said`) : []),
  ];
}

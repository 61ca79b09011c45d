import type { Adapter } from "../adapters/_contract.ts";
import { eventSettings } from "../compile/event-settings.ts";
import { parseAutomaton } from "../dispatch/automaton.ts";
import { dispatchEvent, type Dispatch, type Dispatched } from "../dispatch/dispatch.ts";
import type { Index } from "../dispatch/load.ts";
import type { Memory } from "../dispatch/memory.ts";
import { decodeOccurrence, safeName, scalarText } from "../dispatch/occurrence.ts";
import { NO_PROGRESS } from "../dispatch/progress.ts";
import { rewritesAt } from "../dispatch/rewrites.ts";
import { NO_STREAKS, streaksAt } from "../dispatch/streaks.ts";
import { type EventName, factsOf } from "../events.ts";
import type { Handler } from "../handlers/index.ts";
import type { Chain, EventSettings, Hook, Occurrence } from "../model.ts";
import type { HookSet } from "./hook-set.ts";
import { surfaceAt } from "./surface.ts";

/** What stays the same from call to call. */
export interface Program {
  readonly adapter: Adapter;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Path of the shell library for hook authors. */
  readonly library: string;
  readonly budget: number;
  readonly blocking: readonly EventName[] | undefined;
  readonly chain: (event: EventName) => Chain | undefined;
  readonly contextLimit: number | undefined;
  readonly memory: Memory;
}

/** One call. */
export interface Occasion {
  readonly event: EventName;
  readonly payload: Buffer;
  readonly set: HookSet;
  readonly chain: Chain | undefined;
  readonly depth: number;
  readonly handler: Handler;
  readonly detach: Dispatch["detach"];
  /** Tells this call from all others, where the program gives it no id. */
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  /** This one alone, and now: an async hook whose turn has come. */
  readonly only?: Hook;
}

/** The same trip that a payload makes through the node lane, without a harness at its ends. */
export const conduct = (program: Program, occasion: Occasion): Promise<Dispatched> =>
  dispatchEvent(dispatchOf(program, occasion));

export function dispatchOf(program: Program, occasion: Occasion): Dispatch {
  const { adapter, root, env, library, budget, memory } = program;
  const { event: name, payload, depth, handler, detach, signal } = occasion;
  const event = withId(decodeOccurrence(adapter, name, payload, root), occasion);
  const index = indexOf(program, occasion);
  const place = { state: "", session: event.session, hash: versionOf(occasion.set), memory };
  const streaks = occasion.only ? NO_STREAKS : streaksAt(place, index.settings.failureBudget);
  return {
    adapter,
    root,
    library,
    budget,
    payload,
    detach,
    signal,
    env,
    surface: surfaceAt(name, budget),
    event,
    index,
    streaks,
    switches: {
      off: env["ANYHOOK"] === "0",
      paused: false,
      skip: (env["ANYHOOK_SKIP"] ?? "").split(","),
      depth,
      state: "",
      memory,
      suspended: streaks.suspended,
    },
    slot: "",
    rewrites: rewritesAt(name),
    lane: "library",
    notice: "",
    ignored: "",
    progress: NO_PROGRESS,
    handlers: { module: handler },
  };
}

/** A harness may deliver twice what happened once; two calls of a program are two occurrences. */
function withId(event: Occurrence, { id }: Occasion): Occurrence {
  if (scalarText(event.payload["tool_use_id"]) !== "") return event;
  return { ...event, id: `${safeName(event.session)}:${event.event}:${id}` };
}

const versions = new WeakMap<HookSet, string>();
let latest = 0;

/** Another one after every change: an edit lifts what the failure budget suspended. */
function versionOf(set: HookSet): string {
  const known = versions.get(set) ?? String(++latest);
  versions.set(set, known);
  return known;
}

function indexOf(program: Program, { set, event, chain, only }: Occasion): Index {
  const settings = settingsAt(program, set, event, chain);
  const here = set.hooks.filter((hook) => hook.event === event);
  return {
    settings,
    manifest: "",
    hooks: only ? [{ ...only, async: false, once: false }] : here,
    damaged: [],
    automaton: (id) => {
      const text = set.automata.get(id);
      return text === undefined ? undefined : parseAutomaton(text);
    },
  };
}

/** What the call says counts before what the executor says, and that before the hooks' own files. */
function settingsAt(
  { blocking, chain, contextLimit }: Program,
  set: HookSet,
  event: EventName,
  called: Chain | undefined,
): EventSettings {
  const known = (set.settings as Partial<HookSet["settings"]>)[event];
  const own = known ?? { ...eventSettings([]).Notification, blockable: factsOf(event).block };
  return {
    ...own,
    chain: called ?? chain(event) ?? own.chain,
    blockable: own.blockable && (blocking?.includes(event) ?? true),
    raw: false,
    recordPayload: false,
    contextLimit: contextLimit ?? own.contextLimit,
  };
}

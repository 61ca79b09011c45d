import { budgetOf, takesContext, takesNotice, type Adapter } from "../adapters/_contract.ts";
import { EVENT_NAMES, type EventName } from "../events.ts";
import { fallbackAt, lifecycleAt } from "./fallback.ts";

/** native: the harness calls us; adapted: another command of ours stands in; unsupported: nothing does. */
export type Support = "native" | "adapted" | "unsupported";

export interface Can {
  readonly block: boolean;
  readonly ask: boolean;
  readonly rewrite: boolean;
  readonly allow: boolean;
  readonly stop: boolean;
  readonly context: boolean;
  readonly notice: boolean;
}

/** One row of the one table: what a harness does at an event, and what to do where it does not. */
export interface ContractRow {
  readonly harness: string;
  readonly event: EventName;
  readonly support: Support;
  /** Its own name for the event; empty where it has none. */
  readonly native: string;
  /** First version that has the event; empty when every version with hooks has it. */
  readonly since: string;
  readonly can: Can;
  /** Our deadline in milliseconds; 0 where nothing is called. */
  readonly deadline: number;
  /** What stands in, or what to use instead; empty for a native event. */
  readonly fallback: string;
  readonly remark: string;
  readonly evidence: Adapter["evidence"];
  /** The version of the harness that this was established with. */
  readonly version: string;
}

const NOTHING: Can = {
  block: false,
  ask: false,
  rewrite: false,
  allow: false,
  stop: false,
  context: false,
  notice: false,
};

/** The contract of one harness, from its adapter alone; `hooks: false` is a version without hooks. */
export const contractOf = (adapter: Adapter, hooks = true): ContractRow[] =>
  EVENT_NAMES.map((event) => (hooks ? hookedRow(adapter, event) : hooklessRow(adapter, event)));

function hookedRow(adapter: Adapter, event: EventName): ContractRow {
  const surface = adapter.surfaces[event];
  const base = baseOf(adapter, event);
  if (!surface) return { ...base, support: "unsupported", fallback: fallbackAt(adapter.id, event) };
  const { replies } = surface;
  return {
    ...base,
    support: "native",
    native: [surface.native, ...(surface.also ?? [])].join(", "),
    since: surface.since ?? "",
    can: {
      block: replies.deny !== undefined,
      ask: replies.ask !== undefined,
      rewrite: replies.rewrite !== undefined,
      allow: replies.allow !== undefined,
      stop: replies.halt !== undefined,
      context: takesContext(surface),
      notice: takesNotice(surface),
    },
    deadline: budgetOf(surface),
    remark: surface.remark ?? "",
  };
}

/** Without hooks the lifecycle commands stand in for some events, and nothing for the others. */
function hooklessRow(adapter: Adapter, event: EventName): ContractRow {
  const base = baseOf(adapter, event);
  const command = lifecycleAt(adapter.id, event);
  if (command === undefined)
    return { ...base, support: "unsupported", fallback: fallbackAt(adapter.id, event) };
  return {
    ...base,
    support: "adapted",
    fallback: command.text,
    can: { ...NOTHING, ...command.can },
  };
}

const baseOf = (adapter: Adapter, event: EventName): ContractRow => ({
  harness: adapter.id,
  event,
  support: "unsupported",
  native: "",
  since: "",
  can: NOTHING,
  deadline: 0,
  fallback: "",
  remark: "",
  evidence: adapter.evidence,
  version: adapter.source.version,
});

import type { Adapter } from "../adapters/_contract.ts";
import type { Compiled } from "../compile/compile.ts";
import { EVENT_NAMES, type EventName } from "../events.ts";
import type { LedgerHook } from "../ledger/entry.ts";
import type { Hook } from "../model.ts";
import { entriesAt, told, troubleIn, type Ran } from "./ran.ts";
import { reaching, type Reaching } from "./reaching.ts";
import type { Turn } from "./model/script.ts";
import type { Client, Play } from "./session.ts";

/** What became of one hook of the person at one event of one client. */
export interface HookProof {
  readonly hook: string;
  readonly event: string;
  /** never: it cannot fire there, and that is no surprise; unplayed: nothing harmless reaches it. */
  readonly state: "holds" | "fails" | "never" | "unplayed";
  readonly why: string;
  readonly fired: number;
  readonly ms: number;
}

/** One session that several hooks are looked for in. */
export interface Act {
  readonly name: string;
  readonly hooks: readonly Hook[];
  readonly play: Play;
  readonly files: readonly string[];
  /** Files that calls want to find, relative to the project. */
  readonly wants: readonly string[];
}

export interface Casting {
  readonly acts: readonly Act[];
  /** Hooks that no act looks for, with the reason. */
  readonly without: readonly HookProof[];
}

const done: Turn = { text: "Done." };
const parts = { part: [{ shell: "echo part" }, { text: "Part done." }] };

const ANYTHING: readonly Turn[] = [{ shell: "echo one" }];

const PLAYS: Readonly<Record<string, Play>> = {
  "sub-agent": { turns: [{ agent: "part" }, { shell: "sleep 2" }, done], parts },
  compact: {
    turns: [
      { shell: "echo one", full: true },
      { text: "Done.", full: true },
    ],
  },
};

/** The project's folder, as long as nobody knows on which stage it will be. */
const STAND_IN = "/anyhook-proof-project";

export function placed(play: Play, project: string): Play {
  const text = JSON.stringify(play.turns).replaceAll(STAND_IN, project);
  return { ...play, turns: JSON.parse(text) as Turn[] };
}

/** Which sessions reach the hooks of the person in this client, and which hooks none reaches. */
export function cast({ hooks, automata }: Compiled, { driver }: Client, adapter: Adapter): Casting {
  const without: HookProof[] = [];
  const found: { readonly hook: Hook; readonly by: Reaching }[] = [];
  for (const [index, hook] of hooks.entries()) {
    const [state, why] = impossible(hook, adapter, driver.unreachable);
    const by =
      why === "" ? reaching(hook, { project: STAND_IN, automata, tag: String(index) }) : undefined;
    if (by === undefined) without.push(unfired(hook, state, why));
    else if ("never" in by) without.push(unfired(hook, "unplayed", by.never));
    else found.push({ hook, by });
  }
  return { acts: actsOf(found), without };
}

function impossible(
  hook: Hook,
  { id, title, surfaces, observes }: Adapter,
  unreachable: Client["driver"]["unreachable"],
): readonly [HookProof["state"], string] {
  if (hook.harness.length > 0 && !hook.harness.includes(id))
    return ["never", `it is limited to ${hook.harness.join(", ")}`];
  if (!(hook.event in surfaces) && !observes.includes(hook.event))
    return ["never", `${title} has no such event`];
  if (hook.broken !== "") return ["fails", hook.broken];
  if (isAsking(hook)) return ["unplayed", "it asks somebody outside, whom a proof leaves alone"];
  const isKnown = (EVENT_NAMES as readonly string[]).includes(hook.event);
  if (!isKnown) return ["unplayed", "no scene reaches native events"];
  const why = unreachable[hook.event as EventName];
  return ["unplayed", why ?? ""];
}

/** A request is answered by somebody's service or model, with somebody's key, for what never happened. */
export const isAsking = ({ kind }: Hook): boolean => ["http", "prompt", "agent"].includes(kind);

const unfired = (hook: Hook, state: HookProof["state"], why: string): HookProof => ({
  ...{ hook: hook.name, event: hook.event, state, why, fired: 0, ms: 0 },
});

function actsOf(found: readonly { readonly hook: Hook; readonly by: Reaching }[]): Act[] {
  const acts: Act[] = [];
  const hooksOf = (scene: string): Hook[] =>
    found.filter(({ by }) => "scene" in by && by.scene === scene).map(({ hook }) => hook);
  const called = found.flatMap(({ hook, by }) => ("turns" in by ? [{ hook, ...by }] : []));
  const [strict, free] = [
    called.filter(({ hook }) => hook.event === "PermissionRequest"),
    called.filter(({ hook }) => hook.event !== "PermissionRequest"),
  ];
  const tools = [...hooksOf("tools"), ...free.map(({ hook }) => hook)];
  const callAct = (name: string, list: typeof called, hooks: readonly Hook[]): Act => ({
    ...{ name, hooks },
    play: {
      turns: [...(list.length === 0 ? ANYTHING : list.flatMap((one) => one.turns)), done],
      parts,
      strict: name === "a permission",
    },
    files: list.map(({ leaves }) => leaves).filter((file) => file !== ""),
    wants: list.map(({ wants }) => wants).filter((file) => file !== ""),
  });
  if (tools.length > 0) acts.push(callAct("tools", free, tools));
  if (strict.length > 0)
    acts.push(
      callAct(
        "a permission",
        strict,
        strict.map(({ hook }) => hook),
      ),
    );
  for (const scene of ["sub-agent", "compact"]) {
    const hooks = hooksOf(scene);
    if (hooks.length > 0)
      acts.push({ name: scene, hooks, play: PLAYS[scene]!, files: [], wants: [] });
  }
  const said = found.flatMap(({ hook, by }) => ("words" in by ? [{ hook, words: by.words }] : []));
  for (const words of new Set(said.map((one) => one.words)))
    acts.push({
      name: "a prompt",
      hooks: said.filter((one) => one.words === words).map(({ hook }) => hook),
      play: { words, turns: [done] },
      ...{ files: [], wants: [] },
    });
  return acts;
}

/** What the evidence of an act says about each of its hooks. */
export const judged = ({ hooks }: Act, ran: Ran): HookProof[] =>
  hooks.map((hook) => {
    const runs = entriesAt(ran, hook.event).flatMap((entry) =>
      entry.hooks.filter(({ name }) => name === hook.name).map((run) => ({ run, entry })),
    );
    const fired = runs.filter(({ run }) => run.status !== "skipped");
    const base = { hook: hook.name, event: hook.event, fired: fired.length };
    const ms = Math.max(0, ...fired.map(({ run }) => run.ms));
    if (fired.length === 0)
      return { ...base, state: "fails", ms, why: runs[0]?.run.note || unfiredWhy(ran) };
    const bad = fired.find(({ run }) => run.status === "failed" || run.status === "timeout");
    if (bad) return { ...base, state: "fails", ms, why: troubleOf(bad.run) };
    const unenforced = fired.find(({ entry }) => entry.decision.unenforced !== "");
    if (unenforced)
      return {
        ...base,
        state: "fails",
        ms,
        why: `not enforced: ${unenforced.entry.decision.unenforced}`,
      };
    const silent = fired.find(
      ({ run }) => run.verdict === "deny" && run.reason !== "" && !isKept(ran, run),
    );
    return silent
      ? { ...base, state: "fails", ms, why: "its reason never reached the model" }
      : { ...base, state: "holds", ms, why: verdictsOf(fired.map(({ run }) => run)) };
  });

const unfiredWhy = ({ sessions }: Ran): string =>
  ["it never fired", troubleIn(sessions)].filter((text) => text !== "").join(": ");

/** The model was told, or there was nobody left to tell. */
const isKept = (ran: Ran, { reason }: LedgerHook): boolean =>
  told(ran, JSON.stringify(reason).slice(1, -1)) ||
  ran.sessions.some(({ requests }) => requests.length === 0);

const troubleOf = ({ status, exit, note }: LedgerHook): string =>
  status === "timeout" ? "it took too long" : note || `it failed with exit ${exit}`;

const verdictsOf = (runs: readonly LedgerHook[]): string =>
  [...new Set(runs.map(({ verdict }) => verdict).filter((verdict) => verdict !== "pass"))].join(
    ", ",
  );

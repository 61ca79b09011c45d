import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { processMemory } from "../dispatch/memory.ts";
import { planHooks } from "../dispatch/plan.ts";
import { mergeOutcomes } from "../dispatch/merge.ts";
import { skipped } from "../dispatch/run.ts";
import type { EventName } from "../events.ts";
import { eventOf } from "../handlers/module.ts";
import type { HookEvent } from "../library/define.ts";
import type { EventSpelling } from "../library/spellings.ts";
import type { Diagnostic } from "../model.ts";
import { background } from "./background.ts";
import { checkCall, checkOptions } from "./check-options.ts";
import { conduct, dispatchOf, type Occasion, type Program } from "./conduct.ts";
import { depthHere, isInside } from "./depth.ts";
import { canonicalEvent } from "./event-name.ts";
import { type HookFunction, moduleHandler } from "./handlers.ts";
import { heldAgents } from "./held.ts";
import { type HookSet, originOf } from "./hook-set.ts";
import type {
  ExecuteOptions,
  HookExecutorOptions,
  HookResult,
  PayloadFor,
  Permission,
} from "./options.ts";
import { payloadBytes } from "./payload.ts";
import { askPermission, withPermission } from "./permission.ts";
import { placesOf } from "./places.ts";
import { reloading, type Reload } from "./reload.ts";
import { resultFrom, resultOf } from "./result.ts";
import { describeProgram } from "./surface.ts";
import { startThreads, type Threads } from "./threads.ts";
import { asAsync, told, warnOfFailure, warnProcess } from "./told.ts";
import { unlessAborted } from "./unless-aborted.ts";

const BUDGET = 600_000;

/** The engine inside a program: the same matching, running, merging and clamping as in a harness. */
export class HookExecutor {
  readonly #options: HookExecutorOptions;
  readonly #program: Program;
  readonly #threads: Threads;
  readonly #reload: Reload;
  readonly #functions: readonly (HookFunction | undefined)[];
  readonly #background = background();
  readonly #held = heldAgents();
  readonly #calls = new Set<Promise<unknown>>();
  #closed = false;

  constructor(options: HookExecutorOptions) {
    checkOptions(options);
    // What the program does with its list afterwards is no edit of hooks.
    this.#options = options.hooks ? { ...options, hooks: [...options.hooks] } : options;
    this.#program = programOf(options);
    this.#threads = startThreads(this.#program.env, this.#program.budget);
    this.#functions = (options.hooks ?? []).map(functionOf);
    const { onWarning } = options;
    const warn = onWarning ? told("onWarning", onWarning) : warnProcess;
    this.#reload = reloading(this.#origin(), warn, ({ bundles }) =>
      this.#threads.keep(new Set(bundles.values())),
    );
  }

  /** From a settings file: `hooks_file`, and `chain`, `blocking`, `permission`, `timeout`, … */
  static async fromSettings(
    file: string,
    options: Omit<HookExecutorOptions, "hooksFile" | "hooks" | "project"> = {},
  ): Promise<HookExecutor> {
    const { settingsIn } = await import("./settings.ts");
    return new HookExecutor({ ...settingsIn(file), ...options });
  }

  /** Runs the hooks of the event. Rejects only when the call itself makes no sense. */
  async execute<const S extends EventSpelling>(
    event: S,
    payload: PayloadFor<S> = {},
    options: ExecuteOptions = {},
  ): Promise<HookResult> {
    if (this.#closed) throw new Error("this HookExecutor has been closed");
    const name = canonicalEvent(event);
    checkCall(payload, options);
    options.signal?.throwIfAborted();
    const call = this.#run(name, payload, options);
    const ended = call.catch(() => {}).finally(() => this.#calls.delete(ended));
    this.#calls.add(ended);
    return unlessAborted(call, options.signal);
  }

  /** Everything that is wrong with the hooks; loads them if need be. */
  async check(): Promise<readonly Diagnostic[]> {
    await this.#reload.current();
    return this.#reload.problems;
  }

  /** Waits for the calls under way and for hooks with `async: true`, then ends all threads. */
  async close(): Promise<void> {
    this.#closed = true;
    const ended = this.#end();
    // A hook that closes the executor it runs in cannot wait for itself.
    if (!isInside()) await ended;
  }

  async #end(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all(this.#calls);
    await this.#background.idle();
    await this.#threads.close();
  }

  async #run(
    event: EventName,
    payload: Readonly<Record<string, unknown>>,
    options: ExecuteOptions,
  ): Promise<HookResult> {
    const held = this.#held.isHeld(event, payload);
    const bytes = payloadBytes(event, payload, this.#program.root, held);
    const set = await this.#reload.current();
    const result = await this.#decide(this.#occasion(event, bytes, set, options));
    this.#held.note(event, payload, result);
    return { ...result, problems: this.#reload.problems };
  }

  #origin() {
    const { authoring } = placesOf();
    return originOf(this.#options, {
      projectRoot: this.#program.root,
      libraryFile: authoring,
      nodePath: process.execPath,
      inMemory: true,
      inspect: (codes) => Promise.all(codes.map((code) => this.#threads.look(code))),
      timeout: this.#options.timeout,
    });
  }

  #occasion(event: EventName, payload: Buffer, set: HookSet, options: ExecuteOptions): Occasion {
    const occasion: Occasion = {
      event,
      payload,
      set,
      id: randomUUID(),
      chain: options.chain,
      signal: options.signal,
      depth: depthHere(this.#program.env),
      handler: moduleHandler(set.bundles, this.#functions, this.#threads),
      detach: (hook, _work, bytes) => {
        const later = { ...occasion, payload: bytes, only: hook, signal: undefined };
        this.#background.start(() => this.#later(later));
        return "";
      },
    };
    return occasion;
  }

  async #later(occasion: Occasion): Promise<void> {
    const { entry } = await conduct(this.#program, occasion);
    const { onAsync } = this.#options;
    entry.notes.map(asAsync).forEach(onAsync ? told("onAsync", onAsync) : warnOfFailure);
  }

  async #decide(occasion: Occasion): Promise<HookResult> {
    const { permit, permission: when = "after" } = this.#options;
    if (!permit || occasion.event !== "PreToolUse")
      return resultOf(occasion, await conduct(this.#program, occasion));
    const ask = (input?: unknown): Promise<Permission> =>
      askPermission(permit, when, this.#eventOf(occasion, input), {
        budget: this.#program.budget,
        signal: occasion.signal,
      });
    let permission = when === "before" ? await ask() : undefined;
    if (permission?.answer === "deny") return this.#denied(occasion, permission);
    const dispatched = await conduct(this.#program, occasion);
    const result = resultOf(occasion, dispatched);
    if (result.blocked) return { ...result, permission };
    // What was permitted is not what would run: it is asked about again.
    if (!permission || result.input !== undefined) permission = await ask(result.input);
    return resultOf(occasion, dispatched, permission);
  }

  #eventOf(occasion: Occasion, input?: unknown): HookEvent {
    const { event } = dispatchOf(this.#program, occasion);
    const call = structuredClone(eventOf({ event, native: event.payload })) as unknown as HookEvent;
    return input === undefined
      ? call
      : { ...call, tool_input: input as NonNullable<HookEvent["tool_input"]> };
  }

  /** Nothing runs; every hook that would have is on the record. */
  #denied(occasion: Occasion, permission: Permission): HookResult {
    const { index, event, switches, surface, adapter } = dispatchOf(this.#program, occasion);
    const outcomes = planHooks(index, event, switches).map(({ hook, skipped: why }) =>
      skipped(hook, why || "permission was denied"),
    );
    const { decision, notes } = mergeOutcomes(
      outcomes,
      surface,
      index.settings,
      event.event,
      adapter.id,
      false,
    );
    return resultFrom(occasion.event, withPermission(decision, permission), notes, "", permission);
  }
}

function programOf(options: HookExecutorOptions): Program {
  const { env = process.env, budget = BUDGET, chain, blocking, contextLimit } = options;
  return {
    adapter: describeProgram(options),
    root: realpathSync(resolve(options.project ?? options.cwd ?? process.cwd())),
    env,
    library: placesOf().library,
    budget,
    chain: chainsOf(chain),
    contextLimit,
    blocking: blocking?.map(canonicalEvent),
    memory: processMemory(),
  };
}

function chainsOf(chain: HookExecutorOptions["chain"]): Program["chain"] {
  if (chain === undefined || typeof chain === "string") return () => chain;
  const named = Object.entries(chain).map(([name, one]) => [canonicalEvent(name), one] as const);
  return (event) => new Map(named).get(event);
}

function functionOf(hook: unknown): HookFunction | undefined {
  const { run } = (hook ?? {}) as { run?: unknown };
  return typeof run === "function" ? (run.bind(hook) as HookFunction) : undefined;
}

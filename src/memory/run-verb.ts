import type { Env } from "./_memory.ts";
import { argsOf, type Args } from "./args.ts";
import { placeOf, type Place } from "./place.ts";
import { runSilent, tell } from "./run-silent.ts";

type Run = (args: Args) => Promise<void>;

/** One module per verb, each with one `run`; only the one that is called is loaded. */
export const HOOK_VERBS = {
  "session-start": async () => (await import("./session-start.ts")).run,
  "user-prompt": async () => (await import("./user-prompt.ts")).run,
  "post-tool-use": async () => (await import("./post-tool-use.ts")).run,
  stop: async () => (await import("./stop.ts")).run,
  "pre-compact": async () => (await import("./pre-compact.ts")).run,
  // Not for people: the rest of a long transcript, without anybody waiting.
  finish: async () => (await import("./stop.ts")).run,
} as const satisfies Record<string, () => Promise<Run>>;

export type HookVerb = keyof typeof HOOK_VERBS;

export const isHookVerb = (name: string): name is HookVerb => Object.hasOwn(HOOK_VERBS, name);

/** Runs one verb. Whatever happens: exit 0, and what went wrong is told where a person finds it. */
export async function runVerb(
  name: HookVerb,
  argv: readonly string[],
  surface: {
    readonly env: Env;
    readonly stdin: () => Promise<string>;
    readonly print: (text: string) => void;
  },
): Promise<void> {
  let place: Place | undefined;
  let known: Args | undefined;
  const report = (text: string): void => tell(text, known ?? unknown(name, surface.env), place);
  await runSilent(
    name,
    async () => {
      const args = await argsOf(name, argv, { ...surface, say: report });
      known = args;
      place = placeOf(args.cwd, args.env);
      const run = await HOOK_VERBS[name]();
      await run(args);
    },
    report,
  );
}

/** When even the call could not be read. */
const unknown = (event: string, env: Env): Omit<Args, "say"> => ({
  ...{ event, env, payload: {}, cwd: "", session: "", harness: "", id: "", transcript: "" },
  ...{ prompt: "", paths: [], now: new Date(), print: () => {} },
});

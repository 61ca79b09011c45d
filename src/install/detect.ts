import type { Adapter } from "../adapters/_contract.ts";
import { presenceOf } from "./presence.ts";
import { capabilityOf, runtimeOf, type Candidate, type Runtime } from "./runtime.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Detected {
  readonly runtime: Runtime;
  readonly harnesses: readonly Candidate[];
  /** Inside a hook: what the command was called with against what the environment says. */
  readonly here: Here | undefined;
}

export interface Here {
  /** The harness id that was baked into the command. */
  readonly called: string;
  /** Harnesses whose own variables are set. */
  readonly environment: readonly string[];
  readonly agrees: boolean;
}

/** Which harnesses are on this machine, and what each can do. */
export function detect(adapters: readonly Adapter[], env: Env): Detected {
  const harnesses = adapters.map((adapter) => {
    const seen = presenceOf(adapter, env);
    return { id: adapter.id, seen, ...capabilityOf(adapter, seen) };
  });
  return { runtime: runtimeOf(harnesses, adapters), harnesses, here: hereOf(adapters, env) };
}

/** Only variables that nobody else sets: CLAUDE_PROJECT_DIR is set by half a dozen harnesses. */
function hereOf(adapters: readonly Adapter[], env: Env): Here | undefined {
  const called = env["ANYHOOK_HARNESS"] ?? "";
  if (called === "") return undefined;
  const own = adapters.find(({ id }) => id === called);
  const environment = adapters
    .filter(({ presence }) => presence.inside.some((name) => (env[name] ?? "") !== ""))
    .map(({ id }) => id);
  // A harness that sets nothing cannot be contradicted by what it inherited from an outer one.
  const silent = own !== undefined && own.presence.inside.length === 0;
  return {
    called,
    environment,
    agrees: silent || environment.length === 0 || environment.includes(called),
  };
}

import type { Hook } from "../model.ts";
import type { AllowLists } from "./_net.ts";

/** The handler's settings in a row: the hook's own, and what the compiler laid below them. */
export interface Extra {
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowed_env?: readonly string[];
  readonly provider?: string;
  readonly model?: string;
  readonly base_url?: string;
  readonly key_env?: string;
  readonly max_tokens?: number;
  readonly max_turns?: number;
  readonly token_budget?: number;
  readonly cache_ttl?: number;
  readonly stream?: boolean;
  readonly allowed_hosts?: AllowLists;
}

export const extraOf = (hook: Hook): Extra =>
  hook.extra === "" ? {} : (JSON.parse(hook.extra) as Extra);

import { anthropic, type Endpoint } from "./_anthropic.ts";
import { cli, isInstalled, PROGRAMS } from "./_cli.ts";
import type { Extra } from "./_extra.ts";
import { openai } from "./_openai.ts";
import type { Provider } from "./_provider.ts";
import { Failure } from "./_settled.ts";
import { addressOf } from "./_address.ts";
import type { Work } from "./index.ts";

interface Api {
  readonly make: (at: Endpoint) => Provider;
  readonly key: string;
  readonly base: string;
  readonly baseEnv: string;
  readonly path: (base: string) => string;
  /** Fast and cheap: a hook is waited for. */
  readonly model: string;
}

const APIS = {
  anthropic: {
    make: anthropic,
    key: "ANTHROPIC_API_KEY",
    base: "https://api.anthropic.com",
    baseEnv: "ANTHROPIC_BASE_URL",
    path: (base) => `${base.replace(/\/v1$/, "")}/v1/messages`,
    model: "claude-haiku-4-5",
  },
  openai: {
    make: openai,
    key: "OPENAI_API_KEY",
    base: "https://api.openai.com/v1",
    baseEnv: "OPENAI_BASE_URL",
    path: (base) => `${base}/chat/completions`,
    model: "gpt-4.1-mini",
  },
} as const satisfies Record<string, Api>;

type ApiName = keyof typeof APIS;

const isApi = (name: string): name is ApiName => Object.hasOwn(APIS, name);

/** Who answers. `auto`: whoever there is a key for, else a program that is installed. */
export function choose(extra: Extra, work: Work, defaults: { maxTokens: number }): Provider {
  const wanted = extra.provider ?? "auto";
  const name = wanted === "auto" ? found(work.env) : wanted;
  if (isApi(name)) return APIS[name].make(endpoint(name, extra, work.env, defaults.maxTokens));
  const program = PROGRAMS.find(({ provider }) => provider === name);
  // Whoever names a server means that one, and not the vendor behind a program.
  if (wanted === "auto" && extra.base_url !== undefined)
    throw new Failure("base_url needs a key, or provider: anthropic or openai");
  if (program) return cli(program, extra.model ?? "", work);
  throw new Failure(`there is no provider ${JSON.stringify(name)}`);
}

function found(env: NodeJS.ProcessEnv): string {
  const names = Object.keys(APIS) as ApiName[];
  const keyed = names.find((name) => (env[APIS[name].key] ?? "") !== "");
  if (keyed) return keyed;
  const installed = PROGRAMS.find((program) => isInstalled(program, env));
  if (installed) return installed.provider;
  const keys = names.map((name) => APIS[name].key).join(" nor ");
  const programs = PROGRAMS.map(({ program }) => program).join(" nor ");
  throw new Failure(`nobody to ask: neither ${keys} is set, nor is ${programs} installed`);
}

function endpoint(
  name: ApiName,
  extra: Extra,
  env: NodeJS.ProcessEnv,
  maxTokens: number,
): Endpoint {
  const api = APIS[name];
  const base = (extra.base_url ?? (env[api.baseEnv] || api.base)).replace(/\/+$/, "");
  const isOwn = base === api.base;
  const keyName = extra.key_env ?? api.key;
  const key = (env[keyName] ?? "").trim();
  // A server of one's own may want neither; the vendor's always does.
  if (key === "" && (isOwn || extra.key_env !== undefined))
    throw new Failure(`${keyName} is not set`);
  if (extra.model === undefined && !isOwn && name === "openai")
    throw new Failure("model: must be named where base_url is not the vendor's");
  return {
    url: addressOf(api.path(base)),
    key,
    model: extra.model ?? api.model,
    maxTokens: extra.max_tokens ?? maxTokens,
    stream: extra.stream ?? false,
    hosts: extra.allowed_hosts ?? [],
  };
}

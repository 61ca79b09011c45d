import { type HandlerKind, type Layer, LAYERS } from "../model.ts";
import type { Draft } from "./draft.ts";
import type { LayerSettings } from "./event-settings.ts";
import { extraNames } from "./fields.ts";
import type { LlmSettings } from "./llm-settings.ts";

/** Kinds that leave the machine's own processes: a network, or a model. */
export const REMOTE: readonly HandlerKind[] = ["http", "prompt", "agent"];

/** Which fields of the extra kind each of them reads. */
const READS: Readonly<Record<string, readonly string[]>> = {
  http: ["headers", "allowed_env"],
  prompt: [...["provider", "model", "base_url", "key_env", "max_tokens", "cache_ttl", "stream"]],
  agent: [
    ...["provider", "model", "base_url", "key_env", "max_tokens", "stream"],
    ...["max_turns", "token_budget"],
  ],
};

/**
 * Whose settings count for a hook of this layer. A project must not choose where a user's own hook
 * sends their key, nor cut a managed hook off from its endpoint.
 */
const HEARS: Readonly<Record<Layer, readonly Layer[]>> = {
  managed: ["managed"],
  user: ["managed", "user"],
  local: LAYERS,
  project: LAYERS,
  pack: LAYERS,
};

/** The draft with what settings say laid below its own fields: the dispatcher reads the row alone. */
export function remote<T extends Draft>(draft: T, all: readonly LayerSettings[]): T {
  if (!REMOTE.includes(draft.kind)) return draft;
  const ranked = all
    .filter(({ layer }) => HEARS[draft.layer].includes(layer))
    .toSorted((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer));
  const defaults = strongest(ranked.map(({ settings }) => settings.llm ?? {}));
  const wanted = readBy(draft.kind, draft.extra["provider"] ?? defaults.provider);
  const foreign = isOther(draft.extra["provider"], defaults.provider) ? OF_PROVIDER : [];
  const below = Object.entries(defaults).filter(
    ([key]) => wanted.includes(key) && !foreign.includes(key),
  );
  // Every layer that is heard and has a list must agree: none can widen another's.
  const lists = ranked.flatMap(({ settings }) =>
    settings.allowed_hosts ? [settings.allowed_hosts] : [],
  );
  const hosts = lists.length === 0 ? {} : { allowed_hosts: lists };
  const timeout = draft.timeout ?? timeoutOf(draft.kind, defaults);
  return { ...draft, timeout, extra: { ...Object.fromEntries(below), ...draft.extra, ...hosts } };
}

/** What only an API reads; a program has settings of its own. */
const OF_API: readonly string[] = ["base_url", "key_env", "max_tokens", "stream"];
/** What means one provider: with another one it would be a wrong model, or a key in wrong hands. */
const OF_PROVIDER: readonly string[] = ["model", "base_url", "key_env"];

const isProgram = (provider: unknown): boolean =>
  typeof provider === "string" && !["auto", "anthropic", "openai"].includes(provider);

const readBy = (kind: HandlerKind, provider: unknown): readonly string[] =>
  (READS[kind] ?? []).filter((key) => !isProgram(provider) || !OF_API.includes(key));

const isOther = (own: unknown, provider: unknown): boolean =>
  own !== undefined && provider !== undefined && own !== provider;

const timeoutOf = (kind: HandlerKind, settings: LlmSettings): number | undefined =>
  kind === "prompt"
    ? settings.prompt_timeout
    : kind === "agent"
      ? settings.agent_timeout
      : undefined;

/** Key by key, strongest layer first. */
function strongest(ranked: readonly LlmSettings[]): LlmSettings {
  return Object.assign({}, ...ranked.toReversed()) as LlmSettings;
}

/** Fields that a hook of this kind, with this provider, does not read. */
export const deafTo = (kind: HandlerKind, extra: Draft["extra"]): string[] =>
  Object.keys(extra).filter(
    (key) => extraNames.includes(key) && !readBy(kind, extra["provider"]).includes(key),
  );

/** Why it cannot run as it is configured; "" when it can. */
export function unfit({ kind, extra }: Draft): string {
  if (kind === "http") return "";
  const provider = String(extra["provider"] ?? "auto");
  const isApi = provider === "anthropic" || provider === "openai";
  if (extra["key_env"] !== undefined && !isApi)
    return "key_env needs provider: anthropic or openai";
  return "";
}

import { ADAPTERS } from "../adapters/_all.ts";
import type { Located } from "./located.ts";
import {
  type Complain,
  count,
  didYouMean,
  duration,
  flag,
  oneOf,
  text,
  type ValueType,
} from "./values.ts";
import { webAddress } from "./web-address.ts";

/** Who can be asked: two interfaces, and the programs of harnesses that answer a question. */
export const PROVIDERS: readonly string[] = [
  "auto",
  "anthropic",
  "openai",
  ...ADAPTERS.flatMap(({ asks }) => (asks ? [asks.provider] : [])),
];

/** `llm:` in settings.json: what prompt and agent hooks use when they do not say it themselves. */
const KEYS = {
  provider: oneOf(PROVIDERS),
  model: text,
  // One that cannot be read is nowhere: what was meant for it must not go to the vendor.
  base_url: { ...webAddress, read: (node, complain) => webAddress.read(node, complain) ?? "" },
  key_env: text,
  max_tokens: count,
  max_turns: count,
  token_budget: count,
  cache_ttl: duration,
  stream: flag,
  prompt_timeout: duration,
  agent_timeout: duration,
} satisfies Record<string, ValueType<unknown>>;

type Key = keyof typeof KEYS;

export type LlmSettings = {
  readonly [K in Key]?: NonNullable<ReturnType<(typeof KEYS)[K]["read"]>>;
};

const names = Object.keys(KEYS) as Key[];

export const llm: ValueType<LlmSettings> = {
  schema: {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, KEYS[name].schema])),
  },
  read: (node, complain) => {
    if (node.entries) return readMap(node, complain);
    complain("bad-value", "is not a map", "write { … }", node.line);
    return undefined;
  },
};

function readMap(node: Located, complain: Complain): LlmSettings {
  const read: Record<string, unknown> = {};
  for (const [key, { keyLine, node: value }] of node.entries ?? []) {
    const at: Complain = (code, message, hint, line = keyLine) =>
      complain(code, `${key}: ${message}`, hint, line);
    const type: ValueType<unknown> | undefined = KEYS[key as Key];
    if (type) read[key] = type.read(value, at);
    else complain("unknown-setting", `there is no "${key}"`, didYouMean(key, names), keyLine);
  }
  return read;
}

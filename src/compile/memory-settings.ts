import type { LocatedEntry } from "./located.ts";
import { type Complain, type ValueType, count, didYouMean, oneOf } from "./values.ts";

export interface MemorySettings {
  readonly runtime?: "store" | "tree";
  readonly packet_bytes?: number;
}

const KEYS: Readonly<Record<string, ValueType<unknown>>> = {
  runtime: oneOf(["store", "tree"]),
  packet_bytes: count,
};

/** `memory:` of a settings.json, for the pack anyhook/memory. */
export const memorySettings: ValueType<MemorySettings> = {
  schema: {
    type: "object",
    properties: Object.fromEntries(Object.entries(KEYS).map(([key, { schema }]) => [key, schema])),
    additionalProperties: false,
  },
  read: (node, complain) => {
    if (node.entries)
      return Object.fromEntries([...node.entries].flatMap((one) => pair(one, complain)));
    complain("wrong-type", "is not a map", 'write { "packet_bytes": 2048 }');
    return undefined;
  },
};

function pair(
  [key, { keyLine, node }]: [string, LocatedEntry],
  complain: Complain,
): [string, unknown][] {
  const at: Complain = (code, message, hint, line = keyLine) =>
    complain(code, `${key}: ${message}`, hint, line);
  const type = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (!type) {
    complain(
      "unknown-setting",
      `unknown key "${key}"`,
      didYouMean(key, Object.keys(KEYS)),
      keyLine,
    );
    return [];
  }
  const value = type.read(node, at);
  const isOff =
    key === "packet_bytes" && typeof value === "number" && (value < 256 || value > 9000);
  if (isOff)
    at("out-of-range", `${String(value)} is not between 256 and 9000`, "2048 is the default");
  return value === undefined || isOff ? [] : [[key, value]];
}

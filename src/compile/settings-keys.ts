import { CHAINS, type Chain } from "../model.ts";
import { type EventName, EVENT_NAMES, suggest } from "../events.ts";
import type { Report } from "./fields.ts";
import { llm } from "./llm-settings.ts";
import type { Located, LocatedEntry } from "./located.ts";
import { memorySettings } from "./memory-settings.ts";
import { type Complain, type ValueType, count, events, flag, oneOf, texts } from "./values.ts";

export const SYSTEM_FILES = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"] as const;
export type SystemFile = (typeof SYSTEM_FILES)[number];

export type ChainByEvent = Readonly<Partial<Record<EventName, Chain>>>;

const chain: ValueType<ChainByEvent> = {
  schema: {
    oneOf: [{ enum: CHAINS }, { type: "object", additionalProperties: { enum: CHAINS } }],
  },
  read: (node, complain) => {
    const one = oneOf(CHAINS);
    if (node.entries) return chainMap(node, complain);
    const all = one.read(node, complain);
    return all && Object.fromEntries(EVENT_NAMES.map((event) => [event, all]));
  },
};

function chainMap(node: Located, complain: Complain): ChainByEvent | undefined {
  const pairs = [...node.entries!].map(([key, entry]) => {
    const at: Complain = (code, message, hint) => complain(code, message, hint, entry.keyLine);
    const [event] = events.read({ value: key, line: entry.keyLine }, at) ?? [];
    return [event, oneOf(CHAINS).read(entry.node, at)] as const;
  });
  const good = pairs.every(([event, value]) => event && value);
  return good ? (Object.fromEntries(pairs) as ChainByEvent) : undefined;
}

const emptyOr = <T>(type: ValueType<T[]>): ValueType<T[]> => ({
  ...type,
  read: (node, complain) => (node.items?.length === 0 ? [] : type.read(node, complain)),
});

const systemFiles: ValueType<SystemFile[]> = {
  schema: { type: "array", items: { enum: SYSTEM_FILES } },
  read: (node, complain) => {
    const names = texts.read(node, complain);
    const odd = names?.find((name) => !(SYSTEM_FILES as readonly string[]).includes(name));
    if (odd === undefined) return names as SystemFile[] | undefined;
    complain("unknown-value", `"${odd}" is not rendered`, `one of: ${SYSTEM_FILES.join(", ")}`);
    return undefined;
  },
};

const HOST =
  /^(?:\*\.)?(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?$|^[0-9A-Fa-f]*:[0-9A-Fa-f:.]+$/;

/** A slip must not open what was meant to be closed: what cannot be read lets nothing through. */
const hosts: ValueType<string[]> = {
  schema: { type: "array", items: { type: "string" } },
  read: (node, complain) => {
    const names = emptyOr(texts).read(node, complain) ?? [];
    const odd = names.find((name) => !HOST.test(name));
    if (odd !== undefined)
      complain("bad-value", `"${odd}" is no host`, "write name, name:port or *.name");
    return names.filter((name) => HOST.test(name));
  },
};

const zeroOrMore: ValueType<number> = {
  schema: { type: "integer", minimum: 0 },
  read: (node, complain) => (node.value === 0 ? 0 : count.read(node, complain)),
};

/** Every key of settings.json beside `hooks`. */
export const SETTINGS = {
  roots: texts,
  chain,
  blocking: emptyOr(events),
  raw: flag,
  record: oneOf(["payload", "none"]),
  context_limit: count,
  system_files: systemFiles,
  packs: texts,
  trust: oneOf(["content", "directory"]),
  disabled: texts,
  allowed_hosts: hosts,
  llm,
  async_limit: count,
  failure_budget: zeroOrMore,
  memory: memorySettings,
} satisfies Record<string, ValueType<unknown>>;

type Key = keyof typeof SETTINGS;

export type Settings = {
  readonly [K in Key]?: NonNullable<ReturnType<(typeof SETTINGS)[K]["read"]>>;
};

const KEYS = Object.keys(SETTINGS) as Key[];
const OTHER: readonly string[] = ["hooks", "$schema", "hooks_file", "permission"];

export function readSettings(entries: ReadonlyMap<string, LocatedEntry>, report: Report): Settings {
  const settings: Record<string, unknown> = {};
  for (const [key, { keyLine, node }] of entries) {
    if (OTHER.includes(key)) continue;
    const type: ValueType<unknown> | undefined = SETTINGS[key as Key];
    if (!type) reportUnknown(key, keyLine, report);
    else {
      const complain: Complain = (code, message, hint, line = keyLine) =>
        report.say("error", line, code, `${key}: ${message}`, hint);
      const value = type.read(node, complain);
      if (value !== undefined) settings[key] = value;
    }
  }
  return settings;
}

function reportUnknown(key: string, line: number, report: Report): void {
  const near = suggest(key, ["hooks", ...KEYS]);
  const hint = near ? `did you mean "${near}"?` : `known are: hooks, ${KEYS.join(", ")}`;
  // What was meant does not apply, and that may be what closes a door.
  report.say(near ? "error" : "warning", line, "unknown-setting", `unknown setting "${key}"`, hint);
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventSettings, Hook } from "../model.ts";
import { parseAutomaton, type Automaton } from "./automaton.ts";
import { decodeMeta, decodeRow } from "./rows.ts";

/** The compiled hooks of one event. */
export interface Index {
  readonly settings: EventSettings;
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** Numbers of the lines that could not be read: reported, never fatal. */
  readonly damaged: readonly number[];
  readonly automaton: (id: string) => Automaton | undefined;
}

/** For whoever brings the one hook along. */
export const NO_INDEX: Index = {
  ...{ manifest: "", hooks: [], damaged: [], automaton: () => undefined },
  settings: {
    ...{ chain: "run-all", blockable: false, raw: false, recordPayload: false },
    ...{ contextLimit: 0, failureBudget: 0, asyncLimit: 1 },
  },
};

export function loadIndex(generation: string, slot: string, event: string): Index {
  const text = read(join(generation, "index", event)) ?? "";
  const lines = text.split("\n").filter((line) => line !== "");
  if (!lines[0]?.startsWith("@")) throw new Error(`the compiled hooks of ${event} cannot be read`);
  const { manifest, ...settings } = decodeMeta(lines[0]);
  const hooks: Hook[] = [];
  const damaged: number[] = [];
  lines.slice(1).forEach((line, index) => {
    const hook = decodeRow(line);
    if (hook) hooks.push(hook);
    else damaged.push(index + 2);
  });
  return { settings, manifest, hooks, damaged, automaton: automata(slot) };
}

function automata(slot: string): Index["automaton"] {
  const known = new Map<string, Automaton | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, readAutomaton(join(slot, "dfa", id)));
    return known.get(id);
  };
}

function readAutomaton(file: string): Automaton | undefined {
  const text = read(file);
  if (text === undefined) throw new Error(`a compiled matcher is missing: ${file}`);
  return parseAutomaton(text);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

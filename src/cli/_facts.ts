import type { Verb } from "./_call.ts";

export const GROUPS = [
  "start",
  "connect",
  "author",
  "watch",
  "run",
  "lifecycle",
  "memory",
] as const;
export type Group = (typeof GROUPS)[number];

/** What help and the parser know about a verb; what it does is loaded only when it is called. */
export interface VerbFacts {
  readonly group: Group;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly about?: string;
  readonly operands?: readonly Operand[];
  readonly options?: Readonly<Record<string, OptionFacts>>;
  /** Pairs of what to type and what it does. */
  readonly examples: readonly (readonly [string, string])[];
  readonly load: () => Promise<Verb>;
}

export interface Operand {
  readonly name: string;
  readonly optional?: boolean;
  /** This word itself, not something in its place. */
  readonly literal?: boolean;
  /** The last one may take as many words as there are. */
  readonly several?: boolean;
}

export interface OptionFacts {
  readonly short?: string;
  /** The word for its value; an option without one is a switch. */
  readonly value?: string;
  readonly about: string;
}

/** Every verb takes these. */
export const EVERYWHERE: Readonly<Record<string, OptionFacts>> = {
  json: { about: "One JSON document instead of text" },
  project: {
    short: "C",
    value: "dir",
    about: "Look for the project from here instead of the current folder",
  },
  help: { short: "h", about: "Say what the verb does" },
};

import type { Installation } from "../compile/materialize.ts";
import type { Paint } from "./_paint.ts";

/** One invocation of one verb, parsed and checked. */
export interface Call {
  readonly verb: string;
  readonly operands: readonly string[];
  readonly flag: (name: string) => boolean;
  readonly text: (name: string) => string | undefined;
  readonly json: boolean;
  readonly installation: Installation;
  readonly env: NodeJS.ProcessEnv;
  /** Where the search for the project starts: -C, else the working directory. */
  readonly from: string;
  readonly paint: Paint;
  /** Aborted when nobody reads our output any more. */
  readonly unread: AbortSignal;
  /** Columns of the terminal; Infinity when nobody looks at one. */
  readonly width: number;
}

/** What a verb has to say, twice: one JSON document, and a text for people. */
export interface Answer {
  readonly exit: number;
  readonly json: unknown;
  readonly text: string;
}

export type Verb = (call: Call) => Promise<Answer>;

/** The verb has written by itself, as it went on. */
export const spoken = (exit: number): Answer => ({ exit, json: undefined, text: "" });

/** Called in a way that we do not understand: exit 2. */
export class Misuse extends Error {
  readonly hint: string;

  constructor(message: string, hint = "") {
    super(message);
    this.name = "Misuse";
    this.hint = hint;
  }
}

/** The call was understood, and what it names is not there: exit 1. */
export class Missing extends Error {
  readonly hint: string;

  constructor(message: string, hint = "") {
    super(message);
    this.name = "Missing";
    this.hint = hint;
  }
}

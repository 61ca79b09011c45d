/** What the model does in one turn. Calls are named by what they do: each client has its own tools. */
export type Turn = (
  | { readonly text: string }
  | Call
  /** The model is not well: this status instead of an answer. */
  | { readonly status: number }
) & {
  /** The context is said to be nearly full, so that the client compacts; only once per turn. */
  readonly full?: true;
};

export type Call =
  /** `workdir` where the client's shell tool has such a field. */
  | { readonly shell: string; readonly workdir?: string }
  | { readonly read: string }
  | { readonly write: string; readonly text: string }
  | { readonly edit: string; readonly from: string; readonly to: string }
  /** A sub-agent, which plays the script of this name. */
  | { readonly agent: string }
  | { readonly mcp: string; readonly tool: string; readonly input: object }
  /** One of the client's own tools, in its own words. */
  | { readonly tool: string; readonly input: object };

export const isCall = (turn: Turn): turn is Call & Turn =>
  !("status" in turn) && (!("text" in turn) || "write" in turn);

/** A call in the words of one client. */
export interface ToolCall {
  readonly name: string;
  readonly input: object;
  /** Where the dialect keeps tools in groups. */
  readonly namespace?: string;
  /** Free text instead of JSON, for a tool that takes that. */
  readonly text?: string;
}

export type Scripts = Readonly<Record<string, readonly Turn[]>>;

/** Something in the conversation, in order; a run of the model's own items is one turn of it. */
export interface Said {
  readonly by: "model" | "other";
  readonly text: string;
}

const NAMED = /\bscript:([\w-]+)/g;

export const OVER: Turn = { text: "The script is over." };

/** A prompt that makes the model follow one of its scripts. */
export const promptFor = (script: string, words = "Do your work."): string =>
  `${words} (script:${script})`;

export interface Place {
  readonly script: string;
  readonly step: number;
}

/**
 * Where a conversation stands: the last message that names a script, and how often the model has
 * spoken since. Nothing is remembered between requests, so sub-agents and retries find their place.
 */
export function placeIn(said: readonly Said[]): Place {
  const at = said.findLastIndex(({ by, text }) => by === "other" && text.search(NAMED) >= 0);
  const script = at < 0 ? "" : [...said[at]!.text.matchAll(NAMED)].at(-1)![1]!;
  return { script, step: turnsIn(said.slice(at + 1)) };
}

const turnsIn = (said: readonly Said[]): number =>
  said.filter(({ by }, i) => by === "model" && said[i - 1]?.by !== "model").length;

/** What was said since the model last spoke: tool results, and what hooks had to say. */
export const newsIn = (said: readonly Said[]): string =>
  said
    .slice(said.findLastIndex(({ by }) => by === "model") + 1)
    .map(({ text }) => text)
    .join("\n");

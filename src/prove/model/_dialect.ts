import type { Said, ToolCall } from "./script.ts";

/** One way of talking to a model over HTTP; just enough of it for the clients that speak it. */
export interface Dialect {
  /** The path that is asked, without what stands before the version. */
  readonly path: RegExp;
  hear(body: Body, path: string): Heard;
  /** The whole answer at once. */
  whole(answer: Answer): object;
  /** The same as server-sent events: the data of each, and its name where the dialect has names. */
  events(answer: Answer): readonly object[];
  readonly named: boolean;
  /** The line that ends a stream, where there is one. */
  readonly done?: string;
}

export type Body = Readonly<Record<string, unknown>>;

export interface Heard {
  readonly said: readonly Said[];
  /** A request without tools is a side errand of the client: a title, a summary. */
  readonly tools: readonly string[];
  readonly stream: boolean;
}

export interface Answer {
  /** Unique per request. */
  readonly id: number;
  readonly content: { readonly text: string } | ToolCall;
  readonly tokens: number;
}

/** Any piece of a conversation as text that can be searched. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

export const listOf = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? (value as Body[]) : [];

export const isCall = (content: Answer["content"]): content is ToolCall => "name" in content;

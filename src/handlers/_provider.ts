import type { Limit } from "./_settled.ts";

/** What a model can be asked to call. */
export interface ToolSpec {
  readonly name: string;
  readonly about: string;
  /** JSON Schema of its input. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResult {
  readonly id: string;
  readonly text: string;
  readonly failed: boolean;
}

/** A conversation, in nobody's dialect. */
export type Turn =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: "tools"; readonly results: readonly ToolResult[] };

export interface Completion {
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly ToolSpec[];
  /** The tool that must be called; "" leaves it to the model. */
  readonly force: string;
  readonly limit: Limit;
}

export interface Completed {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
}

/** One way to reach a model. */
export interface Provider {
  readonly name: string;
  readonly model: string;
  /** Whether it can be given tools of ours; to what cannot, they are told in words. */
  readonly takesTools: boolean;
  readonly complete: (completion: Completion) => Promise<Completed>;
}

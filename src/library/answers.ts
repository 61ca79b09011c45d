/** What a module may return; the same JSON that a script may print. */
export interface Answer {
  readonly decision?: "block" | "ask" | "allow";
  readonly reason?: string;
  readonly context?: string;
  readonly rewrite?: Readonly<Record<string, unknown>>;
  /** Claude Code's own form, for what has no shorter one. */
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>>;
}

export const deny = (reason: string): Answer => ({ decision: "block", reason });

export const ask = (reason: string): Answer => ({ decision: "ask", reason });

export const allow = (reason = ""): Answer =>
  reason === "" ? { decision: "allow" } : { decision: "allow", reason };

/** The given members are laid over the tool's input; the others stay. */
export const rewrite = (input: Readonly<Record<string, unknown>>): Answer => ({ rewrite: input });

/** At PostToolUse: what the model sees instead of the tool's output, text or object. */
export const replaceOutput = (output: unknown): Answer => ({
  hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: output },
});

export const context = (text: string): Answer => ({ context: text });

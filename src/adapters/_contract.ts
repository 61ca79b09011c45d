import type { EventName } from "../events.ts";
import type { VerdictKind } from "../model.ts";

/**
 * A harness is described, not programmed. Everything that is true of one harness only stands in
 * its adapter; both lanes, the docs and the tests read it from there (the shell lane through the
 * facts files that the build writes).
 */
export interface Adapter {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly title: string;
  /** proven: a real client was driven; source: its code was read; documentation: its page says so. */
  readonly evidence: "proven" | "source" | "documentation";
  readonly source: { readonly url: string; readonly version: string };
  /** Environment variables in which the harness names the project directory, best first. */
  readonly projectDir: readonly string[];
  readonly tools: Readonly<Record<string, Tool>>;
  readonly surfaces: Readonly<Partial<Record<EventName, Surface>>>;
  /** Native events beyond the canonical table: passed through under their own name, observe-only. */
  readonly observes: readonly string[];
  /** Where its transcripts are, for whoever has only the folder that was worked in. */
  readonly transcripts?: Transcripts;
}

export interface Transcripts {
  /** Environment variable that names the harness's folder, and that folder below the home. */
  readonly env: string;
  readonly home: string;
  /** Below it; `{cwd}` is the working folder with everything but letters and digits written as `-`. */
  readonly below: string;
}

export interface Tool {
  /** Canonical name first, then further names that a matcher may use for it. */
  readonly names: readonly string[];
  /** tool_input fields that hold one path each. */
  readonly paths?: readonly string[];
  /** tool_input field that holds a `*** Begin Patch` text. */
  readonly patch?: string;
}

/** One native event and what can be done there. */
export interface Surface {
  readonly native: string;
  /** Milliseconds after which the harness gives up on us by itself. */
  readonly timeout: number;
  /** A verdict without an entry cannot be expressed here and is clamped. */
  readonly replies: Readonly<Partial<Record<VerdictKind, ReplyTemplate>>>;
}

/**
 * `out` is JSON with the holes $R (reason), $C (context), $I (input), $N (notice). A part between
 * backquotes is left out when one of its holes is empty; if all parts are left out and nothing
 * else is said, nothing is printed.
 */
export interface ReplyTemplate {
  readonly exit: number;
  readonly out: string;
  readonly err: "" | "reason" | "reason+context";
}

/** Our own deadline: always before the harness's (R12). */
export const budgetOf = (surface: Surface): number =>
  surface.timeout <= 2000 ? surface.timeout - 250 : Math.floor(surface.timeout * 0.95) - 500;

export const takesContext = (surface: Surface): boolean =>
  surface.replies.pass?.out.includes("$C") ?? false;

export const takesNotice = (surface: Surface): boolean =>
  surface.replies.pass?.out.includes("$N") ?? false;

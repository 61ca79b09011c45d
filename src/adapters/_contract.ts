import type { EventName } from "../events.ts";
import type { VerdictKind } from "../model.ts";
import type { Asks } from "./_asks.ts";
import type { Settings } from "./_settings.ts";

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
  /** How its payloads differ from the canonical form; absent = Claude-shaped, passed on byte for byte. */
  readonly wire?: Wire;
  readonly tools: Readonly<Record<string, Tool>>;
  readonly surfaces: Readonly<Partial<Record<EventName, Surface>>>;
  /** Native events beyond the canonical table: passed through under their own name, observe-only. */
  readonly observes: readonly string[];
  /** Its program, asked one question without tools, with the login that the user already has. */
  readonly asks?: Asks;
  readonly presence: Presence;
  readonly settings: Settings;
  readonly fails: FailPolicy;
  /** Where its transcripts are; `{cwd}` is the working folder with `-` for what is no letter or digit. */
  readonly transcripts?: string;
}

/** With one, hooks get the canonical form, built member by member from the native payload. */
export interface Wire {
  /**
   * Canonical top-level member ← dotted paths into the native payload, the first that is there and
   * not null; `path?other` counts only where the other is there as well. hook_event_name, tool_name and the keys of tool_input are canonical without being
   * named here. Other top-level members that no path begins with stay as they are, at the end.
   */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Where the server and the tool of an MCP call stand: the tool is then `mcp__server__tool`. */
  readonly mcp?: { readonly server: string; readonly tool: string };
}

export interface Tool {
  /** Canonical name first, then further names that a matcher may use for it. */
  readonly names: readonly string[];
  /** tool_input fields, by their canonical key, that hold one path each; `key[]` holds one per line. */
  readonly paths?: readonly string[];
  /** tool_input field, by its canonical key, that holds a `*** Begin Patch` text. */
  readonly patch?: string;
  /**
   * Native key of tool_input → canonical key, one to one; a rewrite goes the way back. `key[]` is
   * a list, one line per element in the canonical form: its text, or the texts in an object, with
   * spaces; with `key[].member` only that member of an object (`a/b`: the first that has a text), with `key[].member+list` followed by
   * the texts of the list. `key+list[]` is the same in the input itself. `[]` alone is an input
   * that is no object but such a list or a text itself. The first key that has a text counts; what
   * already has the canonical name is then kept aside as `native_<name>`.
   */
  readonly input?: Readonly<Record<string, string>>;
}

/** One native event and what can be done there. */
export interface Surface {
  readonly native: string;
  /** Further native events that are this one (a harness with one event per kind of tool). */
  readonly also?: readonly string[];
  /** First version of the harness that has it. */
  readonly since?: string;
  /**
   * A delivery with this member (native paths with | between them, not null) is that other event:
   * a failed tool call.
   */
  readonly turns?: { readonly field: string; readonly into: EventName };
  /**
   * A delivery that is not what the event says: the canonical member has this text (an empty
   * prompt), or is there at all.
   */
  readonly ignore?: { readonly field: string; readonly is?: string; readonly why: string };
  /** Prompts that only repeat the reason of a Stop block are not the user's. */
  readonly echoesStop?: boolean;
  /** Something a user should know about this surface, one line. */
  readonly remark?: string;
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

/** Our own deadline: always before the harness's (R12), with time left to end a hook and to record that. */
export const budgetOf = (surface: Surface): number =>
  surface.timeout <= 2000 ? surface.timeout - 400 : Math.floor(surface.timeout * 0.95) - 500;

/**
 * Each native event once, with the event that it is called for: what has to be registered. A surface
 * that another one turns into is reached through that one.
 */
export function nativeEvents(adapter: Adapter): ReadonlyMap<string, EventName> {
  const surfaces = Object.entries(adapter.surfaces) as [EventName, Surface][];
  const reached = new Set(surfaces.map(([, { turns }]) => turns?.into));
  return new Map(
    surfaces
      .filter(([event]) => !reached.has(event))
      .flatMap(([event, { native, also }]) =>
        [native, ...(also ?? [])].map((name) => [name, event] as const),
      ),
  );
}

/** The event that a harness calls by this name, or undefined. */
export const nativeEvent = (adapter: Adapter, name: string): EventName | undefined =>
  nativeEvents(adapter).get(name);

export const takesContext = (surface: Surface): boolean =>
  surface.replies.pass?.out.includes("$C") ?? false;

export const takesNotice = (surface: Surface): boolean =>
  surface.replies.pass?.out.includes("$N") ?? false;

/** How to see that the harness is on this machine, and that we are inside it. */
export interface Presence {
  /** Programs on PATH, best first. */
  readonly programs: readonly string[];
  /** Arguments that make the program print its version. */
  readonly version: readonly string[];
  /** Files or folders that it leaves on a machine where it was used: `~/…`, `${VAR:-~/…}/…`, `/…`. */
  readonly traces: readonly string[];
  /** Variables that point to it on this machine, set by a person or an installer. */
  readonly signs?: readonly { readonly set: string; readonly unset?: string }[];
  /** Variables in which the commands that it runs find the id of their session. */
  readonly session?: readonly string[];
  /** Variables that it sets for its hooks and that nobody else sets; empty when there is none. */
  readonly inside: readonly string[];
  /**
   * Top-level members of all its payloads by which they are told from those of the harnesses whose
   * settings it reads as well. Variables are inherited by whatever an agent starts; these are not.
   */
  readonly payload?: readonly string[];
  /** First version with hooks; empty when every version has them. */
  readonly since: string;
  /** Files that every session leaves, with `*` in names; absent where it is not known (driven). */
  readonly sessions?: readonly string[];
  /** Where they are rows of an SQLite database: `?` is a moment, the answer `id`, `born` and `at` (ms). */
  readonly sessionTable?: { readonly file: string; readonly query: string };
}

/** What the harness does when our command is gone, dies or is late. */
export interface FailPolicy {
  readonly missing: "allow" | "deny";
  readonly crash: "allow" | "deny";
  readonly late: "allow" | "deny";
}

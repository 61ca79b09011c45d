import type { Natives } from "./_natives.ts";

/** How a harness is configured: what the installer, the importer and the doctor read. */

export const SCOPES = ["user", "project", "local"] as const;
export type Scope = (typeof SCOPES)[number];

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** One registration: what the harness has to call at one native event. */
export interface Call {
  readonly harness: string;
  readonly event: string;
  readonly native: string;
  /** A line for sh that survives the absence of everything it names. */
  readonly command: string;
  /** One plain executable and its arguments, for harnesses that want no shell text. */
  readonly argv: readonly string[];
  /** Milliseconds; the surface's own. */
  readonly timeout: number;
}

export interface Settings {
  /** `~/…` and `${VAR:-~/…}/…` are the user's; anything else is below the project's root. */
  readonly files: Readonly<Partial<Record<Scope, string>>>;
  /** module and scripts: the path is a file or a folder that is ours alone. */
  readonly format: "json" | "jsonc" | "toml" | "module" | "scripts";
  /** Members that the file must have beside the hooks, added only when they are missing. */
  readonly base?: { readonly [key: string]: Json };
  /** Where the entries of one native event are: keys down to a list. */
  readonly at?: (native: string) => readonly string[];
  /** Our entry in that list. */
  readonly entry?: (call: Call) => Json;
  /** The commands of an existing entry, so that ours is recognised and foreign ones can move in. */
  readonly commands?: (entry: Json) => readonly NativeCommand[];
  /** One list for all events: which native event an entry is for. */
  readonly eventOf?: (entry: Json) => string;
  /** People's own hooks, where they are not Claude-shaped; absent with a wire: they cannot move in. */
  readonly natives?: Natives;
  /** People's own hooks that are no commands: where they are, and why they stay there. */
  readonly fixed?: {
    readonly files: Readonly<Partial<Record<Scope, readonly string[]>>>;
    readonly why: string;
  };
  /** module, scripts: path below `files` ("" = the file itself) → content. */
  readonly render?: (calls: readonly Call[]) => Readonly<Record<string, string>>;
  /** Settings with which the harness runs no hooks at all. */
  readonly off?: readonly Switch[];
  /** Files of other harnesses from which this one takes hooks as well (double delivery). */
  readonly alsoReads?: readonly string[];
  /** Where it looks for skills of the user; absent = it knows none, or we do not know where. */
  readonly skills?: string;
  /** What a person has to do before the harness runs our entry; empty = nothing. */
  readonly trust: string;
  /** Where the harness remembers which entries a person trusts; written only with consent. */
  readonly trusted?: Trusted;
  /** A test for sh: this harness is the one that calls the package as its plugin. Absent = it cannot. */
  readonly plugin?: string;
  /** How to see that it calls the package as its plugin; wherever there is `plugin`. */
  readonly plugged?: Plugged;
  /** Whether an edit of the settings is seen by a running session. */
  readonly reload: "live" | "next session";
}

export interface Plugged {
  /** Settings that switch it on, weakest first: the strongest that says anything holds. */
  readonly on: readonly Switch[];
  /** The folder it runs from, with `*` for a version, or the setting in which that folder is named. */
  readonly folder: string | Omit<Switch, "is">;
  /** In place of a settings file, in the names of the entries that a person trusts. */
  readonly trustedAs?: string;
  /** What a person should know about it that cannot be seen from here, one line. */
  readonly remark?: string;
}

/** Trust by hash: a TOML value per entry, `prefix` and the SHA-256 of a text in hexadecimal. */
export interface Trusted {
  readonly file: string;
  readonly prefix: string;
  /** Keys down to the value. */
  readonly at: (entry: TrustedEntry) => readonly string[];
  readonly text: (entry: TrustedEntry) => string;
}

/** One command of the settings: its file, and where in the list of its event it stands. */
export interface TrustedEntry {
  readonly file: string;
  readonly native: string;
  readonly group: number;
  readonly handler: number;
  readonly entry: Json;
}

/** One command as the harness's own settings write it, with its times in milliseconds. */
export interface NativeCommand {
  readonly command: string;
  readonly matcher: string;
  readonly timeout?: number;
  /** Anything else that the entry says (kind, if, once …), by its native name. */
  readonly rest: { readonly [key: string]: Json };
}

export interface Switch {
  readonly file: string;
  readonly format: "json" | "jsonc" | "toml";
  readonly at: readonly string[];
  readonly is: Json;
}

/** The values that travel between the stages. No code, so that every room may import it. */

/** Strongest first: the index is the layer's rank. */
export const LAYERS = ["managed", "local", "project", "user", "pack"] as const;
export type Layer = (typeof LAYERS)[number];

/** From harmless to strict: the index is the rank, and the strictest verdict wins. */
export const VERDICTS = ["pass", "allow", "rewrite", "ask", "deny", "halt"] as const;
export type VerdictKind = (typeof VERDICTS)[number];

export const HANDLER_KINDS = [
  "script",
  "shell",
  "exec",
  "module",
  "http",
  "prompt",
  "agent",
] as const;
/** script = an executable file; shell = a command line for sh; exec = an argument list. */
export type HandlerKind = (typeof HANDLER_KINDS)[number];

export const FAILURE_POLICIES = ["allow", "warn", "block"] as const;
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

export const CHAINS = ["run-all", "first-block"] as const;
export type Chain = (typeof CHAINS)[number];

export type PayloadForm = "native" | "canonical";

/** One condition of a matcher: `path` is a dotted path into the canonical payload. */
export type Condition =
  | { readonly path: string; readonly op: "eq"; readonly values: readonly string[] }
  | {
      readonly path: string;
      readonly op: "re";
      /** Content address of the automaton in `<generation>/dfa/`. */
      readonly dfa: string;
      /** What the user wrote, for explain. */
      readonly text: string;
    };

/** One line of the manifest: one hook at one event. */
export interface Hook {
  readonly event: string;
  readonly order: number;
  readonly block: boolean;
  /** script: file; shell: command line; exec: JSON argument list; module: bundle file; http: url; prompt/agent: text. */
  readonly script: string;
  readonly name: string;
  readonly kind: HandlerKind;
  readonly layer: Layer;
  readonly timeout: number;
  readonly onFailure: FailurePolicy;
  readonly chain: Chain | "";
  readonly async: boolean;
  readonly once: boolean;
  /** An async hook whose result is told at the next event of the session that takes context. */
  readonly notify: boolean;
  readonly reentrant: boolean;
  readonly payload: PayloadForm | "";
  /** Empty = every harness. */
  readonly harness: readonly string[];
  readonly matcher: readonly Condition[];
  /** A program or file that must exist before the start (R4); empty when nothing is known. */
  readonly needs: readonly string[];
  /** Placeholders of a shell command, in the order of ANYHOOK_ARG_1, _2 … (S1.16). */
  readonly args: readonly string[];
  /** Why the hook cannot run although it is configured (syntax error …); empty when it can. */
  readonly broken: string;
  /** Where the user wrote it: file:line, relative to the project where possible. */
  readonly source: string;
  /** Handler-specific settings (http headers, model …) as JSON text; node lane only. */
  readonly extra: string;
}

/** What settings say about one event, beside its hooks. */
export interface EventSettings {
  readonly chain: Chain;
  /** Whether a block can take effect at this event: the event table and `blocking:` both agree. */
  readonly blockable: boolean;
  readonly raw: boolean;
  readonly recordPayload: boolean;
  readonly contextLimit: number;
  /** After so many failures in a row a hook is suspended for the session; 0 = never. */
  readonly failureBudget: number;
  /** How many detached hooks run at once. */
  readonly asyncLimit: number;
}

/** The canonical, decoded occurrence. */
export interface Occurrence {
  readonly harness: string;
  readonly event: string;
  readonly session: string;
  readonly cwd: string;
  /** Canonical tool name; empty where there is none. */
  readonly tool: string;
  /** Every name a matcher may use for this tool: canonical, aliases, native. */
  readonly toolNames: readonly string[];
  readonly paths: readonly string[];
  /** The same, as seen from the project's root, for those inside it. */
  readonly localPaths: readonly string[];
  /** Event id (R16). */
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** One handler's opinion, before anybody asked whether it may have it. */
export interface Verdict {
  readonly kind: VerdictKind;
  readonly reason: string;
  readonly context: string;
  /** Raw JSON text of the new input, exactly as the hook wrote it. */
  readonly input: string;
  /** replace = native `updatedInput`; merge = our `rewrite`. */
  readonly inputMode: "" | "replace" | "merge";
  readonly notice: string;
}

export const OUTCOME_STATUS = ["ok", "failed", "timeout", "skipped", "async"] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUS)[number];

/** One handler's run. */
export interface Outcome {
  readonly hook: Hook;
  readonly status: OutcomeStatus;
  /** null = it never exited by itself (signal, timeout, not started). */
  readonly exit: number | null;
  readonly verdict: Verdict;
  readonly stderr: string;
  /** Raw standard output, for `raw` and nothing else. */
  readonly stdout: string;
  /** Why it failed or was skipped. */
  readonly detail: string;
  readonly ms: number;
  /** What the handler did on the way (model, tool calls, findings): for the ledger. */
  readonly trace?: readonly string[];
}

/** Merged and clamped answer. */
export interface Decision {
  readonly verdict: VerdictKind;
  readonly reason: string;
  readonly context: string;
  /** Raw JSON text of the full rewritten input; empty when nothing was rewritten. */
  readonly input: string;
  readonly notice: string;
  readonly clampedFrom: VerdictKind | "";
  readonly unenforced: string;
}

export interface Reply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
  /** stdout holds bytes (latin1), not text. */
  readonly raw?: boolean;
}

export type Severity = "error" | "warning";

/** The user's mistake. `line` is 1-based, 0 when the whole file is meant. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Name of the hook it concerns, when there is one. */
  readonly hook: string;
}

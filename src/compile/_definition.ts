import type { EventName } from "../events.ts";
import type { Chain, Condition, FailurePolicy, HandlerKind, Layer, PayloadForm } from "../model.ts";

/** The ways to write a hook; `claude` is Claude's own map form inside a settings.json. */
export type Form = "script" | "module" | "node" | "list" | "settings" | "claude";

/** A ranked config folder: `root` holds hooks/, hooks.yaml, settings.json and nodes. */
export interface LayerRoot {
  readonly layer: Layer;
  /** Absolute. */
  readonly root: string;
}

/** A condition whose regular expression has been compiled but not yet stored. */
export type DraftCondition =
  | Extract<Condition, { op: "eq" }>
  | {
      readonly path: string;
      readonly op: "re";
      readonly text: string;
      /** The automaton as text; its content address becomes Condition.dfa. */
      readonly automaton: string;
    };

/** One hook as a user wrote it, in any form, after checking; still one per hook, not per event. */
export interface Definition {
  readonly form: Form;
  readonly layer: Layer;
  /** Absolute path of the file that defines it, and the line where the definition starts. */
  readonly file: string;
  readonly line: number;
  /** Position within its file (R13: registration index). */
  readonly index: number;
  readonly name: string;
  readonly description: string;
  readonly events: readonly EventName[];
  readonly kind: HandlerKind;
  /** script/module: absolute file; shell: command line; exec: JSON argument list; http: url; prompt/agent: text. */
  readonly run: string;
  readonly order: number;
  /** undefined = the form's default (R2). */
  readonly block: boolean | undefined;
  readonly matcher: readonly DraftCondition[];
  /** undefined = the kind's default (R12). */
  readonly timeout: number | undefined;
  readonly onFailure: FailurePolicy;
  readonly chain: Chain | "";
  readonly async: boolean;
  readonly once: boolean;
  readonly notify: boolean;
  readonly reentrant: boolean;
  readonly payload: PayloadForm | "";
  readonly harness: readonly string[];
  readonly enabled: boolean;
  /** `status: pending`: listed, never run. */
  readonly pending: boolean;
  /** Handler-specific settings, JSON-serialisable. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The words of the memory room. No code beside tables, so that every file here may import it. */

/** What a person or an agent can tag, in the order of weight; `page` is made by distillation. */
export const TAGS = ["constraint", "decision", "preference", "remember", "incident"] as const;
export type Tag = (typeof TAGS)[number];
export type Kind = Tag | "page";

/** Tagged is accepted at once; what heuristics found is a candidate until a person says so. */
export type Status = "accepted" | "candidate" | "rejected";

export type Author = "user" | "assistant" | "anyhook";

/** Where something was learnt. */
export interface Origin {
  readonly harness: string;
  readonly session: string;
  readonly branch: string;
  /** Folder relative to the project; "" is its root. */
  readonly folder: string;
}

/** Something to be remembered, before it has a place in a store. */
export interface Item extends Origin {
  readonly kind: Kind;
  readonly text: string;
  /** project, user, branch, or a path of the project. */
  readonly scope: string;
  readonly status: Status;
  readonly author: Author;
  readonly paths: readonly string[];
  /** When it was said: ISO. */
  readonly at: string;
  /** What makes it the same thing when it is said again; the text itself when empty. */
  readonly key: string;
  /** Each piece of evidence counts once, however often it is read. */
  readonly evidence: string;
}

export interface Memory extends Item {
  /** `12` in the project's store, `u12` in the user's. */
  readonly ref: string;
  readonly id: number;
  readonly seen: number;
}

/** One tool call, as far as memory cares. */
export interface Signal {
  readonly id: string;
  readonly at: string;
  readonly session: string;
  readonly harness: string;
  readonly tool: string;
  readonly outcome: "ok" | "failed";
  /** The command line or the file. */
  readonly subject: string;
  readonly detail: string;
  readonly paths: readonly string[];
  readonly cwd: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

import type { Session } from "./session.ts";
import { hashed } from "./session.ts";
import { termsOf } from "./terms.ts";

export type Reason = "" | "folder" | "task" | "past";

export interface Turned {
  /** Why something is to be recalled now; empty for most prompts. */
  readonly reason: Reason;
  /** Hashes of the words the task is about from now on. */
  readonly task: readonly string[];
}

/** Fewer words than this say nothing about a task: "go on", "yes, do that". */
const TELLING = 3;
/** Below this share of common words it is another task. */
const IN_COMMON = 0.15;
const MOST_WORDS = 60;

/** The prompt says itself that something new begins. */
const SWITCHES =
  /\b(?:next|new|another|different|separate|unrelated)\s+(?:task|topic|thing|issue|ticket|feature|bug|question|project)\b|\b(?:switch(?:ing)?|mov(?:e|ing)|turn(?:ing)?)\s+(?:on\s+)?(?:over\s+)?to\b|\bforget (?:that|this|about (?:that|this))\b|\b(?:now for|on to|let['’]?s (?:now )?(?:look at|work on|start)) /i;

const PAST =
  /\b(?:last time|as (?:we|i) (?:decided|agreed|discussed|said)|(?:what|why|how|when|where|which) (?:did|had|was it (?:that )?) ?(?:we|i|you)|did (?:we|i|you)|we (?:decided|agreed|discussed|settled|chose|had)|remember (?:when|that|how|what|the)|do you (?:remember|recall)|previous(?:ly)?|earlier|before(?:hand)?,|back then|yesterday|last (?:week|month|session|sprint)|used to|again\?|remind me|our (?:decision|convention|rule|agreement|policy))\b/i;

/**
 * Has the work turned elsewhere? In this order: the prompt speaks of the past; the folder is another
 * one than at the last prompt; the prompt says that something new begins; or it has at least three
 * telling words and shares less than 15 % of them with what this session has been about. The first
 * prompt of a session turns nowhere: it is taken in silently.
 */
export function turned(prompt: string, cwd: string, session: Session): Turned {
  const { stems, concepts } = termsOf(prompt.slice(0, 8000));
  const words = [...new Set(stems)];
  const own = [...words, ...concepts].map(hashed);
  const isTelling = words.length >= TELLING;
  const isNew = isTelling && session.prompts > 0 && session.task.length >= TELLING;
  const isOther = isNew && (SWITCHES.test(prompt) || inCommon(own, session.task) < IN_COMMON);
  const reason: Reason = PAST.test(prompt)
    ? "past"
    : session.prompts > 0 && session.cwd !== "" && session.cwd !== cwd
      ? "folder"
      : isOther
        ? "task"
        : "";
  const isFresh = reason === "task" || session.task.length === 0;
  const task = isFresh ? own : isTelling ? [...own, ...session.task] : session.task;
  return { reason, task: [...new Set(task)].slice(0, MOST_WORDS) };
}

function inCommon(own: readonly string[], task: readonly string[]): number {
  const known = new Set(task);
  return own.filter((word) => known.has(word)).length / Math.max(1, own.length);
}

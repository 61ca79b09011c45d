import type { EventName } from "../events.ts";

/** Names that events have elsewhere; `test/library-types.test.ts` compares them with the table. */
interface Elsewhere {
  UserPromptSubmit: "user-prompt" | "BeforeAgent";
  PreToolUse: "BeforeTool" | "tool.execute.before";
  PostToolUse: "AfterTool" | "tool.execute.after";
  Stop: "AfterAgent" | "session.idle";
  PreCompact: "PreCompress";
}

/** `PreToolUse` → `pre-tool-use`. */
type Words<Name extends string, Between extends string> = Name extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Lowercase<First>}${Words<Rest, Between>}`
    : `${Lowercase<First>}${Between}${Words<Rest, Between>}`
  : "";

type Spellings<E extends EventName> =
  | E
  | Uncapitalize<E>
  | Words<E, "-">
  | Words<E, "_">
  | Uppercase<Words<E, "_">>
  | (E extends keyof Elsewhere ? Elsewhere[E] : never);

/** Any usual spelling of an event. At run time case and signs do not count at all. */
export type EventSpelling = { [E in EventName]: Spellings<E> }[EventName];

/** The event that is meant. */
export type Canonical<S extends EventSpelling> = S extends EventName
  ? S
  : { [E in EventName]: S extends Spellings<E> ? E : never }[EventName];

import { EVENTS, EVENT_NAMES } from "../src/events.ts";
import { code, table, WRITTEN, yesNo } from "../src/install/_markdown.ts";

/** docs/events.md, from src/events.ts. */
export function eventsPage(): string {
  const rows = EVENT_NAMES.map((name) => {
    const { aliases, block, context, rewrite, subject } = EVENTS[name];
    return [
      code(name),
      aliases.map(code).join(", ") || "–",
      yesNo(block),
      yesNo(context),
      yesNo(rewrite),
      subject === "" ? "–" : code(subject),
    ];
  });
  return `${WRITTEN}

# Events

The canonical names are in PascalCase. Wherever you write an event's name, its aliases and any
other spelling of it are accepted: \`PreToolUse\`, \`pre-tool-use\`, \`pre_tool_use\`, \`PRE_TOOL_USE\`.
An unknown name is an error that suggests the nearest known one.

${table(["event", "also known as", "may block", "takes context", "may rewrite", "a bare matcher compares"], rows)}

*May block*: a hook that is allowed to block (its \`block\` field) can prevent what is about to
happen. *Takes context*: text that a hook prints reaches the model. *May rewrite*: a hook can change
the tool's input, or its output after the fact. What a given harness can do at each event is in
[contract.md](contract.md); what it cannot do is never dropped in silence but clamped, as described
in [decisions/0007](decisions/0007-clamp-before-merge.md).

Events beyond this table that a harness offers are passed through under their native name. Hooks can
observe them but not decide anything there.
`;
}

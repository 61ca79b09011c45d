import type { ReplyTemplate, Surface } from "./_contract.ts";

/** The reply forms that Claude Code defined and others copied, each in its own subset. */

const NOTICE = '`,"systemMessage":$N`';
const CONTEXT = '`,"additionalContext":$C`';

export const silent: ReplyTemplate = { exit: 0, out: "{}", err: "" };

export const noticeOnly: ReplyTemplate = { exit: 0, out: '{`"systemMessage":$N`}', err: "" };

export const withContext = (event: string): ReplyTemplate => ({
  exit: 0,
  out: `{\`"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":$C}\`${NOTICE}}`,
  err: "",
});

/** `fields` are members of hookSpecificOutput after hookEventName. */
export const specific = (
  event: string,
  fields: string,
  exit = 0,
  err: ReplyTemplate["err"] = "",
): ReplyTemplate => ({
  exit,
  out: `{"hookSpecificOutput":{"hookEventName":"${event}",${fields}}${NOTICE}}`,
  err,
});

export const preToolDeny = specific(
  "PreToolUse",
  `"permissionDecision":"deny","permissionDecisionReason":$R${CONTEXT}`,
  2,
  "reason",
);

export const preToolAsk = specific(
  "PreToolUse",
  `"permissionDecision":"ask","permissionDecisionReason":$R\`,"updatedInput":$I\`${CONTEXT}`,
);

export const preToolAllow = specific(
  "PreToolUse",
  `"permissionDecision":"allow"\`,"permissionDecisionReason":$R\`\`,"updatedInput":$I\`${CONTEXT}`,
);

/** Exit 2 and the decision as JSON say the same: whichever the harness reads first. */
export const blockDecision: ReplyTemplate = {
  exit: 2,
  out: `{"decision":"block","reason":$R${NOTICE}}`,
  err: "reason",
};

/** Exit 2 with the reason on stderr, for places where JSON is dropped or unread. */
export const exitTwo: ReplyTemplate = { exit: 2, out: "{}", err: "reason+context" };

export const stopHere: ReplyTemplate = {
  exit: 0,
  out: `{"continue":false,"stopReason":$R${NOTICE}}`,
  err: "",
};

export const permissionDeny = specific(
  "PermissionRequest",
  '"decision":{"behavior":"deny","message":$R}',
);

export const observer = (native: string, timeout: number): Surface => ({
  native,
  timeout,
  replies: { pass: noticeOnly },
});

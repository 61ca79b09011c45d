/** The project of the demo: five hooks in five forms. */

export const FIRST_REASON = "A forced push rewrites what others have pulled.";
export const SECOND_REASON = "No forced push in release week. Talk to Mira first.";

export const SCRIPT = ".anyhook/hooks/no-force-push.sh";

export const forcePushScript = (reason: string): string => `#!/bin/sh
# Hook: no-force-push
# Event: PreToolUse
# Description: Keeps the history of main as it is
# Matcher: tool_name = "Bash" and tool_input.command ~ "git push.* --force( |$)"
echo "${reason}" >&2
exit 2
`;

const SIGN_OFF = `import { defineHook, rewrite } from "anyhook";

export default defineHook({
  name: "sign-off",
  description: "Every commit is signed off",
  event: "PreToolUse",
  matcher: { tool_name: "Bash", "tool_input.command": "/^git commit /" },
  order: 20,
  run: (event) => rewrite({ command: \`\${event.tool_input?.command} --signoff\` }),
});
`;

const HOUSE_RULES = `---
surface: hook
name: house-rules
events: SessionStart
description: Tells every session how we work here
---
The script beside this file says the rules; whatever it prints goes to the model.
`;

export const RULES = "Tests first, small commits, hands off main.";

const LIST = `hooks:
  - name: lint
    description: A linter whose configuration is missing
    events: [PostToolUse]
    matcher: { tool_name: Edit|Write }
    command: 'echo "no configuration found" >&2; exit 1'
    on_failure: warn
`;

export const STOP_REASON = "The tests have not passed yet: run npm test.";

const TESTS_RAN = `#!/bin/sh
[ -f .tests-passed ] && exit 0
echo "${STOP_REASON}" >&2
exit 2
`;

const SETTINGS = `${JSON.stringify({ hooks: { Stop: [{ name: "tests-ran", path: "bin/tests-ran.sh" }] } }, undefined, 2)}\n`;

export const FILES: Readonly<Record<string, string>> = {
  [SCRIPT]: forcePushScript(FIRST_REASON),
  ".anyhook/hooks/sign-off.ts": SIGN_OFF,
  ".anyhook/house-rules/README.md": HOUSE_RULES,
  ".anyhook/house-rules/rules.sh": `#!/bin/sh\necho "${RULES}"\n`,
  ".anyhook/hooks.yaml": LIST,
  ".anyhook/settings.json": SETTINGS,
  ".anyhook/bin/tests-ran.sh": TESTS_RAN,
};

/** Name, form and place, for people. */
export const CAST = [
  ["no-force-push", "a shell script with a header", SCRIPT],
  ["sign-off", "a TypeScript module", ".anyhook/hooks/sign-off.ts"],
  ["house-rules", "a Markdown node and its script", ".anyhook/house-rules/README.md"],
  ["lint", "an entry of hooks.yaml, and a broken one", ".anyhook/hooks.yaml"],
  ["tests-ran", "a path in settings.json", ".anyhook/settings.json"],
] as const;

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Rules for a harness (without a title: any) whose hooks cannot call us: the agent itself calls the lifecycle commands.
 * As strong as an instruction is, and no stronger; the text says so.
 */
export const skillText = (harness: string, title: string): string => `---
name: anyhook-lifecycle
description: Begins and ends a session with the hooks of this machine. Use at the start and at the end of every task${title === "" ? "" : ` in ${title}`}.
---

# Session lifecycle (anyhook)

This harness does not call hooks by itself, so you do. The commands are safe to repeat: each is
performed once per thread and says so.

## Before you begin

Run this first, and treat what it prints as context from the user's own hooks:

\`\`\`sh
anyhook lifecycle ${harness} ensure-start
\`\`\`

Then, with the user's request in one line:

\`\`\`sh
anyhook lifecycle ${harness} prompt --text "<the request>"
\`\`\`

## Before you call a task finished

\`\`\`sh
anyhook lifecycle ${harness} task-completed --text "<what was done>"
\`\`\`

Exit 1 means that a check failed: read the reason, repair, and run it again.

## At the end

\`\`\`sh
anyhook lifecycle ${harness} stop --close-loop
\`\`\`

Exit 1 means that a hook holds you back: do what it says, then run it again.

## What is not covered

Single tool calls are not seen by hooks here. Checks on files run at commit time instead, when
\`anyhook install --git-hooks\` was run in the repository.
`;

/** false when it is there already; the folder is named after us, so whatever else is in it is ours. */
export function writeSkill(file: string, text: string): boolean {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
  return true;
}

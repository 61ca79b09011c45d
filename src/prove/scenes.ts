import { join } from "node:path";
import type { EventName } from "../events.ts";
import type { Turn } from "./model/script.ts";
import { FILES, MARKS } from "./probes.ts";
import type { Play } from "./session.ts";
import type { Stage } from "./stage.ts";

/** A session, or several if one is cut short, and the events that it can reach. */
export interface Scene {
  readonly name: string;
  readonly reaches: readonly EventName[];
  /** Each turn is served even when an earlier one ended the session. */
  readonly play: (stage: Stage) => Play;
  /** The client is not told beforehand that it may use its tools. */
  readonly strict?: boolean;
}

const done: Turn = { text: "Done." };

const writing = (file: string, mark: string): Turn => ({ shell: `echo ran >${file}; : ${mark}` });

export const SCENES: readonly Scene[] = [
  {
    name: "tools",
    reaches: [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "Stop",
      "SessionEnd",
      "Notification",
    ],
    play: ({ project }) => ({
      turns: [
        writing(FILES.denied, MARKS.deny),
        writing(FILES.rewritten, MARKS.rewrite),
        writing(FILES.asked, MARKS.ask),
        { shell: `echo ${MARKS.post}` },
        { read: join(project, "missing.txt") },
        { shell: "exit 3" },
        done,
      ],
    }),
  },
  {
    name: "a forbidden prompt",
    reaches: ["UserPromptSubmit"],
    play: () => ({ words: `Please ${MARKS.forbidden}.`, turns: [done] }),
  },
  {
    name: "a sub-agent",
    reaches: ["SubagentStart", "SubagentStop"],
    play: () => ({
      // Where sub-agents work in the background, the session must last longer than they do.
      turns: [{ agent: "part" }, { shell: "sleep 2" }, done],
      parts: { part: [{ shell: "echo part" }, { text: "Part done." }] },
    }),
  },
  {
    name: "a full context",
    reaches: ["PreCompact", "PostCompact"],
    play: () => ({
      turns: [
        { shell: "echo one", full: true },
        { text: "Done.", full: true },
      ],
    }),
  },
  {
    name: "a permission",
    reaches: ["PermissionRequest"],
    strict: true,
    play: () => ({ turns: [{ shell: `touch ${FILES.permitted}` }, done] }),
  },
];

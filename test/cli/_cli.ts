import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { CLI, DISPATCH, makeProject, payloadOf, type Project } from "../_dispatch.ts";

export type Files = Readonly<Record<string, string>>;

export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly exit: number | null;
}

export interface Place {
  readonly project: Project;
  readonly run: (...args: string[]) => Ran;
  /** With other input, environment or folder. */
  readonly runWith: (more: More, ...args: string[]) => Ran;
  /** The document that --json printed. */
  readonly json: (...args: string[]) => Readonly<Record<string, unknown>>;
  /** One event through the real dispatcher. */
  readonly event: (harness: string, name: string, fixture: string, change?: object) => Ran;
}

interface More {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A throw-away project with a home of its own, and the built command line in it. */
export function place(files: Files = {}): Place {
  const project = makeProject(files);
  onTestFinished(() => project.remove());
  const start = (file: string, args: readonly string[], more: More = {}): Ran => {
    const { stdout, stderr, status } = spawnSync(file, args, {
      cwd: more.cwd ?? project.root,
      env: more.env ?? project.env,
      input: more.input ?? "",
      encoding: "utf8",
    });
    return { out: stdout, err: stderr, exit: status };
  };
  const runWith = (more: More, ...args: string[]): Ran =>
    start(process.execPath, [CLI, ...args], more);
  return {
    project,
    runWith,
    run: (...args) => runWith({}, ...args),
    json: (...args) => JSON.parse(runWith({}, ...args, "--json").out) as Record<string, unknown>,
    event: (harness, name, fixture, change = {}) => {
      const payload = payloadOf(harness, fixture, project, change as Record<string, unknown>);
      return start("/bin/sh", [DISPATCH, harness, name], { input: payload });
    },
  };
}

const guard = (...lines: string[]): string => ["#!/bin/sh", ...lines, ""].join("\n");

export const NO_FORCE = guard(
  "# Hook: no-force-push",
  "# Event: PreToolUse",
  "# Description: Keeps main safe",
  '# Matcher: tool_name = "Bash" and tool_input.command ~ "push.*--force"',
  "# Order: 10",
  'echo "No forced push." >&2',
  "exit 2",
);

/** One of each state, and one that fails. */
export const ZOO: Files = {
  ".anyhook/hooks/no-force-push.sh": NO_FORCE,
  ".anyhook/hooks.yaml": `hooks:
  - name: lint
    events: [PostToolUse, TaskCompleted]
    matcher: { tool_name: Edit|Write }
    command: "echo oops >&2; exit 1"
  - name: off
    events: [Stop]
    enabled: false
    command: "true"
  - name: typo
    events: [PreTolUse]
    command: "true"
`,
  ".anyhook/later/later.md": "---\nsurface: hook\nevents: Stop\nstatus: pending\n---\n",
  ".anyhook/later/later.sh": "#!/bin/sh\nexit 0\n",
};

export const push = { tool_input: { command: "git push --force" }, tool_use_id: "push_1" };

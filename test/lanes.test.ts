import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import type { Adapter } from "../src/adapters/_contract.ts";
import { canonicalPayload } from "../src/dispatch/canonical.ts";
import { decodeOccurrence } from "../src/dispatch/occurrence.ts";
import { CAPTURED, type Captured } from "./_contract.ts";
import { dispatch, makeProject, NODE_LANE, type Lane, type Project } from "./_dispatch.ts";

/** What each harness sends, through the shell: the hook sees what the node lane would show it. */

const SHELL: Lane = { name: "dash", shell: ["dash"] };
const EVENTS =
  "SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, Notification, SubagentStart, SubagentStop, Stop, PreCompact, PostCompact";
const SEEN = `#!/bin/sh
# Hook: seen
# Event: ${EVENTS}
printf '%s\\n' "$ANYHOOK_EVENT" "$ANYHOOK_TOOL" "$ANYHOOK_PATHS" >seen
cat >payload
`;
const GUARD = `#!/bin/sh
# Hook: guard
# Event: PreToolUse
# Matcher: tool_name = "Bash"
echo "not here" >&2
exit 2
`;
const REWRITE = `#!/bin/sh
# Hook: rewrite
# Event: PreToolUse
# Matcher: tool_name = "Bash"
echo '{"rewrite":{"command":"ls"}}'
`;

const hooks = { seen: SEEN, guard: GUARD, rewrite: REWRITE } as const;
const projects = {} as Record<keyof typeof hooks, Project>;
beforeAll(() => {
  for (const [name, text] of Object.entries(hooks)) {
    const project = makeProject({ [`.anyhook/hooks/${name}.sh`]: text });
    projects[name as keyof typeof hooks] = project;
    project.cli("materialize");
  }
});
afterAll(() => Object.values(projects).forEach((project) => project.remove()));

const sent = ({ payload }: Captured, { root }: Project): Buffer =>
  Buffer.from(payload.toString().replaceAll("/home/dev/shop", JSON.stringify(root).slice(1, -1)));
const of = (adapter: Adapter): Captured[] =>
  CAPTURED.filter((one) => one.adapter === adapter && one.surface);

/** Those whose payloads have a conformance case each are proven there. */
const harnesses = ADAPTERS.filter(
  ({ evidence, settings }) => evidence !== "proven" || settings.format === "module",
);

describe.each(harnesses)("$id", (adapter) => {
  test("every payload reaches a hook in the canonical form, byte for byte", () => {
    const { seen } = projects;
    for (const one of of(adapter)) {
      const payload = sent(one, seen);
      const { status, stderr } = dispatch(seen, SHELL, adapter.id, one.native, payload);
      expect({ file: one.file, status, stderr }).toEqual({ file: one.file, status: 0, stderr: "" });
      const canonical = canonicalPayload(adapter, one.event, payload).toString();
      const read = (name: string): string => readFileSync(join(seen.root, name), "utf8");
      expect(read("payload"), one.file).toBe(canonical);
      const { event, tool, paths } = decodeOccurrence(adapter, one.event, payload, seen.root);
      expect(read("seen"), one.file).toBe(`${event}\n${tool}\n${paths.join("\n")}\n`);
    }
  });

  test("a deny and a rewrite of a command are said the same in both lanes", () => {
    const bash = of(adapter).find(
      (one) =>
        one.event === "PreToolUse" &&
        decodeOccurrence(adapter, "PreToolUse", one.payload, "").tool === "Bash",
    )!;
    for (const [project, said] of [
      [projects.guard, "not here"],
      [projects.rewrite, /ls|rewrite/],
    ] as const) {
      const [shell, node] = [SHELL, NODE_LANE].map((lane) =>
        dispatch(project, lane, adapter.id, bash.native, sent(bash, project)),
      );
      expect(shell).toEqual(node);
      expect(`${shell!.stdout}${shell!.stderr}`).toMatch(said);
    }
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { makeProject, payloadOf, type Project } from "./_dispatch.ts";
import { FIVE_KINDS, fiveKindsFiles, startFiveKinds, type FiveKinds } from "./_five-kinds.ts";
import { dispatchLater } from "./_remote.ts";

let project: Project;
let server: FiveKinds;
afterEach(async () => {
  project.remove();
  await server.close();
});

interface Line {
  readonly lane: string;
  readonly decision: { readonly verdict: string };
  readonly hooks: readonly {
    readonly name: string;
    readonly status: string;
    readonly verdict: string;
  }[];
}

const brief = ({ lane, decision, hooks }: Line): unknown => ({
  ...{ lane, decision: decision.verdict },
  hooks: hooks.map(({ name, status, verdict }) => `${name} ${status} ${verdict}`),
});

describe.each(["claude-code", "codex"])(
  "one chain of all five kinds, in mixed order, on %s",
  (harness) => {
    const run = async (agent: boolean) => {
      server = await startFiveKinds({ agent });
      project = makeProject(fiveKindsFiles(server.url));
      const payload = payloadOf(harness, FIVE_KINDS.payload, project, {
        tool_input: FIVE_KINDS.input,
      });
      const reply = await dispatchLater(project, harness, FIVE_KINDS.event, payload);
      return { reply, line: project.ledger().at(-1) as unknown as Line };
    };
    const rewrites = [
      "a-command ok rewrite",
      "b-http ok rewrite",
      "c-module ok rewrite",
      "d-prompt ok pass",
      "e-list ok rewrite",
    ];

    test("rewrites chain, and everybody sees what the ones before made of it", async () => {
      const { reply, line } = await run(true);
      expect(reply.stderr).toBe("");
      expect(JSON.parse(reply.stdout)).toMatchObject({
        hookSpecificOutput: {
          updatedInput: { ...FIVE_KINDS.input, command: FIVE_KINDS.rewritten },
        },
      });
      expect(brief(line)).toEqual({
        ...{ lane: "node", decision: "rewrite" },
        hooks: [...rewrites, "f-agent ok pass"],
      });
      expect(line.hooks.map(({ name }) => name)).toEqual(FIVE_KINDS.hooks);
      expect(server.questions[0]).toMatch(new RegExp(`>\\n${FIVE_KINDS.shown}\\n</data-`));
      expect(server.looked[0]).toContain("export const a = 1;");
    });

    test("the last one can still say no", async () => {
      const { reply, line } = await run(false);
      expect(reply.stdout + reply.stderr).toContain(FIVE_KINDS.denied);
      expect(reply.stdout).not.toContain("updatedInput");
      expect(brief(line)).toEqual({
        ...{ lane: "node", decision: "deny" },
        hooks: [...rewrites, "f-agent ok deny"],
      });
    });
  },
);

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FIVE_KINDS, fiveKindsFiles, startFiveKinds } from "../_five-kinds.ts";
import { bash, makeExecutor, makeFolder } from "./_folder.ts";

/** The chain that every lane must run: from the project, and from the same list as a hooks file. */
describe.each(["project", "hooksFile"] as const)(
  "one chain of all five kinds, from a %s",
  (from) => {
    test.each([true, false])("the agent at its end says %j", async (agent) => {
      const server = await startFiveKinds({ agent });
      const folder = makeFolder(fiveKindsFiles(server.url));
      const env = { ...process.env, ANTHROPIC_API_KEY: "dummy", OPENAI_API_KEY: "dummy" };
      const source =
        from === "project"
          ? { project: folder.root }
          : { hooksFile: join(folder.root, ".anyhook/hooks.yaml"), cwd: folder.root };
      const executor = makeExecutor({ ...source, env });
      const payload = { ...bash(""), tool_input: FIVE_KINDS.input };
      const result = await executor.execute(FIVE_KINDS.event, payload);
      await server.close();
      expect(result.outcomes.map(({ name, status }) => `${name} ${status}`)).toEqual(
        FIVE_KINDS.hooks.map((name) => `${name} ok`),
      );
      expect(server.questions.join()).toContain(FIVE_KINDS.shown);
      expect(result.blocked).toBe(!agent);
      expect(result.reason).toBe(agent ? "" : FIVE_KINDS.denied);
      expect(result.input).toEqual(
        agent ? { ...FIVE_KINDS.input, command: FIVE_KINDS.rewritten } : undefined,
      );
    });
  },
);

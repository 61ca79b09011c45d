import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { REPO } from "../_dispatch.ts";
import { bash, makeExecutor, makeFolder } from "./_folder.ts";

/** The chain that every lane must run; here as soon as its handlers are. */
const file = join(REPO, "test/_five-kinds.ts");

interface Chain {
  readonly FIVE_KINDS: {
    readonly event: string;
    readonly input: object;
    readonly hooks: readonly string[];
    readonly rewritten: string;
    readonly denied: string;
  };
  fiveKindsFiles(url: string): Record<string, string>;
  startFiveKinds(how: { agent: boolean }): Promise<{
    readonly url: string;
    close(): Promise<void>;
  }>;
}

/** Once from the project, once from the same list as a hooks file, whose paths are its own. */
describe.skipIf(!existsSync(file)).each(["project", "hooksFile"] as const)(
  "one chain of all five kinds, from a %s",
  (from) => {
    test.each([true, false])("the agent at its end says %j", async (agent) => {
      const chain = (await import(pathToFileURL(file).href)) as Chain;
      const { FIVE_KINDS } = chain;
      const server = await chain.startFiveKinds({ agent });
      const folder = makeFolder(chain.fiveKindsFiles(server.url));
      const env = { ...process.env, ANTHROPIC_API_KEY: "dummy", OPENAI_API_KEY: "dummy" };
      const source =
        from === "project"
          ? { project: folder.root }
          : { hooksFile: join(folder.root, ".anyhook/hooks.yaml"), cwd: folder.root };
      const executor = makeExecutor({ ...source, env });
      const payload = { ...bash(""), tool_input: FIVE_KINDS.input };
      const result = await executor.execute(FIVE_KINDS.event, payload);
      await server.close();
      expect(result.outcomes.map(({ name }) => name)).toEqual(FIVE_KINDS.hooks);
      expect(result.outcomes.map(({ status }) => status)).toEqual(FIVE_KINDS.hooks.map(() => "ok"));
      expect(result.blocked).toBe(!agent);
      expect(result.reason).toContain(agent ? "" : FIVE_KINDS.denied);
      const command = (result.input as { command?: string } | undefined)?.command;
      expect(command).toBe(agent ? FIVE_KINDS.rewritten : undefined);
    });
  },
);

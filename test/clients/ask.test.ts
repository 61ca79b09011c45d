import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { type Project } from "../_dispatch.ts";
import { hookOf, judged, PAYLOAD, workOf } from "../_remote.ts";
import claudeCode from "./_claude-code.ts";
import { PINNED, programOf, type Driver } from "./_client.ts";
import codex from "./_codex.ts";
import { startModel } from "./_model.ts";
import { makeClientProject } from "./_session.ts";

const DRIVERS: Readonly<Record<string, Driver>> = { "claude-code": claudeCode, codex };
const isOptional = process.env["ANYHOOK_CLIENTS_OPTIONAL"] === "1";

const projects: Project[] = [];
afterEach(() => projects.splice(0).forEach((one) => one.remove()));

/** The shell, the web and files: what a check must not have. */
const HANDS = /"(?:Bash|Read|Write|Edit|WebFetch|exec_command|shell|apply_patch|web_search)"/;

describe.each(PINNED)("a prompt hook asks $harness", (client) => {
  const asks = ADAPTERS.find(({ id }) => id === client.harness)?.asks;
  const program = programOf(client);

  test.skipIf(isOptional && program === "")(
    "as a program, without a key, tools or hooks",
    async () => {
      const project = makeClientProject();
      projects.push(project);
      const bin = join(project.base, "bin");
      mkdirSync(bin);
      symlinkSync(program, join(bin, asks!.program));
      const model = await startModel([{ text: '{"ok": false, "reason": "forced"}' }]);
      try {
        const driver = DRIVERS[client.harness]!;
        driver.prepare(project, model.url);
        const env = { ...project.env, ...driver.env(model.url), PATH: `${bin}:/usr/bin:/bin` };
        const work = workOf(PAYLOAD, {
          ...{
            env: { ...env, ANYHOOK_DEPTH: "1" },
            slot: join(project.base, "slot"),
            timeout: 60_000,
          },
        });
        const hook = hookOf("prompt", "No forced push.", { provider: asks!.provider });
        expect(await judged(hook, work)).toMatchObject({ status: "ok", said: "deny: forced" });
        expect(model.requests.length).toBe(1);
        expect(model.requests[0]!.all).toContain("git push --force");
        const { tools = [] } = JSON.parse(model.requests[0]!.all) as { tools?: unknown[] };
        expect(JSON.stringify(tools)).not.toMatch(HANDS);
        // The client has our hooks installed; inside a hook they do not run.
        expect(project.ledger()).toEqual([]);
      } finally {
        await model.close();
      }
    },
  );
});

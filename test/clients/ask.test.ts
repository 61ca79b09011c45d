import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { type Project } from "../_dispatch.ts";
import { hookOf, judged, PAYLOAD, workOf } from "../_remote.ts";
import {
  clientOf,
  isOptional,
  makeProjectStage,
  PINNED,
  projectOn,
  stanza,
  startScript,
} from "./_clients.ts";

const projects: Project[] = [];
afterEach(() => projects.splice(0).forEach((one) => one.remove()));

/**
 * The shell, the web and files: what a check must not have. Codex keeps apply_patch for models that it
 * knows, whatever it is told; its sandbox is what keeps it from writing.
 */
const HANDS = /"(?:Bash|Read|Write|Edit|WebFetch|exec_command|shell|view_image|web_search)"/;

const asksOf = (harness: string) => ADAPTERS.find(({ id }) => id === harness)?.asks;

describe.each(PINNED.filter(({ harness }) => asksOf(harness)))(
  "a prompt hook asks $harness",
  (pinned) => {
    const { harness } = pinned;
    const asks = asksOf(harness);
    const { driver, command } = clientOf(pinned);
    const [program = ""] = command;

    test.skipIf(isOptional && program === "")(
      "as a program, without a key, tools or hooks",
      async () => {
        const stage = makeProjectStage();
        const project = projectOn(stage);
        projects.push(project);
        const bin = join(project.base, "bin");
        mkdirSync(bin);
        symlinkSync(program, join(bin, asks!.program));
        const model = await startScript(harness, [
          { write: join(stage.project, "written.txt"), text: "by a check\n" },
          { text: '{"ok": false, "reason": "forced"}' },
        ]);
        try {
          const around = { stage, url: model.url, hooks: stanza(harness), strict: false };
          stage.write(driver.settings(around));
          const env = { ...project.env, ...driver.env(around), PATH: `${bin}:/usr/bin:/bin` };
          const work = workOf(PAYLOAD, {
            ...{
              env: { ...env, ANYHOOK_DEPTH: "1" },
              slot: join(project.base, "slot"),
              timeout: 60_000,
            },
          });
          const hook = hookOf("prompt", "No forced push.", { provider: asks!.provider });
          expect(await judged(hook, work)).toMatchObject({ status: "ok", said: "deny: forced" });
          expect(model.requests.length).toBe(2);
          expect(existsSync(join(stage.project, "written.txt"))).toBe(false);
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

    test.skipIf(isOptional && program === "")(
      "as an agent, with our tools in words and none of its own, also without a store",
      async () => {
        const stage = makeProjectStage();
        const project = projectOn(stage);
        projects.push(project);
        const bin = join(project.base, "bin");
        mkdirSync(bin);
        symlinkSync(program, join(bin, asks!.program));
        writeFileSync(join(stage.project, "a.ts"), "const password = 1;\n");
        // Each turn is a conversation of its own, so the script begins anew: it never answers.
        const call = '{"tool": "read_file", "input": {"path": "a.ts"}}';
        const model = await startScript(harness, [{ text: call }]);
        try {
          const around = { stage, url: model.url, hooks: stanza(harness), strict: false };
          stage.write(driver.settings(around));
          const env = { ...project.env, ...driver.env(around), PATH: `${bin}:/usr/bin:/bin` };
          const work = workOf(PAYLOAD, {
            ...{ env: { ...env, ANYHOOK_DEPTH: "1" }, root: stage.project, timeout: 120_000 },
          });
          const extra = { provider: asks!.provider, max_turns: 2 };
          const said = await judged(hookOf("agent", "No secrets.", extra), work);
          expect(said).toEqual({
            ...{ status: "failed", detail: "no answer within 2 turns", said: "pass" },
            trace: [
              `asked ${asks!.provider} its own choice`,
              ...Array.from({ length: 2 }, () => 'read_file {"path":"a.ts"}: 2 lines'),
            ],
          });
          expect(model.requests.length).toBe(2);
          expect(model.requests[0]!.all).toContain("git push --force");
          expect(model.requests[1]!.all).toContain("const password = 1;");
          for (const { all } of model.requests) {
            const { tools = [] } = JSON.parse(all) as { tools?: unknown[] };
            expect(JSON.stringify(tools)).not.toMatch(HANDS);
          }
          expect(project.ledger()).toEqual([]);
        } finally {
          await model.close();
        }
      },
    );
  },
);

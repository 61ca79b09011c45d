import { readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import type { Report } from "../../src/prove/prove.ts";
import { CLI, makeProject, type Project } from "../_dispatch.ts";
import { clientOf, PINNED } from "./_clients.ts";

const projects: Project[] = [];
const servers: Server[] = [];
afterEach(() => {
  for (const one of projects.splice(0)) one.remove();
  for (const one of servers.splice(0)) one.close();
});

/** Somebody's service: what a proof must not call. */
async function service(): Promise<{ url: string; calls: () => number }> {
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    socket.destroy();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/`, calls: () => calls };
}

/** Not synchronous: the service must be able to answer. */
function said(project: Project, ...words: string[]): Promise<string> {
  const env = {
    ...project.env,
    ANYHOOK_CLIENT_PROGRAMS: process.env["ANYHOOK_CLIENT_PROGRAMS"] ?? "{}",
  };
  const child = spawn(process.execPath, [CLI, ...words], {
    ...{ cwd: project.root, env, stdio: ["ignore", "pipe", "inherit"] },
  });
  return text(child.stdout);
}

const proved = async (project: Project, ...words: string[]): Promise<Report> =>
  JSON.parse(await said(project, "prove", "--json", ...words)) as Report;

const here = PINNED.filter(
  (one) => ["claude-code", "codex"].includes(one.harness) && clientOf(one).command.length > 0,
).map((one) => [`${one.harness} ${one.version}, with somebody's hooks`, one] as const);

describe.each(here)("%s", (_, { harness }) => {
  test(
    "they are played for real, except those that ask somebody outside",
    { timeout: 200_000 },
    async () => {
      const { url, calls } = await service();
      const project = makeProject({
        ".anyhook/settings.json": '{ "allowed_hosts": ["127.0.0.1"] }',
        ".anyhook/hooks.json": JSON.stringify({
          hooks: [
            {
              ...{ name: "guard", events: ["PreToolUse"], block: true },
              matcher: { tool_name: "Bash", "tool_input.command": "/push.*--force/" },
              command: "echo 'Ask first.' >&2; exit 2",
            },
            { name: "asks", events: ["PreToolUse"], type: "http", url },
            { name: "broken", events: ["PreToolUse"], command: "exit 9" },
          ],
        }),
      });
      projects.push(project);
      const before = readFileSync(join(project.root, ".anyhook/hooks.json"), "utf8");
      const report = await proved(project, "--harness", harness, "--event", "PreToolUse");
      const [client] = report.clients;
      const found = client!.hooks.map(({ hook, state, why }) => `${hook} ${state}: ${why}`);
      expect(found.toSorted()).toEqual([
        "asks unplayed: it asks somebody outside, whom a proof leaves alone",
        expect.stringMatching(/^broken fails: /),
        "guard holds: deny",
      ]);
      expect(report).toMatchObject({ ok: false, touched: [], without: "" });
      expect(client!.events).toMatchObject([{ event: "PreToolUse", state: "held" }]);
      expect(client!.timing!.with).toBeGreaterThan(0);
      expect(calls()).toBe(0);
      const words = ["simulate", harness, "PreToolUse", "--tool", "Bash", "--command", "ls"];
      await said(project, ...words, "--run");
      expect(calls()).toBe(1);
      expect(readFileSync(join(project.root, ".anyhook/hooks.json"), "utf8")).toBe(before);
    },
  );

  test(
    "they may be the user's alone, and need packages of the project",
    { timeout: 200_000 },
    async () => {
      const mine = { name: "mine", events: ["PreToolUse"], command: "true" };
      const files = { "home/.config/anyhook/hooks.json": JSON.stringify({ hooks: [mine] }) };
      const [alone, packaged] = [
        makeProject(files),
        makeProject({
          "node_modules/word/package.json": '{ "name": "word", "type": "module", "main": "a.js" }',
          "node_modules/word/a.js": 'export default "amber";',
          ".anyhook/hooks/says.ts":
            'import { context, defineHook } from "anyhook";\nimport word from "word";\nexport default defineHook({ name: "says", event: "PostToolUse", run: () => context(word) });\n',
        }),
      ];
      projects.push(alone, packaged);
      rmSync(join(alone.root, ".anyhook"), { recursive: true });
      const holds = (hook: string): object => ({
        ...{ ok: true, mistakes: 0 },
        clients: [{ harness, hooks: [{ hook, state: "holds", why: "" }] }],
      });
      const only = ["--harness", harness, "--hook"];
      expect(await proved(alone, ...only, "mine")).toMatchObject(holds("mine"));
      expect(await proved(packaged, ...only, "says")).toMatchObject(holds("says"));
    },
  );
});

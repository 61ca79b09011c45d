import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeProject, payloadOf, type Project } from "./_dispatch.ts";
import { dispatchLater, startServer, type Server } from "./_remote.ts";

/** ANYHOOK_SIEGE=1000 for the long version. */
const DISPATCHES = Number(process.env["ANYHOOK_SIEGE"] ?? 12);
const AT_ONCE = 4;
/** The harness's own patience is 600 s; nobody here may take a tenth of it. */
const LONGEST = 30_000;

let project: Project;
let server: Server;
afterEach(async () => {
  project.remove();
  await server.close();
});

const HOOKS = (url: string): string => `hooks:
  - { name: hang, events: PreToolUse, order: 1, url: "${url}", timeout: 250 }
  - { name: crash, events: PreToolUse, order: 2, module: modules/crash.mjs }
  - { name: flood, events: PreToolUse, order: 3, command: "yes", timeout: 2s }
  - { name: orphan, events: PreToolUse, order: 4, command: "sleep 300 & sleep 300", timeout: 250 }
  - { name: guard, events: PreToolUse, order: 5, command: "echo no >&2; exit 2", block: true }
`;

/** The second kind of crash cannot be caught: it takes the process with it. */
const CRASH = `export default { run() { if (process.pid % 2) throw new Error("crash"); process.abort(); } };
`;

test(`${DISPATCHES} dispatches with a crashing module, a hanging endpoint and a flooding command`, async () => {
  server = await startServer(() => {});
  project = makeProject({
    // Nobody is suspended for failing: that is the point here.
    ".anyhook/settings.json": '{ "failure_budget": 0 }',
    ".anyhook/hooks.yaml": HOOKS(server.url),
    ".anyhook/modules/crash.mjs": CRASH,
  });
  const payload = payloadOf("claude-code", "PreToolUse--Bash", project);
  let slowest = 0;
  let left = DISPATCHES;
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const began = performance.now();
      const { stdout } = await dispatchLater(project, "claude-code", "PreToolUse", payload);
      slowest = Math.max(slowest, performance.now() - began);
      expect(stdout).toContain('"permissionDecision":"deny"');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const lines = project.ledger() as { hooks: { name: string; status: string }[] }[];
  expect(lines.length).toBe(DISPATCHES);
  const seen = new Set(
    lines.flatMap(({ hooks }) => hooks.map(({ name, status }) => `${name} ${status}`)),
  );
  expect([...seen].toSorted()).toEqual([
    ...["crash failed", "flood timeout", "guard ok", "hang timeout", "orphan timeout"],
  ]);
  expect(slowest).toBeLessThan(LONGEST);
  await expect.poll(() => server.open()).toBe(0);
  await expect.poll(leftovers, { timeout: 5000 }).toEqual([]);
  expect(readdirSync(join(project.layout.slot, "run"))).toEqual([]);
}, 2_400_000);

/** Processes that still have the project's home; known only where there is /proc. */
function leftovers(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => about(pid, "environ").includes(`HOME=${project.home}\0`))
    .map((pid) => about(pid, "cmdline").replaceAll("\0", " "))
    .filter((command) => command !== "");
}

function about(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
